/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CCSAMPLE_TRACEE_X86_REGISTERS_H
#define CCSAMPLE_TRACEE_X86_REGISTERS_H

#define NO_REGISTER	0xff

/* As instructions number them. */
enum gpr { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R9, R10, R11, R12, R13, R14, R15 };

#endif /* CCSAMPLE_TRACEE_X86_REGISTERS_H */
