/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A basic block of the program, as a log defines it: what its references are, given the words that
 * were logged when it ran. Pure, but for memory.
 */
#ifndef CCSAMPLE_BURSTS_BASIC_BLOCK_H
#define CCSAMPLE_BURSTS_BASIC_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tracee/burst-log/log.h"

#define BASIC_BLOCK_REFS	1024u	/* at most; a writer has 128 */
#define BASIC_BLOCK_WORDS	512u	/* at most; references reach 256 and what a gather has */

/* A word of a block in its place, as pack.c foretells it. */
struct basic_block_word {
	uint64_t last;
	uint64_t stride;		/* that it is foretold to go on with */
	uint64_t step;			/* that it made last */
};

struct basic_block {
	uint64_t address;
	uint8_t instructions, counted;	/* its own; as a timed part counts (timed.h) */
	uint16_t words, refs;
	uint16_t both;			/* references that read and write */
	bool plain;			/* each address is a word of its, or none, and an offset */
	/* pack.c's: of the burst in which the block ran last */
	uint32_t burst, number;
	struct basic_block *next;	/* that came after it; NULL = none yet */
	struct basic_block_word *word;
	struct burst_ref ref[];
};

/* Bytes of memory that one takes. */
static inline size_t basic_block_size(uint32_t refs, uint32_t words)
{
	return sizeof(struct basic_block) + refs * sizeof(struct burst_ref) +
	       words * sizeof(struct basic_block_word);
}

/* Can a reference of a block of so many words be what @ref says? */
bool basic_block_ref_sound(const struct burst_ref *ref, uint32_t words);

/*
 * A block of sound references; free() it.
 * @of: its ->bytes, ->size and ->number are not looked at; words and references within the limits
 */
struct basic_block *basic_block_new(const struct burst_block *of, const struct burst_ref *ref);

/* How many words a reference looks at, from its slot on. */
unsigned int basic_block_ref_words(const struct burst_ref *ref);

#endif /* CCSAMPLE_BURSTS_BASIC_BLOCK_H */
