/* SPDX-License-Identifier: GPL-2.0-only */
/* What a burst's times say: how fast its program was, and what the burst took of it. */
#ifndef CCSAMPLE_BURSTS_BURST_TIMES_H
#define CCSAMPLE_BURSTS_BURST_TIMES_H

#include <stdbool.h>
#include <stdint.h>

#include "bursts/log.h"
#include "format/format.h"

/*
 * TSC ticks in a nanosecond, better the longer it is since @tsc and @ns (CLOCK_MONOTONIC) were read
 * at once; @so_far within the first millisecond.
 */
double burst_times_ticks(uint64_t tsc, uint64_t ns, double so_far);

/*
 * How many instructions a burst's timed part had: of @instructions in the log behind it, it would
 * have counted @counted. Where that is of few, what it counted. The processor's counter has all.
 */
uint64_t burst_times_instructions(const struct burst *burst, uint64_t instructions,
				  uint64_t counted);

/*
 * Sets .timed_ns, .timed_instructions and .missing_ns of @to. Where most of a timed part went to
 * new code, and where one was given up, it has no instructions. @ticks_ns: TSC ticks in one
 */
void burst_times_take(const struct burst *from, double ticks_ns, struct ccs_burst *to);

/*
 * Where nearly all of @references, of a log of so many words, are string instructions': these ran
 * as by themselves, so the log is its own timed part. (A word of other code has four at most.)
 */
void burst_times_strings(const struct burst *from, uint64_t references, struct ccs_burst *to);

/*
 * Its writer may say anything: .time and .end are made no later than @now, TSC. What is of the
 * future would wait, in memory, for the end, and its misses be dated there.
 */
void burst_times_hold(struct ccs_burst *burst, uint64_t now);

/*
 * What the program would have taken by itself for the logged part of a burst, or of a long one's
 * part. @timed: the burst's times; where these say nothing, 0. @instructions: in the log.
 * @ticks_ns: TSC ticks in one
 */
uint64_t burst_times_native(const struct burst *from, const struct ccs_burst *timed,
			    uint64_t instructions, double ticks_ns);

/*
 * What a burst took of the program's time: not what the program would have taken by itself, nor its
 * timed part, in which the program goes on nearly so. Nor is it the burst that takes long where
 * little is logged, but what is run: a memset().
 */
uint64_t burst_times_traced(const struct burst *from, const struct ccs_burst *burst,
			    uint64_t instructions, double ticks_ns);

/* By an image's first burst: may others' first ones be timed, too? New code is slow, and costs. */
bool burst_times_first(const struct burst *burst);

#endif /* CCSAMPLE_BURSTS_BURST_TIMES_H */
