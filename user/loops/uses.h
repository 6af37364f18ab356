/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Machine code, an instruction at a time: which registers its memory and results come from, and how
 * long the results take.
 */
#ifndef CCSAMPLE_LOOPS_USES_H
#define CCSAMPLE_LOOPS_USES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gain/latencies.h"

struct decoder;

/* General ones by their number in the encoding, then vectors, then the flags as one. */
#define USES_FLAGS	48
#define USES_REGISTERS	49
#define USES_VECTORS	(0xffffffffull << 16)

/* Registers, a bit each. */
struct register_uses {
	uint8_t size;		/* bytes, 1 to 15 */
	bool loads;		/* reads memory other than the stack by push, pop, call, ret */
	bool stores;		/* the same, written */
	bool computes;		/* on vectors, more than to move them */
	bool repeats;		/* may refer to memory more than once: strings, gathers */
	uint8_t cycles;		/* from what it reads to its result, without its loads; typical */
	enum latency_class class;	/* of @cycles */
	uint8_t divides;	/* cycles that the divider takes no other; 0 = not used */
	uint64_t address;	/* of its memory operands */
	uint64_t read;		/* for its result */
	uint64_t written;
};

/* Decodes one instruction. Return: false where it is none. */
bool decoder_uses(const struct decoder *decoder, const uint8_t *bytes, size_t left,
		  struct register_uses *uses);

#endif /* CCSAMPLE_LOOPS_USES_H */
