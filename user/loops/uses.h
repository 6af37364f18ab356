/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Machine code, an instruction at a time: which general registers its memory and results come from.
 */
#ifndef CCSAMPLE_LOOPS_USES_H
#define CCSAMPLE_LOOPS_USES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct decoder;

/* Registers by their number in the encoding, a bit each; flags and vectors are left out. */
struct register_uses {
	uint8_t size;		/* bytes, 1 to 15 */
	bool loads;		/* reads memory other than the stack by push, pop, call, ret */
	uint16_t address;	/* of its memory operands */
	uint16_t read;		/* for its result */
	uint16_t written;
};

/* Decodes one instruction. Return: false where it is none. */
bool decoder_uses(const struct decoder *decoder, const uint8_t *bytes, size_t left,
		  struct register_uses *uses);

#endif /* CCSAMPLE_LOOPS_USES_H */
