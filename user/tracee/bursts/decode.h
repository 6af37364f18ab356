/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One instruction of the program: what it refers to, which registers it uses,
 * where it goes on. Pure: bytes in, a description out.
 */
#ifndef CCSAMPLE_TRACEE_BURSTS_DECODE_H
#define CCSAMPLE_TRACEE_BURSTS_DECODE_H

#include <stdbool.h>
#include <stdint.h>

#include "tracee/bursts/log.h"

#define NO_REGISTER	0xff
#define NO_EXTENSION	0xff
#define INSN_MAX	15	/* bytes */
#define INSN_REFS	4

enum gpr { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R9, R10, R11, R12, R13, R14, R15 };

enum flow {
	FLOW_NEXT,
	FLOW_JUMP,
	FLOW_BRANCH,			/* jcc */
	FLOW_LOOP,			/* jrcxz, loop, loope, loopne: rel8 only */
	FLOW_CALL,
	FLOW_JUMP_INDIRECT,
	FLOW_CALL_INDIRECT,
	FLOW_RETURN,
};

/* A memory operand, explicit or implied. */
struct reference {
	uint8_t base, index;		/* enum gpr or NO_REGISTER */
	uint8_t scale;			/* 1, 2, 4, 8 */
	uint8_t kind;			/* enum burst_kind */
	uint8_t form;			/* enum burst_form */
	uint8_t flags;			/* BURST_FS ... */
	uint8_t count;			/* elements of masked forms and gathers */
	uint8_t mask;			/* k register, or a vector register */
	uint8_t vector;			/* index register of gathers; of BURST_BIT: the bit's GPR */
	uint16_t size;			/* bytes of the access, or of an element */
	uint16_t vector_bytes;		/* of the index register */
	int64_t offset;			/* displacement, or a static address */
};

struct insn {
	uint8_t bytes[INSN_MAX];
	uint8_t length;
	uint8_t flow;			/* enum flow */
	uint8_t condition;		/* of jcc: low nibble of its opcode */
	uint8_t refs;
	uint8_t delta_register;		/* this GPR changes by @delta, NO_REGISTER = none */
	bool rip_relative;		/* has a rip-relative operand */
	bool turns;			/* rep movs, stos, lods: rcx says how often */
	uint8_t modrm, disp;		/* offsets in @bytes, of a rip-relative operand */
	uint8_t extension;		/* of the byte that extends the base, or NO_EXTENSION */
	uint8_t extension_clear, extension_set;
	uint8_t reason;			/* enum burst_reason + 1 why it is not traced, 0 = it is */
	uint16_t used, written;		/* GPRs, a bit each */
	uint16_t pops;			/* bytes of arguments that a return pops */
	int64_t delta;
	uint64_t target;		/* of direct jumps, branches, calls */
	uint64_t static_address;	/* of a rip-relative operand */
	uint64_t constant;		/* an address that it may load into a register or memory */
	uint8_t lea_register;		/* GPR of a 64-bit lea off rip, else NO_REGISTER */
	uint8_t jump_register;		/* of indirect jumps: the GPR, NO_REGISTER = refs[0] */
	struct reference ref[INSN_REFS];
};

/* Prepares the decoder, and asks the CPU for the size of XSAVE areas. */
void decode_init(void);

/**
 * decode() - look at one instruction.
 * @address: where it is
 * @bytes, @size: what is there; more may follow
 * @insn: set
 *
 * Return: false if it is not traced; @insn->reason says why.
 */
bool decode(uint64_t address, const uint8_t *bytes, unsigned int size, struct insn *insn);

#endif /* CCSAMPLE_TRACEE_BURSTS_DECODE_H */
