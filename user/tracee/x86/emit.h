/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Machine code, written. None of these instructions touches the flags. A base or
 * index may be any general register; NO_REGISTER is none.
 */
#ifndef CCSAMPLE_TRACEE_X86_EMIT_H
#define CCSAMPLE_TRACEE_X86_EMIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct emit {
	uint8_t *at;			/* where the next byte goes; the caller knows the room */
};

void emit_bytes(struct emit *e, const void *bytes, size_t size);
/* An instruction in a room of 16 bytes, which are all written: faster than a copy of any size. */
void emit_insn(struct emit *e, const uint8_t room[16], size_t size);
void emit_u8(struct emit *e, uint8_t value);
void emit_u64(struct emit *e, uint64_t value);

/* reg = value */
void emit_constant(struct emit *e, uint8_t reg, uint64_t value);

/* reg = variable; variable = reg: 8 bytes at a rip-relative address */
void emit_load_variable(struct emit *e, uint8_t reg, const void *variable);
void emit_store_variable(struct emit *e, const void *variable, uint8_t reg);

/* variable = value: 4 bytes */
void emit_store_variable_32(struct emit *e, const void *variable, uint32_t value);

struct operand {
	uint8_t base, index, scale;
	int32_t offset;
};

/* reg = address of operand; @narrow: 32-bit arithmetic, zero-extended */
void emit_lea(struct emit *e, uint8_t reg, struct operand operand, int narrow);

/* reg = 8 bytes at operand, and the other way round; @segment: 0x64, 0x65, 0 = none */
void emit_load(struct emit *e, uint8_t reg, struct operand operand, uint8_t segment, int narrow);
void emit_store(struct emit *e, struct operand operand, uint8_t reg);

/* 8 bytes at [base + offset] = value */
void emit_store_constant(struct emit *e, uint8_t base, int32_t offset, int32_t value);

/* [base + offset] = k register, 8 bytes (AVX512BW) */
void emit_store_mask(struct emit *e, uint8_t base, int32_t offset, uint8_t mask);

/* [base + offset] = vector register of 16, 32 or 64 bytes */
void emit_store_vector(struct emit *e, uint8_t base, int32_t offset, uint8_t vector,
		       unsigned int bytes);

void emit_push(struct emit *e, uint8_t reg);

/*
 * A store to a page without access, TRAP_BYTES of code: it faults and changes nothing. An invalid
 * instruction would do, but hypervisors intercept those, which costs some microseconds.
 */
#define TRAP_BYTES	6
void emit_trap(struct emit *e, const void *page);

/*
 * Before a string instruction of rcx turns, which may take as long as millions of others: @count =
 * rcx, and with 65,536 or more the trap (bits 16 to 47; more are no length). Where an address
 * is in this code, emit_rcx_is_away() says whether rcx is only in @count.
 */
void emit_turns(struct emit *e, const void *count, const void *page);
/* Behind it: the trap if @enough, 8 bytes, is not zero; rcx is in @count meanwhile. */
void emit_enough(struct emit *e, const void *count, const void *enough, const void *page);
bool emit_rcx_is_away(const uint8_t *at);

/* jmp, jcc rel32; @target in reach. Return: where the displacement is. */
uint8_t *emit_jump(struct emit *e, const uint8_t *target);
uint8_t *emit_branch(struct emit *e, uint8_t condition, const uint8_t *target);
void patch_jump(uint8_t *displacement, const uint8_t *target);

#endif /* CCSAMPLE_TRACEE_X86_EMIT_H */
