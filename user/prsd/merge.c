// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "prsd/merge.h"
#include "prsd/room.h"

#define WINDOW		1024u	/* items, and steps, in which to look for what is equal again */
#define GROUPS_TRIED	64u	/* of a step, the newest first */

/* --- sets --- */

void member_sets_free(struct member_sets *sets)
{
	libc_allocator.put(sets->all);
	map_free(&sets->longer);
}

/* Return: the set with one member more, which is not in it; 0 without memory. */
static uint32_t member_sets_add(struct member_sets *sets, uint32_t set, uint32_t member)
{
	uint64_t *longer = map_at(&sets->longer, (uint64_t)set << 32 | member);
	uint32_t number;

	if (*longer)
		return *longer;
	number = sets->count ? sets->count : 1;
	if (!room_for(&sets->all, &sets->room, number + 1ull, sizeof(*sets->all),
		      &libc_allocator))
		return 0;
	sets->all[number] = (struct member_set){ set, member, sets->all[set].count + 1 };
	sets->count = number + 1;
	*longer = number;
	return number;
}

void member_sets_list(const struct member_sets *sets, uint32_t set, uint32_t *members)
{
	for (; set; set = sets->all[set].before)
		members[sets->all[set].count - 1] = sets->all[set].last;
}

/* --- where steps of a key are --- */

struct places {
	struct map first;		/* key -> step + 1, from the current step on */
	uint32_t *next;			/* by step: the next one of its key + 1, 0 = none */
};

static bool places_open(struct places *places, const struct merge *m)
{
	uint64_t *first;
	uint32_t i;

	*places = (struct places){ .next = calloc(m->step_count + 1ull, sizeof(*places->next)) };
	for (i = m->step_count; places->next && i--;) {
		first = map_at(&places->first, m->steps[i].key);
		places->next[i] = *first;
		*first = i + 1;
	}
	return places->next;
}

static void places_close(struct places *places)
{
	map_free(&places->first);
	free(places->next);
}

/* The first step of a key from @from on, which never decreases. Return: its number + 1 or 0. */
static uint32_t place_of(struct places *places, uint64_t key, uint32_t from)
{
	uint32_t step = map_get(&places->first, key), was = step;

	while (step && places->next[step - 1] && step - 1 < from)
		step = places->next[step - 1];
	if (step != was)
		*map_at(&places->first, key) = step;
	return step && step - 1 >= from ? step : 0;
}

/* --- alignment --- */

struct alignment {
	struct merge *m;
	struct merge_step *steps;	/* as they will be */
	uint32_t step_count;
	struct places places;
	uint32_t member;
	const struct merge_item *items;
	uint32_t count;
	const uint64_t *addresses;
	uint32_t i, j;			/* step and item that come next */
};

/* A group of this item alone. */
static int add_group(struct alignment *a, struct merge_step *step, const struct merge_item *item)
{
	struct merge *m = a->m;
	struct merge_group *group;

	if (!room_for(&m->groups, &m->group_room, m->group_count + 1ull, sizeof(*m->groups),
		      &libc_allocator))
		return -ENOMEM;
	group = &m->groups[m->group_count];
	group->set = member_sets_add(m->sets, 0, a->member);
	group->first = item->slots ? calloc(item->slots, 2 * sizeof(*group->first)) : NULL;
	if (!group->set || (item->slots && !group->first))
		return -ENOMEM;
	if (item->slots)
		memcpy(group->first, a->addresses + item->at,
		       item->slots * sizeof(*group->first));
	group->next = step->groups;
	step->groups = ++m->group_count;
	return 0;
}

/* Whether the item is the group's next member; the second one decides the strides. */
static bool fits(const struct alignment *a, const struct merge_group *group,
		 const struct merge_item *item)
{
	uint32_t members = a->m->sets->all[group->set].count, i;
	const uint64_t *addresses;
	uint64_t *strides;

	if (!item->slots)
		return true;	/* about an image: no addresses */
	addresses = a->addresses + item->at;
	strides = merge_strides(group, item->slots);
	for (i = 0; i < item->slots && members == 1; i++)
		strides[i] = addresses[i] - group->first[i];
	for (i = 0; i < item->slots; i++)
		if (addresses[i] != group->first[i] + members * strides[i])
			return false;
	return true;
}

static int join(struct alignment *a, struct merge_step *step, const struct merge_item *item)
{
	struct merge *m = a->m;
	uint32_t number = step->groups, tried;
	struct merge_group *group;

	for (tried = 0; number && tried < GROUPS_TRIED; tried++, number = group->next) {
		group = &m->groups[number - 1];
		if (!fits(a, group, item))
			continue;
		group->set = member_sets_add(m->sets, group->set, a->member);
		return group->set ? 0 : -ENOMEM;
	}
	return add_group(a, step, item);
}

static void copy_steps(struct alignment *a, uint32_t count)
{
	if (!count)
		return;		/* where there are none they have no place either */
	memcpy(a->steps + a->step_count, a->m->steps + a->i, count * sizeof(*a->steps));
	a->step_count += count;
	a->i += count;
}

static int insert_items(struct alignment *a, uint32_t count)
{
	int error = 0;

	for (; count && !error; count--, a->j++) {
		const struct merge_item *item = &a->items[a->j];
		struct merge_step *step = &a->steps[a->step_count++];

		*step = (struct merge_step){ .key = item->key, .slots = item->slots };
		error = add_group(a, step, item);
	}
	return error;
}

static uint32_t least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* Skips to the nearest pair that is equal; without one, half of what was looked through. */
static int skip(struct alignment *a)
{
	uint32_t steps_left = a->m->step_count - a->i, items_left = a->count - a->j;
	uint32_t steps = least(steps_left, WINDOW / 2), items = least(items_left, WINDOW / 2);
	uint32_t best = 2 * WINDOW, b, place;

	for (b = 0; b < least(items_left, WINDOW) && b < best; b++) {
		place = place_of(&a->places, a->items[a->j + b].key, a->i);
		if (!place || place - 1 - a->i >= WINDOW || place - 1 - a->i + b >= best)
			continue;
		steps = place - 1 - a->i;
		items = b;
		best = steps + items;
	}
	copy_steps(a, steps);
	return insert_items(a, items);
}

static int align(struct alignment *a)
{
	const struct merge *m = a->m;
	int error = 0;

	while (!error && (a->i < m->step_count || a->j < a->count)) {
		if (a->i == m->step_count || a->j == a->count ||
		    m->steps[a->i].key != a->items[a->j].key) {
			error = skip(a);
			continue;
		}
		copy_steps(a, 1);
		error = join(a, &a->steps[a->step_count - 1], &a->items[a->j++]);
	}
	return error;
}

void merge_open(struct merge *m, struct member_sets *sets)
{
	*m = (struct merge){ .sets = sets };
}

void merge_close(struct merge *m)
{
	uint32_t i;

	for (i = 0; i < m->group_count; i++)
		free(m->groups[i].first);
	libc_allocator.put(m->groups);
	free(m->steps);
}

int merge_add(struct merge *m, uint32_t member, const struct merge_item *items, uint32_t count,
	      const uint64_t *addresses)
{
	struct alignment a = {
		.m = m, .member = member, .items = items, .count = count, .addresses = addresses,
		.steps = malloc(((uint64_t)m->step_count + count + 1) * sizeof(*a.steps)),
	};
	int error = a.steps && places_open(&a.places, m) ? align(&a) : -ENOMEM;

	places_close(&a.places);
	if (error) {
		free(a.steps);
		return error;
	}
	free(m->steps);
	m->steps = a.steps;
	m->step_count = a.step_count;
	return 0;
}
