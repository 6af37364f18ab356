// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "advise/chains.h"
#include "base/memory.h"
#include "loops/code.h"
#include "loops/waits.h"
#include "program/image.h"
#include "program/symbols.h"

#define SPAN_MOST	4096u		/* bytes of code looked at as one loop */
#define GAP_MOST	512u		/* bytes between two sites of a loop */

/* Sites of a loop, by address. */
struct group {
	uint32_t site[WAITS_MOST];
	uint64_t waits[WAITS_MOST];	/* for the loads of these, a bit each */
	uint64_t chained[WAITS_MOST];	/* the same over others */
	size_t count;
};

struct site_place {
	struct module *module;
	uint64_t address;
	uint32_t site;
};

struct chains {
	struct group *groups;
	size_t count, capacity;
	uint32_t *group;		/* of sites: number + 1, 0 = not known */
	uint8_t *member;		/* of sites: their bit in it */
	size_t sites;
};

/* --- groups --- */

static int by_place(const void *a, const void *b)
{
	const struct site_place *x = a, *y = b;

	if (x->module != y->module)
		return x->module < y->module ? -1 : 1;
	return (x->address > y->address) - (x->address < y->address);
}

static size_t group_end(const struct site_place *places, size_t from, size_t count)
{
	size_t end = from + 1;

	while (end < count && end - from < WAITS_MOST &&
	       places[end].module == places[from].module &&
	       places[end].address - places[end - 1].address <= GAP_MOST &&
	       places[end].address - places[from].address <= SPAN_MOST)
		end++;
	return end;
}

static struct group *add_group(struct chains *chains, const struct site_place *places, size_t count)
{
	struct group *group;

	chains->groups = grow(chains->groups, chains->count, &chains->capacity,
			      sizeof(*chains->groups));
	group = &chains->groups[chains->count++];
	memset(group, 0, sizeof(*group));
	for (size_t i = 0; i < count; i++) {
		group->site[group->count++] = places[i].site;
		chains->group[places[i].site] = chains->count;
		chains->member[places[i].site] = i;
	}
	return group;
}

/* From the first site to the last. */
static void walk_group(const struct image *image, const struct decoder *decoder,
		       const struct site_place *places, struct group *group)
{
	uint32_t offsets[WAITS_MOST];
	const uint8_t *bytes;
	size_t left;

	for (size_t i = 0; i < group->count; i++)
		offsets[i] = places[i].address - places[0].address;
	bytes = image_at(image, places[0].address, true, &left);
	if (bytes)
		waits_find(decoder, bytes, left, offsets, group->count, group->waits);
	memcpy(group->chained, group->waits, sizeof(group->waits));
	waits_close(group->chained, group->count);
}

static void read_module(struct chains *chains, const struct decoder *decoder,
			const struct site_place *places, size_t count)
{
	const struct elf_file *file = places->module ? module_file(places->module) : NULL;
	struct image image = { .file = NULL };
	size_t end;

	if (!file || !image_open(&image, file))
		return;
	for (size_t i = 0; i < count; i = end) {
		end = group_end(places, i, count);
		walk_group(&image, decoder, places + i, add_group(chains, places + i, end - i));
	}
	image_close(&image);
}

struct chains *chains_new(const struct keep *keep)
{
	struct chains *chains = xcalloc(1, sizeof(*chains));
	struct decoder *decoder = decoder_new();
	struct site_place *places = xcalloc(keep->site_count + 1, sizeof(*places));
	size_t end;

	chains->sites = keep->site_count;
	chains->group = xcalloc(chains->sites + 1, sizeof(*chains->group));
	chains->member = xcalloc(chains->sites + 1, sizeof(*chains->member));
	for (uint32_t i = 0; i < chains->sites; i++)
		places[i] = (struct site_place){
			keep->site[i].code.module, keep->site[i].code.address, i };
	qsort(places, chains->sites, sizeof(*places), by_place);
	for (size_t i = 0; i < chains->sites; i = end) {
		for (end = i + 1; end < chains->sites && places[end].module == places[i].module; )
			end++;
		read_module(chains, decoder, places + i, end - i);
	}
	free(places);
	decoder_free(decoder);
	return chains;
}

void chains_free(struct chains *chains)
{
	if (!chains)
		return;
	free(chains->groups);
	free(chains->group);
	free(chains->member);
	free(chains);
}

/* --- what was found --- */

bool chains_waits(const struct chains *chains, uint32_t site, uint32_t load)
{
	uint32_t group = chains->group[site];

	return group && chains->group[load] == group &&
	       chains->groups[group - 1].waits[chains->member[site]] >> chains->member[load] & 1;
}

bool chains_chained(const struct chains *chains, uint32_t site)
{
	uint32_t group = chains->group[site];
	uint8_t member = chains->member[site];

	return group && chains->groups[group - 1].chained[member] >> member & 1;
}
