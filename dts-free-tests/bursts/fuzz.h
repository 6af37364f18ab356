/* SPDX-License-Identifier: GPL-2.0-only */
/* The parts of the fuzzer: sequences, what they refer to, and what these draw on. */
#ifndef CCSAMPLE_TEST_FUZZ_H
#define CCSAMPLE_TEST_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

#include "bursts/log.h"

#define DATA		8192u
#define SEQUENCE	512u		/* bytes, at most */

uint64_t random64(void);
uint32_t below(uint32_t limit);

struct sequence {
	uint64_t begin, end;		/* where it runs; @end: its last instruction */
	uint16_t bases, indices;	/* registers that addresses are made of, by number */
	uint32_t vectors;		/* ... as indices of gathers and scatters */
	bool refused;			/* has an instruction that ends a burst */
};

/* Once, before the first of: it draws. */
void sequence_init(void);

/* Writes a sequence that will run at @address, for @data. Return: its size, without an end. */
size_t sequence(uint8_t *out, uint64_t address, uint64_t data, struct sequence *sequence);

/* Of the register with that number in encodings. */
greg_t *numbered(greg_t *registers, unsigned int number);

struct state;

/**
 * walk() - instruction by instruction, without traps: behind each, the code goes to chain_save.
 * @stop: where it ends, or faults
 *
 * step() is called before each. Return: false if it is not to be had so.
 */
bool walk(const struct state *begin, uint64_t stop);

/* @part: below 8. Return: false where the processor has no such state */
bool xsave_part(unsigned int part, unsigned int *offset, unsigned int *size);

#endif /* CCSAMPLE_TEST_FUZZ_H */
