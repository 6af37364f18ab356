/* SPDX-License-Identifier: GPL-2.0-only */
/* Machine code, an instruction at a time: where it goes next. */
#ifndef CCSAMPLE_LOOPS_CODE_H
#define CCSAMPLE_LOOPS_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum step_kind {
	STEP_NEXT,		/* to the next instruction */
	STEP_BRANCH,		/* there, or to @target */
	STEP_JUMP,		/* to @target */
	STEP_JUMP_AWAY,		/* to where a register or memory says */
	STEP_CALL,		/* of @target; comes back, or not */
	STEP_CALL_AWAY,		/* of what a register or memory says */
	STEP_END,		/* returns */
	STEP_TRAP,		/* nowhere */
	STEP_PADDING,		/* to the next one, and does nothing */
};

struct step {
	uint8_t size;		/* bytes, 1 to 15 */
	enum step_kind kind;
	uint64_t target;	/* 0 = none */
};

struct decoder;

struct decoder *decoder_new(void);
void decoder_free(struct decoder *decoder);

/**
 * decoder_step() - decode one x86-64 instruction.
 * @bytes: its bytes, and what follows
 * @left: their number
 * @address: of the instruction
 *
 * Return: false where these bytes are no instruction.
 */
bool decoder_step(const struct decoder *decoder, const uint8_t *bytes, size_t left,
		  uint64_t address, struct step *step);

#define INSTRUCTION_TEXT 128	/* bytes of room */

/* An instruction as assembly text (Intel's order). Return: its bytes, 0 where there is none. */
size_t decoder_text(const struct decoder *decoder, const uint8_t *bytes, size_t left,
		    uint64_t address, char text[INSTRUCTION_TEXT]);

#define NO_REGISTER	(-1)

/* [base + index * scale + displacement], registers by their number in the encoding, 0 to 15. */
struct place {
	int base;
	int index;
	uint32_t scale;
	int64_t displacement;	/* with @absolute: the address */
	bool absolute;		/* relative to the instruction, or without a base */
};

enum move_kind {
	MOVE_OTHER,		/* changes what @changed says, in a way not known */
	MOVE_COPY,		/* register @to = register @from, perhaps only its low bits */
	MOVE_LOAD,		/* register @to = @size bytes of memory at @place */
	MOVE_STORE,		/* memory at @place = register @from */
	MOVE_ADDRESS,		/* register @to = the address of @place */
	MOVE_CONSTANT,		/* register @to = @number */
	MOVE_ADD,		/* register @to += register @from */
	MOVE_MASK,		/* register @to &= @number */
	MOVE_COMPARE,		/* flags from register @from, or memory at @place, less @number */
	MOVE_GO,		/* jump to or call what register @from, or memory at @place, says */
	MOVE_BRANCH,		/* if unsigned below, or not; @number = 1: equal counts as below */
};

/* An instruction by what it does to registers, with what jump tables need. */
struct move {
	enum move_kind kind;
	int to;
	int from;		/* NO_REGISTER = memory at @place */
	uint32_t size;
	struct place place;
	uint64_t number;
	uint32_t changed;	/* registers that it writes, a bit each */
};

/* Decodes one instruction for what it does. Return: false where it is none. */
bool decoder_move(const struct decoder *decoder, const uint8_t *bytes, size_t left,
		  uint64_t address, struct move *move);

#endif /* CCSAMPLE_LOOPS_CODE_H */
