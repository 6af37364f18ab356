/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What was decoded before. The bytes of an instruction before its displacement and immediate, its
 * head, say all but the values of these two: processors decode from left to right. So no head
 * begins with another one, and what has the same head need not be looked at again. Not kept: what
 * is refused, and what has two references.
 */
#ifndef CCSAMPLE_TRACEE_DECODE_HEADS_H
#define CCSAMPLE_TRACEE_DECODE_HEADS_H

#include <stdbool.h>
#include <stdint.h>

#define HEADS_MOST	8192u
#define HEADS_INDEX	(2 * HEADS_MOST)
#define HEADS_WORDS	7u

/* Zeroed: empty. */
struct heads {
	uint8_t sizes[1024];	/* by opcode_of(): bit n: some end n bytes behind the prefixes */
	uint32_t index[HEADS_INDEX];	/* number of an entry + 1, a tag above; 0 = none */
	uint32_t used;
	bool fetched;			/* in this burst */
	struct {			/* a cache line */
		uint64_t head;		/* up to 7 bytes, and how many */
		uint64_t facts[HEADS_WORDS];	/* of struct insn, up to the first of ->ref */
	} entry[HEADS_MOST] __attribute__((aligned(64)));
};

/* Where decode_insn() keeps them; NULL: nowhere. */
extern struct heads *decode_heads;

/*
 * So many blocks were new in this burst. If they are many, more are to come: the program has filled
 * the caches with its own since the last burst, and to fetch all once, in a row, takes less than
 * one by one.
 */
void heads_fetch(struct heads *heads, uint64_t blocks);

/* Around Zydis, which may use vector registers: whoever decodes has these functions. */
void heads_save_vectors(void);
void heads_restore_vectors(void);

#endif /* CCSAMPLE_TRACEE_DECODE_HEADS_H */
