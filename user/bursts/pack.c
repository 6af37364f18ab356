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
#include <endian.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

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

/* A reference of this site was made. */
static void sites_follow(struct sites *sites, uint32_t number)
{
	sites->site[sites->now].next = number;
	sites->now = number;
}

/* ... so far from its last address. */
static inline void site_step(struct site *site, uint64_t step)
{
	site->stride = step == site->step ? step : site->stride;
	site->step = step;
	site->address += step;
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

static inline uint8_t *put(uint8_t *at, uint64_t number)
{
	for (; number >= 0x80; number >>= 7)
		*at++ = number | 0x80;
	*at = number;
	return at + 1;
}

/* Return: where what belongs to the token goes. */
static uint8_t *put_token(struct burst_packer *packer, unsigned int what)
{
	uint64_t run = packer->run;

	if (packer->room - packer->used < TOKEN_BYTES) {
		packer->room = 2 * packer->room + 4096;
		packer->bytes = xrealloc(packer->bytes, packer->room);
	}
	packer->run = 0;
	return put(packer->bytes + packer->used, run << WHAT_BITS | what);
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

static uint32_t add_new(struct burst_packer *packer, const struct burst_reference *reference)
{
	const struct site *before = &packer->sites.site[packer->sites.now];
	uint8_t *at = put(put_token(packer, SITE), 0);
	uint32_t number;

	at = put(at, zigzag(reference->ip - before->ip));
	at = put(at, (uint64_t)reference->size << 2 | reference->kind);
	at = put(at, zigzag(reference->address - before->address));
	packer->used = at - packer->bytes;
	number = sites_add(&packer->sites, reference);
	sites_follow(&packer->sites, number);
	return number;
}

/* Notes its site. Return: whether that was new: then the reference is packed. */
static bool note_site(struct burst_packer *packer, const struct burst_logged *logged)
{
	const struct burst_reference *reference = &logged->reference;
	uint32_t next = packer->sites.site[packer->sites.now].next;
	uint64_t *number;
	bool new;

	if (same_site(&packer->sites.site[next], reference)) {
		*logged->note = next;
		return false;
	}
	number = number_of(packer, reference);
	new = !*number;
	if (new)
		*number = add_new(packer, reference);
	*logged->note = *number;
	return new;
}

static void add_token(struct burst_packer *packer, bool other_site, bool other_address,
		      uint32_t number, uint64_t step)
{
	uint8_t *at = put_token(packer, other_site * SITE | other_address * ADDRESS);

	if (other_site)
		at = put(at, number);
	if (other_address)
		at = put(at, zigzag(step));
	packer->used = at - packer->bytes;
}

/* As long as they are of the sites that are noted. Return: the first that is not, or @end. */
static const struct burst_logged *add_noted(struct burst_packer *packer,
					    const struct burst_logged *at,
					    const struct burst_logged *end)
{
	struct site *const all = packer->sites.site, *before = &all[packer->sites.now];
	const size_t count = packer->sites.count;
	uint64_t run = packer->run;

	for (; at < end; at++) {
		uint32_t number = *at->note;
		struct site *site = &all[number];
		uint64_t step;

		/* What was noted may be of another burst. */
		if (number >= count || !same_site(site, &at->reference))
			break;
		step = at->reference.address - site->address;
		if (before->next == number && step == site->stride) {
			run++;
		} else {
			packer->run = run;
			run = 0;
			add_token(packer, before->next != number, step != site->stride, number,
				  step);
			before->next = number;
		}
		site_step(site, step);
		before = site;
	}
	packer->sites.now = before - all;
	packer->run = run;
	return at;
}

void burst_packer_add_all(struct burst_packer *packer, const struct burst_logged *all, size_t count)
{
	const struct burst_logged *end = all + count;

	while ((all = add_noted(packer, all, end)) < end)
		all += note_site(packer, all);
}

void burst_packer_add(struct burst_packer *packer, const struct burst_reference *reference)
{
	uint32_t note = 0;

	burst_packer_add_all(packer, &(struct burst_logged){ *reference, &note }, 1);
}

const uint8_t *burst_packer_end(struct burst_packer *packer, size_t *bytes)
{
	if (packer->run)
		packer->used = put_token(packer, 0) - packer->bytes;
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

/* As site_step() does where all is as foretold. */
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
	sites_follow(&u->sites, number);
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
	site_step(&u->sites.site[number], address - u->sites.site[number].address);
	sites_follow(&u->sites, number);
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
