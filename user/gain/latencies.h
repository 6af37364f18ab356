/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How many cycles results take on this processor, of instructions of which processors differ: an
 * addition of floats takes 2 to 4. Measured by chains of them, beside multiplications of integers,
 * which take 3 cycles on all of Intel's and AMD's cores since 2011 but Bulldozer's (4).
 */
#ifndef CCSAMPLE_GAIN_LATENCIES_H
#define CCSAMPLE_GAIN_LATENCIES_H

#include <stdint.h>

enum latency_class {
	LATENCY_TYPICAL,		/* processors hardly differ */
	LATENCY_ADD,			/* floats: sums and differences */
	LATENCY_MULTIPLY,		/* ... products */
	LATENCY_FUSED,			/* ... products added */
	LATENCY_MOST,			/* ... the larger or smaller one */
	LATENCY_SIGNED,			/* moves by the flags of a signed comparison */
	LATENCY_FORWARD,		/* from a store to a load of the same place */
	LATENCY_FORWARD_VECTOR,		/* ... by vector registers */
	LATENCY_CLASSES
};

struct latencies {
	uint8_t cycles[LATENCY_CLASSES];	/* 0 = by instruction (loops/latency.h) */
};

/* Of no processor. */
extern const struct latencies latencies_typical;

/* Takes some milliseconds. */
void latencies_measure(struct latencies *latencies);

/* Whole cycles, 1 to 20, of a chain's instruction, of which @unit takes 3. In ns; pure. */
uint8_t latency_cycles(double chain, double unit);

#endif /* CCSAMPLE_GAIN_LATENCIES_H */
