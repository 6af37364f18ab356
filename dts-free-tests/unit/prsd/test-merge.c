// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sequences of many members as one: each member's own comes out of it again, whatever they are; what
 * all have in common is kept once. Seeds 1 to 400; no cache is simulated.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "draw.h"
#include "tap.h"
#include "base/random.h"
#include "prsd/merge.h"

#define MEMBERS	12
#define ITEMS	3000

struct sequence {
	struct merge_item items[ITEMS];
	uint64_t addresses[2 * ITEMS];
	uint32_t count;
};

/* Items of key k have k % 3 slots. */
static void put(struct sequence *s, uint64_t key, uint64_t first, uint64_t second)
{
	s->items[s->count] = (struct merge_item){ key, 2 * s->count, key % 3 };
	s->addresses[2 * s->count] = first;
	s->addresses[2 * s->count + 1] = second;
	s->count++;
}

/* As the first member's, with items left out, added, and addresses of its own. */
static void derive(struct sequence *s, const struct sequence *from, uint32_t member,
		   uint64_t noise)
{
	uint32_t i;

	s->count = 0;
	for (i = 0; i < from->count; i++) {
		const uint64_t *addresses = from->addresses + from->items[i].at;
		uint64_t moved = draw(100) < noise ? draw(1000) : member * (i % 7) * 64;

		if (s->count + 2 < ITEMS && draw(100) < noise)
			put(s, draw(40), draw(9), draw(9));
		if (s->count + 2 < ITEMS && draw(100) >= noise)
			put(s, from->items[i].key, addresses[0] + moved, addresses[1] - moved);
	}
}

/* What a merge says that a member did, against what it did. */
static bool comes_back(const struct merge *m, uint32_t member, const struct sequence *s)
{
	uint32_t members[MEMBERS], i, n, slot, at = 0, number;

	for (i = 0; i < m->step_count; i++)
		for (number = m->steps[i].groups; number; number = m->groups[number - 1].next) {
			const struct merge_group *group = &m->groups[number - 1];
			uint32_t count = m->sets->all[group->set].count;

			member_sets_list(m->sets, group->set, members);
			for (n = 0; n < count && members[n] != member; n++)
				;
			if (n == count)
				continue;
			if (at == s->count || s->items[at].key != m->steps[i].key)
				return false;
			for (slot = 0; slot < m->steps[i].slots; slot++)
				if (s->addresses[s->items[at].at + slot] != group->first[slot] + n *
				    merge_strides(group, m->steps[i].slots)[slot])
					return false;
			at++;
		}
	return at == s->count;
}

static bool random_members(uint64_t from)
{
	struct sequence *all = calloc(MEMBERS + 1, sizeof(*all));
	uint32_t members = 1 + from % MEMBERS, items = 1 + from * 37 % ITEMS, i;
	uint64_t noise = from % 4 ? from % 30 : 0;
	struct member_sets sets = { NULL };
	struct merge m;
	bool same = true;

	state = from * 0x9e3779b97f4a7c15u | 1;
	merge_open(&m, &sets);
	for (i = 0; i < items; i++)
		put(&all[MEMBERS], draw(1 + from % 50), draw(1 << 20), draw(1 << 20));
	for (i = 0; i < members; i++) {
		/* Every fifth has nothing to do with the others. */
		derive(&all[i], &all[MEMBERS], i, i % 5 == 4 ? 100 : noise);
		same &= !merge_add(&m, i, all[i].items, all[i].count, all[i].addresses);
	}
	for (i = 0; i < members; i++)
		same &= comes_back(&m, i, &all[i]);
	merge_close(&m);
	member_sets_free(&sets);
	free(all);
	return same;
}

/* Members that differ by strides alone: one group a step, however many they are. */
static void equal_members(void)
{
	struct sequence *all = calloc(2, sizeof(*all));
	struct member_sets sets = { NULL };
	struct merge m;
	uint32_t i;

	state = 1;
	merge_open(&m, &sets);
	for (i = 0; i < ITEMS; i++)
		put(&all[0], draw(40), draw(1 << 20), draw(1 << 20));
	for (i = 0; i < 64; i++) {
		derive(&all[1], &all[0], i, 0);
		merge_add(&m, i, all[1].items, all[1].count, all[1].addresses);
	}
	ok(m.step_count == all[1].count && m.group_count == all[1].count,
	   "64 members: %u steps, %u groups, as one has items", m.step_count, m.group_count);
	ok(sets.count == 65, "... and one set for each number of members");
	merge_close(&m);
	member_sets_free(&sets);
	free(all);
}

/* One that leaves something out is aligned again at once. */
static void left_out(void)
{
	struct sequence *all = calloc(2, sizeof(*all));
	struct member_sets sets = { NULL };
	struct merge m;
	uint32_t i;

	merge_open(&m, &sets);
	for (i = 0; i < 1000; i++)
		put(&all[0], i, i, i);
	for (i = 0; i < 1000; i++)
		if (i < 300 || i >= 800)
			put(&all[1], i, i, i);
	for (i = 0; i < 2; i++)
		merge_add(&m, i, all[i].items, all[i].count, all[i].addresses);
	ok(m.step_count == 1000 && m.group_count == 1000, "500 items left out: no step more");
	merge_close(&m);
	member_sets_free(&sets);
	free(all);
}

int main(void)
{
	uint64_t from, wrong = 0;

	for (from = 1; from <= 400; from++)
		wrong += !random_members(from);
	ok(!wrong, "400 random sets of members: each comes out again");
	equal_members();
	left_out();
	return done();
}
