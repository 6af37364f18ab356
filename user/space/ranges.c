// SPDX-License-Identifier: GPL-2.0-only
/*
 * Leaves of ranges, branches of leaves, one growing array of branches: with
 * full nodes a million ranges need about 160 branches, so that the top array is
 * found by a few steps in the cache and moves little when a branch is added.
 *
 * Copies of a tree share its branches, copies of a branch its leaves; what has
 * more than one user is copied before it changes.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "space/ranges.h"

#define LEAF_MOST	48
#define BRANCH_MOST	128

/* Split in arrays: a search reads only starts. */
struct leaf {
	uint32_t users;			/* branches */
	uint32_t count;
	uint32_t value[LEAF_MOST];
	uint64_t start[LEAF_MOST];
	uint64_t end[LEAF_MOST];
};

struct branch {
	uint32_t users;			/* trees */
	uint32_t count;
	uint64_t key[BRANCH_MOST];	/* as in struct ranges */
	struct leaf *leaf[BRANCH_MOST];
};

/* Where an address belongs: ranges [0, next) of the leaf start at or before it. */
struct place {
	size_t b;
	uint32_t l;
	uint32_t next;
	struct branch *branch;
	struct leaf *leaf;
};

/* How many of the ascending keys are <= address. */
static size_t not_above(const uint64_t *key, size_t count, uint64_t address)
{
	const uint64_t *base = key;

	if (!count)
		return 0;
	while (count > 1) {
		size_t half = count / 2;

		base += base[half - 1] <= address ? half : 0;
		count -= half;
	}
	return base - key + (*base <= address);
}

static struct place find_place(const struct ranges *ranges, uint64_t address)
{
	struct place place = { 0 };

	/* The first key counts for nothing: where the node before it went, all below is here. */
	place.b = not_above(ranges->key + 1, ranges->branches - 1, address);
	place.branch = ranges->branch[place.b];
	place.l = not_above(place.branch->key + 1, place.branch->count - 1, address);
	place.leaf = place.branch->leaf[place.l];
	place.next = not_above(place.leaf->start, place.leaf->count, address);
	return place;
}

static struct range get(const struct leaf *leaf, uint32_t i)
{
	return (struct range) { leaf->start[i], leaf->end[i], leaf->value[i] };
}

static bool get_before(const struct ranges *ranges, const struct place *place,
		       struct range *range)
{
	const struct branch *branch = place->branch;
	const struct leaf *leaf;

	if (place->next) {
		*range = get(place->leaf, place->next - 1);
		return true;
	}
	if (place->l) {
		leaf = branch->leaf[place->l - 1];
	} else if (place->b) {
		branch = ranges->branch[place->b - 1];
		leaf = branch->leaf[branch->count - 1];
	} else {
		return false;
	}
	*range = get(leaf, leaf->count - 1);
	return true;
}

static bool get_after(const struct ranges *ranges, const struct place *place, struct range *range)
{
	if (place->next < place->leaf->count)
		*range = get(place->leaf, place->next);
	else if (place->l + 1 < place->branch->count)
		*range = get(place->branch->leaf[place->l + 1], 0);
	else if (place->b + 1 < ranges->branches)
		*range = get(ranges->branch[place->b + 1]->leaf[0], 0);
	else
		return false;
	return true;
}

/* --- nodes with one or several users --- */

static void hold_all(const struct ranges *ranges, const struct leaf *leaf, int more)
{
	for (uint32_t i = 0; ranges->hold && i < leaf->count; i++)
		ranges->hold(ranges->context, leaf->value[i], more);
}

static void drop_leaf(const struct ranges *ranges, struct leaf *leaf)
{
	if (--leaf->users)
		return;
	hold_all(ranges, leaf, -1);
	free(leaf);
}

static void drop_branch(const struct ranges *ranges, struct branch *branch)
{
	if (--branch->users)
		return;
	for (uint32_t l = 0; l < branch->count; l++)
		drop_leaf(ranges, branch->leaf[l]);
	free(branch);
}

/* Branch @b, which may be changed. */
static struct branch *own_branch(struct ranges *ranges, size_t b)
{
	struct branch *branch = ranges->branch[b], *copy;

	if (branch->users == 1)
		return branch;
	copy = xmalloc(sizeof(*copy));
	memcpy(copy, branch, sizeof(*copy));
	for (uint32_t l = 0; l < copy->count; l++)
		copy->leaf[l]->users++;
	copy->users = 1;
	branch->users--;
	ranges->branch[b] = copy;
	return copy;
}

/* Leaf @l of a branch that is ours alone. */
static struct leaf *own_leaf(const struct ranges *ranges, struct branch *branch, uint32_t l)
{
	struct leaf *leaf = branch->leaf[l], *copy;

	if (leaf->users == 1)
		return leaf;
	copy = xmalloc(sizeof(*copy));
	memcpy(copy, leaf, sizeof(*copy));
	copy->users = 1;
	leaf->users--;
	hold_all(ranges, copy, 1);
	branch->leaf[l] = copy;
	return copy;
}

/* As find_place(), for a change. */
static struct place own_place(struct ranges *ranges, uint64_t address)
{
	struct place place = find_place(ranges, address);

	place.branch = own_branch(ranges, place.b);
	place.leaf = own_leaf(ranges, place.branch, place.l);
	return place;
}

/* --- changes --- */

/* Moves ranges [from, count) of a leaf to @at in another or the same; counts are the caller's. */
static void move_ranges(struct leaf *to, uint32_t at, const struct leaf *leaf, uint32_t from)
{
	uint32_t n = leaf->count - from;

	memmove(&to->start[at], &leaf->start[from], n * sizeof(leaf->start[0]));
	memmove(&to->end[at], &leaf->end[from], n * sizeof(leaf->end[0]));
	memmove(&to->value[at], &leaf->value[from], n * sizeof(leaf->value[0]));
}

static void move_leaves(struct branch *to, uint32_t at, const struct branch *branch, uint32_t from)
{
	uint32_t n = branch->count - from;

	memmove(&to->key[at], &branch->key[from], n * sizeof(branch->key[0]));
	memmove(&to->leaf[at], &branch->leaf[from], n * sizeof(branch->leaf[0]));
}

static void add_branch(struct ranges *ranges, size_t at, uint64_t key, struct branch *branch)
{
	if (ranges->branches == ranges->capacity) {
		ranges->capacity = ranges->capacity ? 2 * ranges->capacity : 4;
		ranges->key = xrealloc(ranges->key, ranges->capacity * sizeof(*ranges->key));
		ranges->branch = xrealloc(ranges->branch,
					  ranges->capacity * sizeof(*ranges->branch));
	}
	memmove(&ranges->key[at + 1], &ranges->key[at],
		(ranges->branches - at) * sizeof(*ranges->key));
	memmove(&ranges->branch[at + 1], &ranges->branch[at],
		(ranges->branches - at) * sizeof(*ranges->branch));
	ranges->key[at] = key;
	ranges->branch[at] = branch;
	ranges->branches++;
}

static void remove_branch(struct ranges *ranges, size_t at)
{
	free(ranges->branch[at]);
	ranges->branches--;
	memmove(&ranges->key[at], &ranges->key[at + 1],
		(ranges->branches - at) * sizeof(*ranges->key));
	memmove(&ranges->branch[at], &ranges->branch[at + 1],
		(ranges->branches - at) * sizeof(*ranges->branch));
}

/* A node that grows at its end is left full: ascending addresses fill their nodes. */
static uint32_t split_at(uint32_t at, uint32_t count)
{
	return at == count ? count : count / 2;
}

static void add_leaf(struct ranges *ranges, const struct place *place, uint64_t key,
		     struct leaf *leaf)
{
	struct branch *branch = place->branch;
	uint32_t at = place->l + 1;

	if (branch->count == BRANCH_MOST) {
		struct branch *right = xmalloc(sizeof(*right));
		uint32_t split = split_at(at, branch->count);

		right->users = 1;
		move_leaves(right, 0, branch, split);
		right->count = branch->count - split;
		branch->count = split;
		add_branch(ranges, place->b + 1, right->count ? right->key[0] : key, right);
		if (at > split || !right->count) {
			at -= split;
			branch = right;
		}
	}
	move_leaves(branch, at + 1, branch, at);
	branch->key[at] = key;
	branch->leaf[at] = leaf;
	branch->count++;
}

static void put_range(struct leaf *leaf, uint32_t at, struct range range)
{
	move_ranges(leaf, at + 1, leaf, at);
	leaf->start[at] = range.start;
	leaf->end[at] = range.end;
	leaf->value[at] = range.value;
	leaf->count++;
}

static void plant(struct ranges *ranges)
{
	struct branch *branch = xmalloc(sizeof(*branch));

	branch->users = branch->count = 1;
	branch->key[0] = 0;
	branch->leaf[0] = xmalloc(sizeof(*branch->leaf[0]));
	branch->leaf[0]->users = 1;
	branch->leaf[0]->count = 0;
	add_branch(ranges, 0, 0, branch);
}

static void insert(struct ranges *ranges, const struct place *place, struct range range)
{
	struct leaf *leaf = place->leaf, *right;
	uint32_t split, at = place->next;

	ranges->count++;
	if (leaf->count < LEAF_MOST) {
		put_range(leaf, at, range);
		return;
	}
	right = xmalloc(sizeof(*right));
	split = split_at(at, leaf->count);
	move_ranges(right, 0, leaf, split);
	right->count = leaf->count - split;
	leaf->count = split;
	right->users = 1;
	if (at > split || !right->count)
		put_range(right, at - split, range);
	else
		put_range(leaf, at, range);
	add_leaf(ranges, place, right->start[0], right);
}

/* Takes out a leaf that is ours alone, whose ranges are gone. */
static void unlink_leaf(struct ranges *ranges, size_t b, uint32_t l)
{
	struct branch *branch = ranges->branch[b];

	free(branch->leaf[l]);
	move_leaves(branch, l, branch, l + 1);
	branch->count--;
	if (!branch->count) {
		remove_branch(ranges, b);
	} else if (branch->count < BRANCH_MOST / 4 && b + 1 < ranges->branches &&
		   branch->count + ranges->branch[b + 1]->count <= BRANCH_MOST * 3 / 4) {
		move_leaves(branch, branch->count, own_branch(ranges, b + 1), 0);
		/* Where a leaf is the first of its branch, the key of the branch counts. */
		branch->key[branch->count] = ranges->key[b + 1];
		branch->count += ranges->branch[b + 1]->count;
		remove_branch(ranges, b + 1);
	}
}

/* Takes leaf @l + 1 into leaf @l if both leave room. */
static bool merge(struct ranges *ranges, size_t b, uint32_t l)
{
	struct branch *branch = ranges->branch[b];
	struct leaf *left, *right;

	if (l + 1 >= branch->count)
		return false;
	if (branch->leaf[l]->count + branch->leaf[l + 1]->count > LEAF_MOST * 3 / 4)
		return false;
	left = own_leaf(ranges, branch, l);
	right = own_leaf(ranges, branch, l + 1);
	move_ranges(left, left->count, right, 0);
	left->count += right->count;
	unlink_leaf(ranges, b, l + 1);
	return true;
}

/* Takes away the range before @place->next in its leaf. */
static void take_away(struct ranges *ranges, const struct place *place)
{
	struct leaf *leaf = place->leaf;

	move_ranges(leaf, place->next - 1, leaf, place->next);
	leaf->count--;
	ranges->count--;
	if (!leaf->count)
		unlink_leaf(ranges, place->b, place->l);
	else if (leaf->count < LEAF_MOST / 4 && !merge(ranges, place->b, place->l) && place->l)
		merge(ranges, place->b, place->l - 1);
}

bool ranges_take(struct ranges *ranges, uint64_t start, struct range *taken)
{
	struct place place;

	if (!ranges->count)
		return false;
	place = find_place(ranges, start);
	if (!place.next || place.leaf->start[place.next - 1] != start)
		return false;
	place = own_place(ranges, start);
	*taken = get(place.leaf, place.next - 1);
	take_away(ranges, &place);
	return true;
}

/* The first range that overlaps [start, end). */
static bool overlapping(const struct ranges *ranges, const struct place *place,
			uint64_t start, uint64_t end, struct range *range)
{
	if (get_before(ranges, place, range) && range->end > start)
		return true;
	return get_after(ranges, place, range) && range->start < end;
}

void ranges_put(struct ranges *ranges, struct range range, ranges_gone *gone, void *context)
{
	struct range old;
	struct place place;

	if (!ranges->branches)
		plant(ranges);
	place = find_place(ranges, range.start);
	while (overlapping(ranges, &place, range.start, range.end, &old)) {
		ranges_take(ranges, old.start, &old);
		if (gone)
			gone(context, &old, -1);
		if (!ranges->branches)
			plant(ranges);
		place = find_place(ranges, range.start);
	}
	place = own_place(ranges, range.start);
	insert(ranges, &place, range);
}

void ranges_cut(struct ranges *ranges, uint64_t start, uint64_t end, ranges_gone *gone,
		void *context)
{
	struct range old, part;
	struct place place;
	int pieces;

	while (ranges->count) {
		place = find_place(ranges, start);
		if (!overlapping(ranges, &place, start, end, &old))
			return;
		part = old;
		pieces = -1;
		place = own_place(ranges, old.start);
		if (old.start < start) {
			part.start = start;
			place.leaf->end[place.next - 1] = start;
			pieces++;
		}
		if (old.end > end) {
			part.end = end;
			pieces++;
		}
		/* A start never moves in its place: the keys above it would not know. */
		if (old.start >= start)
			take_away(ranges, &place);
		if (old.end > end)
			ranges_put(ranges, (struct range) { end, old.end, old.value }, NULL, NULL);
		if (gone)
			gone(context, &part, pieces);
	}
}

bool ranges_before(const struct ranges *ranges, uint64_t address, struct range *found)
{
	struct place place;

	if (!ranges->count)
		return false;
	place = find_place(ranges, address);
	return get_before(ranges, &place, found);
}

bool ranges_find(const struct ranges *ranges, uint64_t address, struct range *found)
{
	struct range hole = { 0, UINT64_MAX, 0 }, near;
	struct place place;

	if (!ranges->count) {
		*found = hole;
		return false;
	}
	place = find_place(ranges, address);
	if (get_before(ranges, &place, &near)) {
		if (near.end > address) {
			*found = near;
			return true;
		}
		hole.start = near.end;
	}
	if (get_after(ranges, &place, &near))
		hole.end = near.start;
	*found = hole;
	return false;
}

void ranges_copy(struct ranges *copy, const struct ranges *ranges)
{
	*copy = *ranges;
	copy->capacity = ranges->branches;
	copy->key = xmalloc(copy->capacity * sizeof(*copy->key));
	copy->branch = xmalloc(copy->capacity * sizeof(*copy->branch));
	for (size_t b = 0; b < ranges->branches; b++) {
		copy->key[b] = ranges->key[b];
		copy->branch[b] = ranges->branch[b];
		copy->branch[b]->users++;
	}
}

void ranges_drop(struct ranges *ranges)
{
	for (size_t b = 0; b < ranges->branches; b++)
		drop_branch(ranges, ranges->branch[b]);
	free(ranges->branch);
	free(ranges->key);
	*ranges = (struct ranges) { .hold = ranges->hold, .context = ranges->context };
}
