/* SPDX-License-Identifier: GPL-2.0-only */
/* What the views of a comparison say in words; all that is returned is to be freed. */
#ifndef CCSAMPLE_DIFF_WORDS_H
#define CCSAMPLE_DIFF_WORDS_H

#include "diff/views.h"

/* "-98.2%", "x 3.4", or "-" where there was nothing. */
char *diff_ratio_text(double before, double after);

/* The misses of all code of a side; "unknown". */
char *diff_total_text(const struct comparison *comparison, double misses);

/* "77% (73 to 80%) of them before, 0.1% after": conflicts of all code. NULL = neither is known. */
char *diff_conflicts_text(const struct comparison *comparison, const struct diff_view *view);

/* What the totals of bursts may be, and why where that is anything; NULL = they were counted. */
char *diff_interval_text(const struct comparison *comparison, const struct diff_view *view);

/* Levels at which the recordings are of different caches; NULL = none. */
char *diff_caches_text(const struct diff_view *view);

/* That both are of different programs, it seems; NULL = they are not. */
char *diff_unlike_text(const struct diff_view *view);

char *diff_misses_text(const struct comparison *comparison, const struct level_findings *level,
		       double misses);

/* Does it say more than the conflicts, which are counted of exact classes? */
bool diff_shows_cf(const struct comparison *comparison);

/*
 * "0.88 -> 0.02", "77% -> 0%" ("77% 62-91 -> 0% 0-2" if one of these is wide), "conflict -> none",
 * "none" on both sides; DIFF_FEW where change_is_few()
 */
char *diff_cf_text(const struct change *change);
char *diff_conflict_text(const struct change *change);
char *diff_verdict_text(const struct change *change);

/* In a conflict that matters. @level: NULL = not there */
bool diff_in_conflict(const struct level_findings *level);

/* Where the code is, or was and is. */
char *diff_place(const struct change *change);

/* What of the machine was set otherwise; NULL = nothing that the recordings tell. */
char *diff_lab_text(const struct diff_view *view);

#define DIFF_FEW "few"
#define DIFF_FEW_LEGEND \
	"next to no misses are left beside those of the other side: what share of them are " \
	"conflicts says nothing"

#define DIFF_ONLY_TIME \
	"the time has changed and the misses have not: sets are not the cause. Loads that wait " \
	"for a store to the same place in another page (4K aliasing) are one such cause: " \
	"ccsample sim --alias counts them"

/* Times before and after; NULL = unknown. @only: set where only these changed, not the misses */
char *diff_time_text(const struct diff_view *view, bool *only);

#endif /* CCSAMPLE_DIFF_WORDS_H */
