/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Address ranges that come and go and never overlap, in order: millions of
 * live heap blocks, or a few mappings. A B-tree of three fixed levels, whose
 * nodes are shared by copies until one changes.
 */
#ifndef CCSAMPLE_SPACE_RANGES_H
#define CCSAMPLE_SPACE_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct range {
	uint64_t start;
	uint64_t end;		/* first byte past it, > start */
	uint32_t value;		/* the caller's */
};

/* How many more entries hold a value: nodes are copied when a shared one changes. */
typedef void ranges_hold(void *context, uint32_t value, int more);

struct ranges {
	ranges_hold *hold;	/* the caller's: copies of nodes and ranges_drop(); may be NULL */
	void *context;
	uint64_t *key;		/* where branch[i] may begin: none of branch[i - 1] is above */
	struct branch **branch;
	size_t branches;
	size_t capacity;
	size_t count;		/* all ranges */
};

/**
 * ranges_gone() - called for every part of a range that is taken away.
 * @part: the bytes taken away, and the value of their range
 * @pieces: by how many ranges there are more with that value: -1 gone as a
 *          whole, 0 trimmed, 1 split in two
 */
typedef void ranges_gone(void *context, const struct range *part, int pieces);

/**
 * ranges_put() - add a range; those that it overlaps are taken away as a whole.
 * @gone: may be NULL
 */
void ranges_put(struct ranges *ranges, struct range range, ranges_gone *gone, void *context);

/* Takes away what lies in [start, end): whole ranges, ends of ranges, the middle of one. */
void ranges_cut(struct ranges *ranges, uint64_t start, uint64_t end, ranges_gone *gone,
		void *context);

/* Takes away the range that begins right at @start; false if none does. */
bool ranges_take(struct ranges *ranges, uint64_t start, struct range *taken);

/**
 * ranges_find() - the range that holds an address.
 * @found: the range, or the hole around the address where none holds it
 */
bool ranges_find(const struct ranges *ranges, uint64_t address, struct range *found);

/* The last range that starts at or before an address; false if there is none. */
bool ranges_before(const struct ranges *ranges, uint64_t address, struct range *found);

/* Both are as if they were apart. @copy is zeroed, or dropped before. */
void ranges_copy(struct ranges *copy, const struct ranges *ranges);

/* Takes everything away, without ranges_gone(), and frees what is not shared. */
void ranges_drop(struct ranges *ranges);

#endif /* CCSAMPLE_SPACE_RANGES_H */
