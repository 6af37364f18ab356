/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One instruction of the program: what it refers to, which registers it uses,
 * where it goes on. Bytes in, a description out.
 */
#ifndef CCSAMPLE_TRACEE_DECODE_DECODE_H
#define CCSAMPLE_TRACEE_DECODE_DECODE_H

#include <stdbool.h>
#include <stdint.h>

#include "tracee/burst-log/log.h"
#include "tracee/x86/registers.h"

#define NO_EXTENSION	0xff
#define INSN_ROOM	16	/* bytes, one more than there may be */
#define INSN_REFS	4

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
	bool displaced;			/* the displacement belongs to @offset */
	uint16_t size;			/* bytes of the access, or of an element */
	uint16_t vector_bytes;		/* of the index register */
	int64_t offset;			/* displacement, or a static address */
};

/* What an immediate or a displacement is good for. */
enum use { USE_NONE, USE_TARGET, USE_POPS, USE_CONSTANT, USE_ADDED, USE_SUBTRACTED };

struct insn {
	/* known from its head (heads.h) */
	uint8_t head;			/* bytes; 0 = there is more to it */
	uint8_t length;
	uint8_t flow;			/* enum flow */
	uint8_t condition;		/* of jcc: low nibble of its opcode */
	uint8_t refs;
	uint8_t delta_register;		/* this GPR changes by @delta, NO_REGISTER = none */
	bool rip_relative;		/* has a rip-relative operand */
	bool turns;			/* rep movs, stos, lods: rcx says how often */
	uint8_t modrm, disp, imm;	/* offsets in @bytes, where there are such */
	uint8_t disp_size, disp_scale, imm_size;
	bool imm_signed;
	uint8_t disp_use, imm_use;	/* enum use */
	uint8_t extension;		/* of the byte that extends the base, or NO_EXTENSION */
	uint8_t extension_clear, extension_set;
	uint8_t reason;			/* enum burst_reason + 1 why it is not traced, 0 = it is */
	uint8_t lea_register;		/* GPR of a 64-bit lea off rip, else NO_REGISTER */
	uint8_t jump_register;		/* of indirect jumps: the GPR, NO_REGISTER = refs[0] */
	int8_t step;			/* of @delta, without displacement and immediate */
	uint16_t used, written;		/* GPRs, a bit each */
	struct reference ref[INSN_REFS];
	/* ... and from its address, displacement and immediate */
	uint8_t bytes[INSN_ROOM];
	uint16_t pops;			/* bytes of arguments that a return pops */
	int64_t delta;
	uint64_t target;		/* of direct jumps, branches, calls */
	uint64_t static_address;	/* of a rip-relative operand */
	uint64_t constant;		/* an address that it may load into a register or memory */
};

/* Prepares the decoder. */
void decode_init(void);
/* It is relocated before that. Return: false if it cannot be. */
bool zydis_ready(void);

/**
 * decode_insn() - look at one instruction.
 * @address: where it is
 * @bytes, @size: what is there; INSN_ROOM bytes beyond may be read
 * @insn: set
 *
 * Return: false if it is not traced; @insn->reason says why.
 */
bool decode_insn(uint64_t address, const uint8_t *bytes, unsigned int size, struct insn *insn);

/* The same, but for what address, displacement and immediate say; Zydis is asked. */
bool decode_head(const uint8_t *bytes, unsigned int size, struct insn *insn);

#endif /* CCSAMPLE_TRACEE_DECODE_DECODE_H */
