/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CCSAMPLE_TRACEE_X86_REFUSE_H
#define CCSAMPLE_TRACEE_X86_REFUSE_H

#include <stdbool.h>
#include <Zydis/Zydis.h>

/* Return: it is not traced, but ends a burst and runs natively. */
bool refuse(const ZydisDecodedInstruction *zydis, const ZydisDecodedOperand *operands);

#endif /* CCSAMPLE_TRACEE_X86_REFUSE_H */
