// SPDX-License-Identifier: GPL-2.0-only
/*
 * The bytes are a row of numbers in LEB128, signed ones zigzag:
 *
 *	run << 2 | what		so many references as foretold, then one of which is written:
 *	  what & SITE:		number of its site; a new one is 0 and has
 *				its instruction less that of the reference before (signed),
 *				size << 2 | kind, its address less the last reference's (signed)
 *	  what & ADDRESS:	its address less the last one of that site (signed)
 *
 * The last token may have what = 0: nothing follows its run. A site is an instruction with a size
 * and a kind; sites are numbered from 1 in the order in which they come. A stride holds once it was
 * seen twice in a row.
 */
#include <stdbool.h>
#include <stdlib.h>

#include "base/map.h"
#include "base/memory.h"
#include "bursts/pack.h"

#define SITE		1u
#define ADDRESS		2u
#define WHAT_BITS	2
#define NUMBER_BYTES	10	/* of a number, at most */
#define TOKEN_BYTES	(5 * NUMBER_BYTES)

struct site {
	uint64_t ip;
	uint32_t size, kind;
	uint64_t address;	/* its last */
	uint64_t stride;	/* that it is foretold to go on with */
	uint64_t step;		/* that it made last */
	uint32_t next;		/* the site that came after it; 0 = none yet */
};

/* What both sides know; zeroed to begin with. */
struct sites {
	struct site *site;	/* [0]: before the first reference */
	size_t count, room;
	uint32_t now;		/* of the reference before */
};

static void sites_begin(struct sites *sites)
{
	sites->count = sites->now = 0;
	sites->site = grow(sites->site, sites->count, &sites->room, sizeof(*sites->site));
	sites->site[sites->count++] = (struct site){ 0 };
}

static uint32_t sites_add(struct sites *sites, const struct burst_reference *reference)
{
	sites->site = grow(sites->site, sites->count, &sites->room, sizeof(*sites->site));
	sites->site[sites->count] = (struct site){
		.ip = reference->ip, .size = reference->size, .kind = reference->kind,
		.address = reference->address,
	};
	return sites->count++;
}

/* A reference of this site was made, at its next address. */
static void sites_step(struct sites *sites, uint32_t number, uint64_t address)
{
	struct site *site = &sites->site[number];
	uint64_t step = address - site->address;

	if (step == site->step)
		site->stride = step;
	site->step = step;
	site->address = address;
	sites->site[sites->now].next = number;
	sites->now = number;
}

static uint64_t zigzag(uint64_t difference)
{
	return difference << 1 ^ (uint64_t)((int64_t)difference >> 63);
}

static uint64_t unzigzag(uint64_t number)
{
	return number >> 1 ^ -(number & 1);
}

/* --- pack --- */

struct burst_packer {
	struct sites sites;
	struct map numbers;	/* hash of instruction, size and kind -> site */
	uint64_t run;
	uint8_t *bytes;
	size_t used, room;
};

struct burst_packer *burst_packer_new(void)
{
	struct burst_packer *packer = xcalloc(1, sizeof(*packer));

	sites_begin(&packer->sites);
	return packer;
}

void burst_packer_free(struct burst_packer *packer)
{
	map_free(&packer->numbers);
	free(packer->sites.site);
	free(packer->bytes);
	free(packer);
}

static void put(struct burst_packer *packer, uint64_t number)
{
	while (number >= 0x80) {
		packer->bytes[packer->used++] = number | 0x80;
		number >>= 7;
	}
	packer->bytes[packer->used++] = number;
}

static void put_token(struct burst_packer *packer, unsigned int what)
{
	if (packer->room - packer->used < TOKEN_BYTES) {
		packer->room = 2 * packer->room + 4096;
		packer->bytes = xrealloc(packer->bytes, packer->room);
	}
	put(packer, packer->run << WHAT_BITS | what);
	packer->run = 0;
}

static bool same_site(const struct site *site, const struct burst_reference *reference)
{
	return site->ip == reference->ip && site->size == reference->size &&
	       site->kind == reference->kind;
}

/* Where its site's number is kept; 0 there: it is new. */
static uint64_t *number_of(struct burst_packer *packer, const struct burst_reference *reference)
{
	uint64_t key = reference->ip ^ (uint64_t)reference->size << 50 ^
		       (uint64_t)reference->kind << 48;
	uint64_t *number;

	for (;; key += 0x9e3779b97f4a7c15ull) {
		number = map_at(&packer->numbers, key);
		if (!*number || same_site(&packer->sites.site[*number], reference))
			return number;
	}
}

static void add_new(struct burst_packer *packer, const struct burst_reference *reference,
		    uint64_t *number)
{
	const struct site *before = &packer->sites.site[packer->sites.now];

	put_token(packer, SITE);
	put(packer, 0);
	put(packer, zigzag(reference->ip - before->ip));
	put(packer, (uint64_t)reference->size << 2 | reference->kind);
	put(packer, zigzag(reference->address - before->address));
	*number = sites_add(&packer->sites, reference);
	packer->sites.site[packer->sites.now].next = *number;
	packer->sites.now = *number;
}

void burst_packer_add(struct burst_packer *packer, const struct burst_reference *reference)
{
	uint32_t number = packer->sites.site[packer->sites.now].next;
	struct site *site = &packer->sites.site[number];
	unsigned int what = 0;
	uint64_t *kept;

	if (!number || !same_site(site, reference)) {
		kept = number_of(packer, reference);
		if (!*kept) {
			add_new(packer, reference, kept);
			return;
		}
		number = *kept;
		site = &packer->sites.site[number];
		what = SITE;
	}
	if (reference->address != site->address + site->stride)
		what |= ADDRESS;
	if (what) {
		put_token(packer, what);
		if (what & SITE)
			put(packer, number);
		if (what & ADDRESS)
			put(packer, zigzag(reference->address - site->address));
	} else {
		packer->run++;
	}
	sites_step(&packer->sites, number, reference->address);
}

const uint8_t *burst_packer_end(struct burst_packer *packer, size_t *bytes)
{
	if (packer->run)
		put_token(packer, 0);
	*bytes = packer->used;
	packer->used = 0;
	map_clear(&packer->numbers);
	sites_begin(&packer->sites);
	return packer->bytes;
}

/* --- unpack --- */

struct unpacker {
	struct sites sites;
	const uint8_t *at, *end;
	uint64_t left;			/* references that may still be taken */
	struct burst_references *to;
};

static const char *get(struct unpacker *u, uint64_t *number)
{
	unsigned int shift = 0;

	for (*number = 0; u->at < u->end && shift < 64; shift += 7) {
		uint8_t byte = *u->at++;

		*number |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return NULL;
	}
	return "a number without an end";
}

static const char *take(struct unpacker *u, uint32_t number, uint64_t address)
{
	const struct site *site = &u->sites.site[number];
	struct burst_references *to = u->to;

	if (!u->left)
		return "more references than there may be";
	u->left--;
	to->all = grow(to->all, to->count, &to->room, sizeof(*to->all));
	to->all[to->count++] = (struct burst_reference){
		site->ip, address, site->size, site->kind,
	};
	return NULL;
}

/* As sites_step() does where all is as foretold. */
static const char *run(struct unpacker *u, uint64_t count)
{
	const char *wrong = NULL;

	while (count-- && !wrong) {
		uint32_t number = u->sites.site[u->sites.now].next;
		struct site *site = &u->sites.site[number];

		if (!number)
			return "a site that nothing foretells";
		site->step = site->stride;
		site->address += site->stride;
		u->sites.now = number;
		wrong = take(u, number, site->address);
	}
	return wrong;
}

static const char *new_site(struct unpacker *u)
{
	const struct site *before = &u->sites.site[u->sites.now];
	struct burst_reference reference;
	uint64_t ip, size, address;
	const char *wrong = get(u, &ip);
	uint32_t number;

	if (!wrong)
		wrong = get(u, &size);
	if (!wrong)
		wrong = get(u, &address);
	if (wrong)
		return wrong;
	if (size >> 2 > UINT32_MAX || !(size >> 2) || !(size & 3))
		return "a reference without size or kind";
	reference = (struct burst_reference){
		before->ip + unzigzag(ip), before->address + unzigzag(address), size >> 2, size & 3,
	};
	number = sites_add(&u->sites, &reference);
	u->sites.site[u->sites.now].next = number;
	u->sites.now = number;
	if (reference.size > u->to->largest)
		u->to->largest = reference.size;
	return take(u, number, reference.address);
}

static const char *known_site(struct unpacker *u, uint64_t number, bool has_address)
{
	const char *wrong;
	uint64_t address;

	if (!number || number >= u->sites.count)
		return "a site that is not there";
	address = u->sites.site[number].address + u->sites.site[number].stride;
	if (has_address) {
		wrong = get(u, &address);
		if (wrong)
			return wrong;
		address = u->sites.site[number].address + unzigzag(address);
	}
	wrong = take(u, number, address);
	sites_step(&u->sites, number, address);
	return wrong;
}

static const char *token(struct unpacker *u)
{
	uint64_t head, number;
	const char *wrong = get(u, &head);

	if (!wrong)
		wrong = run(u, head >> WHAT_BITS);
	if (wrong || !(head & (SITE | ADDRESS)))
		return wrong;
	number = u->sites.site[u->sites.now].next;
	if (head & SITE)
		wrong = get(u, &number);
	if (wrong)
		return wrong;
	if (number || !(head & SITE))
		return known_site(u, number, head & ADDRESS);
	return new_site(u);
}

const char *burst_unpack(const uint8_t *bytes, size_t size, uint64_t most,
			 struct burst_references *to)
{
	struct unpacker u = {
		.at = bytes, .end = size ? bytes + size : bytes, .left = most, .to = to,
	};
	const char *wrong = NULL;

	to->count = to->largest = 0;
	sites_begin(&u.sites);
	while (u.at < u.end && !wrong)
		wrong = token(&u);
	free(u.sites.site);
	return wrong;
}
