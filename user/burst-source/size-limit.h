/* SPDX-License-Identifier: GPL-2.0-only */
/* How the largest size of a recording makes bursts rarer: it is approached, and no burst is cut. */
#ifndef CCSAMPLE_BURST_SOURCE_SIZE_LIMIT_H
#define CCSAMPLE_BURST_SOURCE_SIZE_LIMIT_H

#include <stdint.h>

struct size_limit {
	uint64_t most;			/* bytes */
	uint64_t bursts;
	double bytes;			/* of a burst, lately */
	double dense;			/* bytes of a reference, lately */
};

/* A burst of @references, none or more, has @bytes in the recording. */
void size_limit_add(struct size_limit *limit, uint64_t references, uint64_t bytes);

/* By what the rate of bursts is to be multiplied at a size: 1 to half of the largest, then less. */
double size_limit_rate(const struct size_limit *limit, uint64_t size);

/* Bytes that a long burst may have: half of what is left, or none if so many are likely more. */
uint64_t size_limit_long(const struct size_limit *limit, uint64_t size, double references);

#endif /* CCSAMPLE_BURST_SOURCE_SIZE_LIMIT_H */
