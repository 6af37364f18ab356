/* SPDX-License-Identifier: GPL-2.0-only */
/* Words that the parts of the text report share. */
#ifndef CCSAMPLE_REPORT_WORDS_H
#define CCSAMPLE_REPORT_WORDS_H

#include "findings/findings.h"
#include "output/table.h"

#define PLACE_COLUMNS	28	/* of a file and its lines: names of functions are cut first */

/*
 * How much of a level's misses could be saved at most: what is known to be conflicts, else all.
 * @share: of the level's misses
 */
double report_stake(const struct rcd_summary *summary, double share);

/*
 * Is it in conflict or concentrated, and too little to matter? It is counted then, and nothing is
 * said of it alone, but by tables.
 */
bool report_is_small(const struct rcd_summary *summary, double share);

/* Of its verdict. */
enum tint report_tint(const struct rcd_summary *summary, double share);

/* Is a share of the misses so little known that its interval is shown? */
bool report_is_wide(const struct interval *share);

/* "94%", or "94% 73-98" of one that is little known. */
char *report_share(const struct level_findings *level);

/* Are there so many more conflicts than hits saved leave of them that both are shown? */
bool report_gross(const struct rcd_summary *summary);

/*
 * "77% 75-78": the share of conflict misses with its interval; "-" = unknown. Of exact classes it
 * is net of hits saved: "35% (98)" where the share of all conflicts differs.
 */
char *report_conflict_share(const struct rcd_summary *summary);

/* What that means. @net, @gross, @counted: any of them is, has brackets, has no interval */
char *report_share_legend(bool net, bool gross, bool counted);

/*
 * "77% (73 to 80%)", "77%" where that is exact: how many of all misses of a level are conflicts.
 * Allocated; NULL = unknown.
 */
char *report_program_conflicts(const struct findings *findings, uint32_t level);

/* "32 KiB, 8 ways, 64 sets", of several slices " in each of 4 slices" behind it. */
void report_append_cache(char **text, const struct cache_level *cache);

/* findings_ratio_doubt() in words: "the 6 bursts differ". Allocated; NULL = RATIO_SURE */
char *report_ratio_vague(const struct findings *findings, uint32_t level);

/**
 * report_append_ratio() - misses of 1,000 references, by bursts of them.
 * @words: what stands between the ratio and its interval
 * @more: what follows the interval, in its brackets
 *
 * "1.51 miss (1.2 to 1.9 by the spread)", "1.51 miss (0 to 25: the 6 bursts differ)"; where
 * findings_miss_ratio() is unknown "unknown in L2: there is only 1 long burst".
 */
void report_append_ratio(char **text, const struct findings *findings, uint32_t level,
			 const char *words, const char *more);

#endif /* CCSAMPLE_REPORT_WORDS_H */
