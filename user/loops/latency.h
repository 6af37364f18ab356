/* SPDX-License-Identifier: GPL-2.0-only */
/* How long instructions take from what they read to their result. Pure. */
#ifndef CCSAMPLE_LOOPS_LATENCY_H
#define CCSAMPLE_LOOPS_LATENCY_H

#include <stdint.h>

#include "gain/latencies.h"

/* Cycles. */
struct latency {
	uint8_t cycles;		/* from the last operand to the result */
	uint8_t divides;	/* that the divider takes no other; 0 = not used */
	enum latency_class class;
};

/* @name: mnemonic, in small letters. Loads are not counted. */
struct latency latency_of(const char *name);

#endif /* CCSAMPLE_LOOPS_LATENCY_H */
