/* SPDX-License-Identifier: GPL-2.0-only */
/* The parts of the fuzzer: sequences, steps, and what both draw on. */
#ifndef CCSAMPLE_TEST_FUZZ_H
#define CCSAMPLE_TEST_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

#include "bursts/log.h"

#define DATA		8192u
#define SEQUENCE	512u		/* bytes, at most */

extern uint8_t *data;			/* DATA bytes between pages that cannot be accessed */

uint64_t random64(void);
uint32_t below(uint32_t limit);

/* Writes a sequence that will run at @address. Return: its size. */
size_t sequence(uint8_t *out, uint64_t address);

/* Steps begin; references go to @out. */
void step_begin(struct burst_reference *out, size_t room, size_t *count);
/* The processor stands before an instruction, the one before it having run. */
void step(const ucontext_t *context);

/* @part: below 8. Return: false where the processor has no such state */
bool xsave_part(unsigned int part, unsigned int *offset, unsigned int *size);
size_t xsave_size(void);

#endif /* CCSAMPLE_TEST_FUZZ_H */
