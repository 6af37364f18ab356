/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Basic blocks of the program, translated into the code cache: the same
 * instructions, and before each reference to memory the code that logs it.
 *
 *	save two registers that the block does not use; the log's pointer into one
 *	[log] = the block's number
 *	... lea second, operand; [log + n] = second; the instruction
 *	advance the log's pointer; restore the registers
 *	jump on
 *
 * Of blocks that are not the program's own (text.h) only the instructions are left, and the saving
 * of a register where one is needed; so it is with timed blocks, which log nothing, but for those
 * that count their instructions (timed.h):
 *
 *	second = [count], which faults at the end of the timed part
 *	the instructions; count += how many there are since the last block that counted
 *
 * Added code leaves the flags alone. Of an instruction that faults, and of a
 * log that is full, the program's precise state is known: see burst.c.
 */
#ifndef CCSAMPLE_TRACEE_BURSTS_TRANSLATE_H
#define CCSAMPLE_TRACEE_BURSTS_TRANSLATE_H

#include <stdint.h>

#include "tracee/burst-log/log.h"
#include "tracee/bursts/cache.h"

/* Where definitions of new blocks go. */
struct definitions {
	uint8_t *at, *end;
};

/**
 * translate() - the block at an address, from the cache or new.
 * @address: in the program
 * @timed: a timed block
 * @definitions: room for the definition of a new block that is not timed
 * @from: how the block before it is left for it; NULL: a jump to an address in a register or
 * memory, or the first one
 * @block: set
 *
 * Return: 0, or enum burst_reason + 1 why it cannot be run here; -1: the cache is
 * full, flush it and try again.
 */
int translate(uint64_t address, bool timed, struct definitions *definitions,
	      const struct exit *from, struct block **block);

/* How many blocks were translated since the process began. */
extern uint64_t translated;

#endif /* CCSAMPLE_TRACEE_BURSTS_TRANSLATE_H */
