/* SPDX-License-Identifier: GPL-2.0-only */
/* What instructions refer to, by the registers before each: told apart from the tracer. */
#ifndef CCSAMPLE_TEST_STEP_H
#define CCSAMPLE_TEST_STEP_H

#include <stdbool.h>
#include <ucontext.h>
#include <Zydis/Zydis.h>

#include "bursts/log.h"

/* Instructions begin; references go to @out. */
void step_begin(struct burst_reference *out, size_t room, size_t *count);

/* The processor stands before an instruction, the one before it having run. Return: is it one? */
bool step(const greg_t *registers, const uint8_t *vector);

/* That instruction. */
extern ZydisDecodedInstruction step_insn;
extern ZydisDecodedOperand step_operands[ZYDIS_MAX_OPERAND_COUNT];

#endif /* CCSAMPLE_TEST_STEP_H */
