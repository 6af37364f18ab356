/* SPDX-License-Identifier: GPL-2.0-only */
/* What the text says of a context or of a nest: the same for the short report and for all of it. */
#ifndef CCSAMPLE_REPORT_ENTRY_H
#define CCSAMPLE_REPORT_ENTRY_H

#include "findings/findings.h"
#include "report/rows.h"

#define ENTRY_LEVELS 8		/* most levels that are described together */

struct entry {
	const struct context *context;
	uint32_t level;
	bool nest;			/* with the loops in it */
	double share;			/* of the level's misses */
	struct interval share_interval;	/* high 0 = not known */
	const struct rcd_summary *summary;
	const struct object_share *objects;	/* largest first */
	size_t object_count;
	const struct pair_share *pairs;	/* the same; of a nest there are none */
	size_t pair_count;
	double between;			/* share of all pairs of two objects or blocks */
};

/* A context without the loops in it. */
struct entry entry_of(const struct context *context, const struct level_findings *level);

/* With the loops in it; what it embeds lives as long as @nest. */
struct entry entry_of_nest(const struct context *context, const struct nest_findings *nest);

/* ", 35% of them conflicts": appended; with the gross share where it differs. */
void entry_conflicts(char **text, const struct rcd_summary *summary);

/*
 * One loop's entries at several levels, inner ones first, are described together: what follows
 * takes them as an array.
 */

/* That of the worst: a conflict at any level is one. */
const struct entry *entries_worst(const struct entry *entries, size_t count);

/* What it is, without the verdict: "a.c:19-23 in f: 98% of the L1 misses, 75% of them conflicts
 * (73 to 78%); 12% of the L2 misses, on few sets at a time". To be freed.
 */
char *entries_sentence(const struct entry *entries, size_t count);

/* For qsort(): small ones last, then those first of which most could be saved: report_stake(). */
int entry_compare(const void *a, const void *b);

/* How many of its objects, from the first on, have a share like the largest one's. */
size_t entry_alike(const struct entry *entry);

/* Do an instruction's misses on an object step from one of its blocks to another? */
bool steps_over_blocks(const struct object_share *share);

/* report_is_small() */
bool entry_is_small(const struct entry *entry);

/*
 * Its largest objects with their shares and strides at the first level, and what others matter at
 * further ones; NULL = none. To be freed.
 */
char *entries_data(const struct entry *entries, size_t count);

/**
 * entries_of() - what of a level is in conflict or concentrated on few sets: those of which most
 * could be saved (report_stake()) first, small ones last.
 * @rows: of the level
 *
 * A nest is among them where only its loops together are in conflict: each by itself has too few
 * samples for a verdict.
 *
 * Return: an array to be freed.
 */
struct entry *entries_of(const struct findings *findings, uint32_t level, const struct row *rows,
			 size_t row_count, size_t *count);

/* How many of them are described, at most @most. @fold: no small ones */
size_t entries_shown(const struct entry *entries, size_t count, size_t most, bool fold);

#endif /* CCSAMPLE_REPORT_ENTRY_H */
