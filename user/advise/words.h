/* SPDX-License-Identifier: GPL-2.0-only */
/* Advice in words. All text is allocated, and not cleaned. */
#ifndef CCSAMPLE_ADVISE_WORDS_H
#define CCSAMPLE_ADVISE_WORDS_H

#include "advise/views.h"

/* "expected misses 268 -> 67 of 1,000 references (-75%, 74 to 76)": one effect of a cure. */
char *effect_text(const struct cure_effect *effect);

/* Is there something to say of L2? "313", "292 to 334": its misses before, or after. */
bool effect_has_outer(const struct cure_effect *effect);
char *effect_outer_text(const struct cure_effect *effect, bool after);

/* "stencil.c:40-44 in main: 268 -> 67 misses of 1,000 references ...": of a loop. */
char *loop_effect_text(const struct cure_effect *effect);

/* "Cure 2, instead of 1: no time gained, the misses are hidden". @number: of the list, from 0 */
char *cure_name(const struct cures *advice, size_t number);

/* "268 misses of 1,000 references, 77% of them conflicts" */
char *cures_now_text(const struct cures *advice);

/*
 * "96 entries, fully associative, 4 KiB pages: 2.1 misses of 1,000 references, 0% of them
 * conflicts". NULL where the TLB was not looked at.
 */
char *cures_tlb_text(const struct cures *advice, const struct keep *keep);

/* That a cure puts data on more pages than the TLB has entries for; NULL = it does not. */
char *cure_tlb_text(const struct cure *cure);

/* Is it only not known whether a layout helps? @level: of the cache, 0 = of all */
bool no_cure_open(const struct no_cure *none, uint32_t level);

/* Why nothing is advised: no_cure_why() without the loop and its misses. */
char *no_cure_why(const struct no_cure *none, uint32_t level);
char *no_cure_text(const struct no_cure *none);		/* of a loop */
const char *cures_nothing(const struct cures *advice);	/* of all code; NULL = something is */

/* Why time is not known. */
const char *cures_untimed(const struct cure_view *view);

/* Is nothing known of what layouts do in L2, and nothing said of it: CURES_NO_OUTER? */
bool cures_hide_outer(const struct cures *advice);

/* That many of the misses are in heap blocks that have no names; NULL = they are not. */
char *cures_heap_text(const struct findings *findings);

#define CURES_NO_OUTER \
	"what a layout does there is not known, these bursts see too little of it: ccsample sim " \
	"of the edited program shows it"
#define CURE_AT_RUN_TIME \
	"without recompiling: ccsample advise -o PLAN, then ccsample cure --verify 7 --plan PLAN " \
	"-- program"

/*
 * "74% less expected (69 to 79), by running ...". Return: to be freed; NULL where it is not known.
 */
char *time_text(const struct time_share *time);

/*
 * The same of a cure; where nothing was timed, how likely fewer misses are less time
 * (docs/explanation/advice.md). NULL where that is not known either. No gain seen is "not known"
 * where it saves misses of L2 alone, and the bursts leave open how many.
 */
char *cure_time_text(const struct cure *cure);

#endif /* CCSAMPLE_ADVISE_WORDS_H */
