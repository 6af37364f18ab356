// SPDX-License-Identifier: GPL-2.0-only
#include "report/turned.h"
#include "findings/contexts.h"
#include "findings/pass.h"

#define LOST	0.5	/* of what is won, at most: else nothing is gained */
#define HARDLY	0.1	/* of it: surely something is. A vector of 8 is one reference */
#define SELDOM	0.5	/* of the runs of others */
#define FITS	0.5	/* of the cache: what may be walked in any order */
#define CODE_MOST (1u << 16)	/* bytes from a loop's header to its instructions */

/* References to what does not fit into the cache, by what an interchange makes of their steps. */
struct turns {
	double won;			/* across rows now, along them then */
	double lost;			/* the reverse */
	double open;			/* along rows now; then it is not known */
};

static const struct object *object_of(const struct findings *findings, uint32_t id)
{
	for (size_t i = 0; i < findings->object_count; i++)
		if (findings->objects[i].object->id == id)
			return findings->objects[i].object;
	return NULL;
}

/* What never missed is no object of the findings. Frames are small. */
static bool fits(const struct keep *keep, const struct object *object)
{
	const struct cache_geometry *l1 = &keep->geometry;

	if (!object || !object->bytes)
		return !object || object->kind == OBJECT_STACK;
	return object->bytes <= FITS * l1->sets * l1->ways * l1->line;
}

/* Code that is read for this only: what never missed has no context yet. */
static bool is_of(const struct keep_site *site, const struct findings *findings,
		  const struct context *context)
{
	const struct code_region *region = &context->region;
	const struct pass *pass = findings->owner;
	size_t number;

	if (site->context)
		return site->context == context->number + 1;
	if (!site->code.module || site->code.module != region->module ||
	    site->code.address + CODE_MOST < region->address ||
	    site->code.address > region->address + CODE_MOST)
		return false;
	number = contexts_site_of(pass->contexts, &site->code);
	return contexts_site(pass->contexts, number)->context == context->number;
}

static double references_of(const struct stride_site *site)
{
	return site->along[0] + site->across[0];
}

static double runs_of(const struct stride_site *site)
{
	return site->along[1] + site->across[1];
}

/*
 * @most: goes across rows: its runs are the inner loop's. What goes along rows that follow one
 * another, with no bytes between them, goes on from run to run, and is a row farther in each.
 */
static void add_site(struct turns *turns, const struct stride_site *site,
		     const struct stride_site *most, bool same)
{
	double references = references_of(site), runs = runs_of(site);
	bool goes_on = runs * references_of(most) < SELDOM * runs_of(most) * references;

	if (site->across[0] > site->along[0])
		turns->won += !runs || site->along[1] >= site->across[1] ? references : 0;
	else if (goes_on || (runs ? site->across[1] > site->along[1] : same))
		turns->lost += references;
	else if (!runs)
		turns->open += references;
}

/* A site of the loop that refers to what does not fit. */
static bool counts(const struct keep *keep, const struct findings *findings,
		   const struct context *context, size_t number, struct stride_site *site)
{
	*site = strides_site(keep->strides, number);
	return site->object && !fits(keep, object_of(findings, site->object)) &&
	       is_of(&keep->site[number], findings, context);
}

enum turned turned_of(const struct keep *keep, const struct findings *findings,
		      const struct context *context, const struct object *object)
{
	struct stride_site site, most = { .object = 0 };
	size_t count = keep ? keep->site_count : 0;
	struct turns turns = { .won = 0 };

	for (size_t i = 0; i < count; i++)
		if (counts(keep, findings, context, i, &site) && site.across[0] > site.along[0] &&
		    references_of(&site) > references_of(&most))
			most = site;
	for (size_t i = 0; i < count; i++)
		if (counts(keep, findings, context, i, &site))
			add_site(&turns, &site, &most, site.object == object->id);
	if (turns.lost > LOST * turns.won)
		return TURNED_SAME;
	return turns.won && turns.lost + turns.open <= HARDLY * turns.won ? TURNED_BETTER :
									    TURNED_UNKNOWN;
}
