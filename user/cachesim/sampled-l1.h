/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An L1 with LRU replacement whose misses are classified only while somebody wants to know: those
 * of a burst. Classes are those of cachesim/hierarchy.h, by a fully associative shadow with LRU
 * replacement and as many lines. No list of the shadow's lines is kept. What it holds follows from
 * when each line was last used: those of L1 say so themselves, those that left it are in a log
 * with their last use. When a burst begins, the time is found that as many lines as the shadow has
 * were used since: the floor. A line is in the shadow if it was last used then, or later.
 *
 * While misses are classified, each line that comes into the shadow makes the oldest one leave it,
 * which raises the floor. Only the oldest ones are put in order for that: bursts are short. Where
 * all misses are classified, all lines are.
 *
 * The search for the floor counts lines by age, in sixteen classes for each power of two. It reads
 * the log from its end, and stops where what left before cannot be younger than what was found.
 *
 * Freestanding: no libc, no globals.
 */
#ifndef CCSAMPLE_CACHESIM_SAMPLED_L1_H
#define CCSAMPLE_CACHESIM_SAMPLED_L1_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/allocator.h"
#include "cachesim/array.h"
#include "cachesim/classes.h"
#include "cachesim/lines.h"

/* What is known of a line: the number of the entry of the log when it left L1, or one of these. */
#define SAMPLED_NEW	0u	/* never was there */
#define SAMPLED_INSIDE	1u	/* is there */
#define SAMPLED_FIRST	2u	/* number */

/* Of a way of L1, and moves with its line. */
struct sampled_node {
	uint64_t time;		/* of the line's last use; callers write it */
	uint32_t *left;		/* the line's: SAMPLED_... */
};

/* A line left L1. Another entry is its latest one, or it is back, unless *left is the number. */
struct sampled_left {
	uint64_t time;		/* of its last use */
	uint64_t when;		/* no entry before this one is of a line used later */
	uint32_t *left;
	uint32_t evictor;
};

/* A line that may be among the shadow's oldest. */
struct sampled_old {
	uint64_t time;
	uint32_t *left;
	uint32_t node, set;	/* if it was in L1; else SAMPLED_NO_NODE */
};

#define SAMPLED_NO_NODE	UINT32_MAX

struct sampled_l1 {
	struct array array;
	struct sampled_node *nodes;
	uint64_t floor;			/* 0 = misses are not classified */
	bool exact;			/* they are */
	uint32_t room;			/* then: lines that the shadow has room for */
	uint32_t lines;			/* of L1, and of its shadow */
	struct sampled_left *log;	/* by the last bits of an entry's number */
	uint32_t log_mask, log_most;	/* entries that matter at most */
	uint32_t next, first;		/* numbers: of the next entry, of the first that matters */
	uint32_t *found;		/* numbers of entries, while the floor is looked for */
	struct sampled_old *old;	/* the oldest first; room for all that is found */
	struct sampled_old *spare_old;	/* as much: to sort in */
	uint32_t old_next, old_count;	/* of the former: those not taken */
	uint32_t old_wanted;
	struct words_block *recent;
	struct lines numbers;
	struct line_words words;
	const struct allocator *memory;
};

struct sampled_miss {
	enum miss_class class;	/* CLASS_NONE = not wanted */
	uint32_t evictor;	/* of a conflict: its number */
};

/* Return: false without memory; what was allocated is given back by sampled_l1_close(). */
bool sampled_l1_open(struct sampled_l1 *l1, const struct cache_geometry *geometry,
		     const struct allocator *memory);
void sampled_l1_close(struct sampled_l1 *l1);

/* Misses are classified from now on, or no longer. @time: of the current access */
void sampled_l1_begin(struct sampled_l1 *l1, uint64_t time);
void sampled_l1_end(struct sampled_l1 *l1);

/* The shadow, which had lost it, takes in a line that L1 has. Its node still has its last use. */
void sampled_l1_saved(struct sampled_l1 *l1, uint64_t time);

/* Forgets what is too old to matter, before the log is full. */
void sampled_l1_shorten(struct sampled_l1 *l1, uint64_t time);

/* The class of a miss, before the line comes into its @row. @left: the line's */
struct sampled_miss sampled_l1_class(struct sampled_l1 *l1, struct way *row, uint32_t *left,
				     uint64_t time);

static inline struct way *sampled_l1_row(const struct sampled_l1 *l1, uint64_t line)
{
	return (struct way *)array_row(&l1->array, array_set(&l1->array, line));
}

/**
 * sampled_l1_renew() - a line becomes the first of its row if it is there, and was not the first.
 * @ways: those of L1; a constant makes it fast
 *
 * Return: whether it is there; then sampled_l1_used() has to follow, else nothing has happened.
 */
static inline bool sampled_l1_renew(struct way *row, uint32_t ways, uint64_t line)
{
	struct way found;
	uint32_t at;

#pragma GCC unroll 12
	for (at = 1; at < ways; at++)
		if (row[at].tag == line << 1)
			break;
	if (at == ways)
		return false;
	found = row[at];
	array_move_back(row, at);
	row[0] = found;
	return true;
}

/**
 * sampled_l1_used() - a line is the first of its row, and used. If it was that before, and misses
 * are not classified, writing the time to its node will do; or if it is not marked as TAG_ORPHAN.
 * @time: of this use; those of uses increase
 *
 * Return: whether the shadow had lost it; known while misses are classified.
 */
static inline bool sampled_l1_used(struct sampled_l1 *l1, struct way *row, uint64_t time)
{
	bool saved = row->sampled->time < l1->floor;

	/* Only the first one of a row is marked. What is not written can be moved at once. */
	if (tag_orphaned(row[0].tag))
		row[0].tag &= ~TAG_ORPHAN;
	if (l1->array.shape.geometry.ways > 1 && tag_orphaned(row[1].tag) &&
	    row[1].tag != TAG_EMPTY)
		row[1].tag &= ~TAG_ORPHAN;
	if (saved)
		sampled_l1_saved(l1, time);
	row->sampled->time = time;
	return saved;
}

/* A line that was used last @node->time leaves L1. */
static inline void sampled_l1_leave(struct sampled_l1 *l1, const struct sampled_node *node,
				    uint64_t time, uint32_t evictor)
{
	uint32_t number = l1->next < SAMPLED_FIRST ? SAMPLED_FIRST : l1->next;

	l1->log[number & l1->log_mask] = (struct sampled_left){
		.time = node->time, .when = time, .left = node->left, .evictor = evictor,
	};
	*node->left = number;
	l1->next = number + 1;
}

/* What is known of a line if its miss needs no more than sampled_l1_bring_in(); else NULL. */
static inline uint32_t *sampled_l1_quick(const struct sampled_l1 *l1, uint64_t line)
{
	const struct words_block *block = &l1->recent[(line >> LINES_BITS) % LINES_RECENT];

	if (block->number != line >> LINES_BITS || l1->exact ||
	    l1->next - l1->first >= l1->log_most)
		return NULL;
	return block->first + (line & (LINES_BLOCK - 1));
}

/* A line that is not in L1 comes in. @left: what is known of it; the others: see below */
static inline void sampled_l1_bring_in(struct sampled_l1 *l1, struct way *row, uint64_t line,
				       uint32_t *left, uint64_t time, uint32_t site, uint32_t ways)
{
	struct shadow_l1_node *node = NULL;
	uint64_t tag = array_push(row, ways, line, 0, &node);

	row->node = node;
	if (__builtin_expect(tag != TAG_EMPTY, true))
		sampled_l1_leave(l1, row->sampled, time, site);
	*row->sampled = (struct sampled_node){ time, left };
	*left = SAMPLED_INSIDE;
}

/**
 * sampled_l1_miss() - a line that is not in L1 comes in, and the miss is classified if it is to be.
 * @row: sampled_l1_row()
 * @time: of this access
 * @site: the number of who brings it in, from 1
 */
static inline struct sampled_miss sampled_l1_miss(struct sampled_l1 *l1, struct way *row,
						  uint64_t line, uint64_t time, uint32_t site)
{
	uint32_t *left = words_recent(l1->recent, &l1->numbers, &l1->words, line, 1);
	struct sampled_miss miss = { .class = CLASS_NONE };

	if (l1->next - l1->first >= l1->log_most)
		sampled_l1_shorten(l1, time);
	if (l1->exact)
		miss = sampled_l1_class(l1, row, left, time);
	sampled_l1_bring_in(l1, row, line, left, time, site, l1->array.shape.geometry.ways);
	return miss;
}

#endif /* CCSAMPLE_CACHESIM_SAMPLED_L1_H */
