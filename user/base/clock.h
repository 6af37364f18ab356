/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CCSAMPLE_BASE_CLOCK_H
#define CCSAMPLE_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

#define SECOND_NS	1000000000ull

/* Nanoseconds that a clock shows. */
static inline uint64_t clock_ns(clockid_t clock)
{
	struct timespec time = { 0 };

	clock_gettime(clock, &time);
	return time.tv_sec * SECOND_NS + time.tv_nsec;
}

/* Nanoseconds of CLOCK_MONOTONIC. */
static inline uint64_t now_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

/* Seconds of CLOCK_MONOTONIC. */
static inline double now_seconds(void)
{
	return now_ns() * 1e-9;
}

#endif /* CCSAMPLE_BASE_CLOCK_H */
