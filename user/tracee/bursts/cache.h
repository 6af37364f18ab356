/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The code cache: translated blocks, how they are linked, which block a place in
 * it belongs to. One for a process; whoever is in a burst owns it.
 */
#ifndef CCSAMPLE_TRACEE_BURSTS_CACHE_H
#define CCSAMPLE_TRACEE_BURSTS_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#define BLOCK_INSNS	32
#define BLOCK_WORDS	250		/* logged after the number; burst_ref.slot counts them */
#define BLOCK_CODE	16384		/* bytes that a block may take */
#define BLOCK_SOURCE	(BLOCK_INSNS * 15)

/* What translated code stores and loads, in its own pages. */
struct variables {
	uint64_t log;			/* where the next word goes, between blocks */
	uint64_t save[2];		/* the block's two scratch registers */
	uint64_t rax, rcx, rdx;		/* saved around indirect jumps, rcx around strings */
	uint64_t target;		/* ... the program's address that they jump to */
	uint32_t exit;			/* the exit that was taken, EXIT_INDIRECT = @target's */
	uint64_t enough;		/* the burst ends behind the string instruction that runs */
};

#define EXIT_INDIRECT	UINT32_MAX

/* An instruction in its block. */
struct place {
	uint16_t code;			/* offset of its translation, logging included */
	uint16_t after;			/* offset past the instruction: only logging follows */
	uint16_t source;		/* offset in the program's block */
	uint16_t refs;			/* references of the block before it */
};

struct block {
	uint64_t address;
	uint32_t code, code_end;	/* offsets in the code; the end of what can fault */
	uint32_t number;
	uint32_t source;		/* offset of its bytes, as translated */
	uint32_t places;		/* index of its first place */
	uint16_t inner;			/* from @code: the entry with registers already borrowed */
	uint16_t bytes, insns, refs, words;
	uint8_t counted;		/* instructions, by a timed part: those before it, too */
	uint8_t scratch[2];	/* registers: base of the log, addresses; NO_REGISTER: not saved */
	bool indirect;			/* the table of indirect jumps knows it */
	bool quiet;			/* logs and counts nothing, not even its number */
	bool twin;			/* another block has the same bytes: one is compared */
	bool timed;			/* logs nothing, may count instructions; see timed.h */
};

extern struct variables *variables;
extern uint8_t *cache_code;		/* the whole */
extern uint8_t *cache_trap;		/* a page without access */
extern uint8_t *stub_start;		/* faults; a burst begins at variables->target */
extern uint8_t *stub_again;		/* faults; variables->target could not be translated */
extern uint8_t *stub_miss;		/* to variables->target; rax, rcx, rdx are in variables */
extern uint8_t *stub_exit;		/* takes variables->exit */

/* Return: false if memory cannot be had. */
bool cache_init(void);
void cache_flush(void);
/* In a fork's child: nothing of it is mapped there. */
void cache_forget(void);
uint32_t cache_blocks(void);

/* Room for a block; the cache may be flushed for it. */
struct block *cache_new(void);
/* The new block's bytes, places, code. */
uint8_t *cache_source(const struct block *block);
struct place *cache_places(const struct block *block);
/* Keeps the new block, whose code ends at @end. */
void cache_keep(struct block *block, uint8_t *end);

struct block *cache_find(uint64_t address, bool timed);
struct block *cache_find_code(const uint8_t *at);
bool cache_holds(const uint8_t *at);
bool cache_is_stub(const uint8_t *at);

/*
 * How a block is left for an address: by @inner it goes to a block that borrows the same two
 * registers, and keeps them; or it falls through, gives them back, if any, and goes on by @jump.
 */
struct exit {
	uint64_t target;
	uint8_t *inner, *jump;		/* displacements, NULL: none */
	uint8_t scratch[2];		/* of the block that is left */
	bool timed;			/* ... and so is the target's */
	uint8_t uncounted;		/* instructions up to here since the last that count */
};

/* Is it left from a block that borrows these two, for one that may keep them? */
static inline bool exit_keeps(const struct exit *exit, uint8_t base, uint8_t temporary)
{
	return exit->inner && exit->scratch[0] == base && exit->scratch[1] == temporary;
}

/**
 * cache_exit() - an exit, linked to its target's block if there is one.
 * @at: where the stub goes if there is none
 *
 * Return: the end of the stub.
 */
uint8_t *cache_exit(const struct exit *exit, uint8_t *at);

/* The exit that was taken; NULL: an indirect jump. */
const struct exit *cache_taken(void);
void cache_link(const struct exit *exit, const struct block *block);

/* Lets indirect jumps find the block. */
void cache_link_indirect(struct block *block);

/* Its memory goes. */
void cache_unmap(void);

/* Do all blocks still stand as they were translated? */
bool cache_verify(void);

/* The tables of indirect jumps, 65536 addresses of code: of logged blocks, of timed ones. */
extern uint8_t **indirect_table[2];

/* Timed blocks are about to be run. */
void cache_prepare_timed(void);

#endif /* CCSAMPLE_TRACEE_BURSTS_CACHE_H */
