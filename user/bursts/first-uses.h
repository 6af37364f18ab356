/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How many first uses of a line in a burst are misses, where its set had fewer lines of the burst
 * than ways. How many lines of the set were used since the line's use before is known of other
 * references (their reuse distance in the set), and of these to be at least as many as the set had:
 * censored observations. By both the estimator of Kaplan and Meier (JASA 53, 1958) says how many
 * distances are as large as the set has ways. Pure.
 */
#ifndef CCSAMPLE_BURSTS_FIRST_USES_H
#define CCSAMPLE_BURSTS_FIRST_USES_H

#include <stdint.h>

/**
 * first_uses_missing() - the part of such first uses that are misses, 0 to 1; 0 if there are none.
 * @hits: by reuse distance, from 1 on; @hits[0] is not read
 * @firsts: these first uses, by lines of the burst that the set had
 * @ways: of a set, so many are in both
 * @references: all of them, these and misses among them
 * @misses: certain ones
 */
double first_uses_missing(const uint64_t *hits, const uint64_t *firsts, uint32_t ways,
			  uint64_t references, uint64_t misses);

/* As many misses, of first uses that miss as often as other references do. */
uint64_t first_uses_as_others(uint64_t firsts, uint64_t references, uint64_t misses);

#endif /* CCSAMPLE_BURSTS_FIRST_USES_H */
