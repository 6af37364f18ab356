// SPDX-License-Identifier: GPL-2.0-only
#include <stddef.h>

#include "cachesim/sampled-l1.h"

#define LOG_LEAST	4096u	/* entries */
#define LOG_LINES	16u	/* ... for each line of L1 */
#define KEPT_BEHIND	2u	/* times L1's lines: entries that far from the end stay there */
#define STEP		256u	/* entries read before the search for the floor may stop */
#define OLD_LEAST	32u	/* lines put in order when a burst begins: twice the least one */
#define FEW		48u	/* lines that are sorted by insertion */
#define DIGITS		256u	/* ... else by one after the other of their times' */
#define FINE_BITS	4u	/* of an age: these after the first one tell its class */
#define FINE		(1u << FINE_BITS)
#define AGES		((64 - FINE_BITS) * FINE + FINE)

bool sampled_l1_open(struct sampled_l1 *l1, const struct cache_geometry *geometry,
		     const struct allocator *memory)
{
	uint32_t lines = cache_lines(geometry), entries = LOG_LEAST, i;
	struct way *ways;
	bool open;

	*l1 = (struct sampled_l1){
		.lines = lines, .memory = memory, .words.memory = memory,
		.numbers.memory = memory, .next = SAMPLED_FIRST, .first = SAMPLED_FIRST,
	};
	while (entries < LOG_LINES * (uint64_t)lines)
		entries *= 2;
	l1->log_mask = entries - 1;
	l1->log_most = entries - 1 - lines;
	open = array_open(&l1->array, geometry, POLICY_LRU, memory) &&
	       lines_open(&l1->numbers, memory) && line_words_open(&l1->words, 1, memory);
	l1->nodes = memory->get((uint64_t)lines * sizeof(*l1->nodes));
	l1->log = memory->get((uint64_t)entries * sizeof(*l1->log));
	l1->found = memory->get((uint64_t)entries * sizeof(*l1->found));
	l1->old = memory->get(((uint64_t)entries + lines) * sizeof(*l1->old));
	l1->spare_old = memory->get(((uint64_t)entries + lines) * sizeof(*l1->old));
	l1->recent = words_blocks_open(memory);
	if (!open || !l1->nodes || !l1->log || !l1->found || !l1->old ||
	    !l1->spare_old || !l1->recent) {
		sampled_l1_close(l1);
		return false;
	}
	ways = (struct way *)l1->array.tags;
	for (i = 0; i < lines; i++)
		ways[i].sampled = &l1->nodes[i];
	return true;
}

void sampled_l1_close(struct sampled_l1 *l1)
{
	array_close(&l1->array, l1->memory);
	l1->memory->put(l1->nodes);
	l1->memory->put(l1->log);
	l1->memory->put(l1->found);
	l1->memory->put(l1->old);
	l1->memory->put(l1->spare_old);
	l1->memory->put(l1->recent);
	line_words_close(&l1->words);
	lines_close(&l1->numbers);
}

/* --- the floor --- */

/* The class of an age, increasing. */
static inline uint32_t age_class(uint64_t age)
{
	uint32_t more;

	if (age < FINE)
		return age;
	more = 63 - FINE_BITS - __builtin_clzll(age);
	return (more + 1) * FINE + (age >> more & (FINE - 1));
}

struct search {
	uint64_t now;
	uint32_t counts[AGES];		/* lines found, by age */
	uint32_t found;			/* of the log */
	uint32_t oldest;		/* the class in which the shadow's last line is */
	uint32_t younger;		/* lines of classes before it */
};

static struct sampled_left *entry_of(const struct sampled_l1 *l1, uint32_t number)
{
	return &l1->log[number & l1->log_mask];
}

static void count_inside(const struct sampled_l1 *l1, struct search *search)
{
	const struct way *ways = (const struct way *)l1->array.tags;
	uint32_t i;

	for (i = 0; i < l1->lines; i++)
		if (ways[i].tag != TAG_EMPTY)
			search->counts[age_class(search->now - ways[i].sampled->time)]++;
}

/* Lines found whose age is of an earlier class. */
static uint32_t younger_than(const struct search *search, uint32_t class)
{
	uint32_t count = 0, i;

	for (i = 0; i < class; i++)
		count += search->counts[i];
	return count;
}

/* Lines that left, the latest first, until none can be in the shadow any more. */
static void count_outside(struct sampled_l1 *l1, struct search *search)
{
	uint32_t number = l1->next, passed = 0;

	while (number != l1->first) {
		const struct sampled_left *entry = entry_of(l1, --number);

		if (number >= SAMPLED_FIRST && *entry->left == number) {
			search->counts[age_class(search->now - entry->time)]++;
			l1->found[search->found++] = number;
		}
		if (++passed % STEP == 0 && number >= SAMPLED_FIRST &&
		    younger_than(search, age_class(search->now - entry->when)) >= l1->lines)
			return;
	}
}

/* Return: whether the shadow is full. */
static bool search_floor(struct sampled_l1 *l1, struct search *search, uint64_t now)
{
	uint32_t class, total = 0;

	search->now = now;
	search->found = 0;
	for (class = 0; class < AGES; class++)
		search->counts[class] = 0;
	count_inside(l1, search);
	count_outside(l1, search);
	for (class = 0; class < AGES; class++) {
		if (total + search->counts[class] >= l1->lines)
			break;
		total += search->counts[class];
	}
	search->oldest = class;
	search->younger = total;
	return class < AGES;
}

/*
 * Lines of the shadow whose entries lie far behind get new ones: the next search need not go so
 * far, and entries that are overwritten do not matter.
 */
static void bring_forward(struct sampled_l1 *l1, const struct search *search)
{
	uint32_t end = l1->next, near = KEPT_BEHIND * l1->lines, i;

	if (end - l1->first <= near)
		return;
	for (i = search->found; i-- > 0 && end - l1->found[i] > near;) {
		const struct sampled_left *entry = entry_of(l1, l1->found[i]);
		struct sampled_node node = { entry->time, entry->left };

		if (node.time >= l1->floor)
			sampled_l1_leave(l1, &node, search->now, entry->evictor);
	}
	l1->first = end - near;
}

/* --- the oldest lines --- */

static void insert_sorted(struct sampled_old *old, uint32_t count)
{
	uint32_t i, at;

	for (i = 1; i < count; i++) {
		struct sampled_old moved = old[i];

		for (at = i; at && old[at - 1].time > moved.time; at--)
			old[at] = old[at - 1];
		old[at] = moved;
	}
}

static void sort_by_digit(struct sampled_l1 *l1, uint64_t since, uint32_t shift)
{
	struct sampled_old *from = l1->old, *to = l1->spare_old;
	uint32_t places[DIGITS] = { 0 }, place = 0, i;

	for (i = 0; i < l1->old_count; i++)
		places[(from[i].time - since) >> shift & (DIGITS - 1)]++;
	for (i = 0; i < DIGITS; i++) {
		uint32_t count = places[i];

		places[i] = place;
		place += count;
	}
	for (i = 0; i < l1->old_count; i++)
		to[places[(from[i].time - since) >> shift & (DIGITS - 1)]++] = from[i];
	l1->old = to;
	l1->spare_old = from;
}

static void sort_old(struct sampled_l1 *l1)
{
	uint64_t least = UINT64_MAX, most = 0;
	uint32_t shift, i;

	if (l1->old_count <= FEW) {
		insert_sorted(l1->old, l1->old_count);
		return;
	}
	for (i = 0; i < l1->old_count; i++) {
		uint64_t time = l1->old[i].time;

		least = time < least ? time : least;
		most = time > most ? time : most;
	}
	for (shift = 0; shift < 64 && (most - least) >> shift; shift += 8)
		sort_by_digit(l1, least, shift);
}

/* What was found in these classes, with L1's lines. */
static void gather(struct sampled_l1 *l1, const struct search *search, uint32_t from)
{
	const struct way *ways = (const struct way *)l1->array.tags;
	uint32_t width = search->oldest - from, i, kept = 0;

	for (i = 0; i < search->found; i++) {
		const struct sampled_left *entry = entry_of(l1, l1->found[i]);

		if (age_class(search->now - entry->time) - from <= width)
			l1->old[kept++] = (struct sampled_old){
				entry->time, entry->left, SAMPLED_NO_NODE, 0,
			};
	}
	for (i = 0; i < l1->lines; i++) {
		const struct sampled_node *node = ways[i].sampled;

		if (ways[i].tag != TAG_EMPTY && age_class(search->now - node->time) - from <= width)
			l1->old[kept++] = (struct sampled_old){
				node->time, node->left, node - l1->nodes,
				i / l1->array.shape.geometry.ways,
			};
	}
	l1->old_count = kept;
}

/* The floor, and the oldest lines from there on. */
static void find_oldest(struct sampled_l1 *l1, uint64_t now)
{
	uint32_t from, beyond, ordered;
	struct search search;

	l1->old_next = l1->old_count = l1->room = 0;
	l1->floor = 1;
	if (!search_floor(l1, &search, now)) {
		l1->room = l1->lines - search.younger;
		bring_forward(l1, &search);
		return;
	}
	beyond = search.younger + search.counts[search.oldest] - l1->lines;
	ordered = search.counts[search.oldest] - beyond;
	for (from = search.oldest; from && ordered < l1->old_wanted; from--)
		ordered += search.counts[from - 1];
	gather(l1, &search, from);
	sort_old(l1);
	l1->old_next = beyond;
	l1->floor = l1->old[beyond].time;
	bring_forward(l1, &search);
}

/* Whether a line was not used since it was put in order. One that is first in its row is marked. */
static bool unused(struct sampled_l1 *l1, const struct sampled_old *old)
{
	const struct sampled_left *entry = entry_of(l1, *old->left);
	const struct sampled_node *node;
	struct way *row;

	if (*old->left >= SAMPLED_FIRST)
		return entry->left == old->left && entry->time == old->time;
	if (old->node == SAMPLED_NO_NODE)
		return false;
	node = &l1->nodes[old->node];
	if (node->left != old->left || node->time != old->time)
		return false;
	row = (struct way *)array_row(&l1->array, old->set);
	if (row->sampled == node)
		row->tag |= TAG_ORPHAN;
	return true;
}

/* A line comes into the shadow, and the oldest one leaves it if it is full. */
static void make_room(struct sampled_l1 *l1, uint64_t now)
{
	struct sampled_old oldest;

	if (l1->room) {
		l1->room--;
		return;
	}
	do {
		if (l1->old_next == l1->old_count) {
			l1->old_wanted *= 2;
			if (l1->old_wanted > l1->lines)
				l1->old_wanted = l1->lines;
			find_oldest(l1, now);
		}
		oldest = l1->old[l1->old_next++];
	} while (!unused(l1, &oldest));
	l1->floor = oldest.time + 1;
}

void sampled_l1_shorten(struct sampled_l1 *l1, uint64_t time)
{
	if (l1->exact) {
		find_oldest(l1, time);
		return;
	}
	l1->old_wanted = 1;
	find_oldest(l1, time);
	l1->floor = 0;
}

/* --- classes --- */

void sampled_l1_begin(struct sampled_l1 *l1, uint64_t time)
{
	uint32_t ways = l1->array.shape.geometry.ways, i;
	struct way *rows = (struct way *)l1->array.tags;

	l1->exact = true;
	l1->old_wanted = OLD_LEAST;
	find_oldest(l1, time);
	for (i = 0; i < l1->lines; i += ways)
		if (rows[i].tag != TAG_EMPTY && rows[i].sampled->time < l1->floor)
			rows[i].tag |= TAG_ORPHAN;
}

void sampled_l1_end(struct sampled_l1 *l1)
{
	uint32_t ways = l1->array.shape.geometry.ways, i;
	struct way *rows = (struct way *)l1->array.tags;

	l1->exact = false;
	l1->floor = 0;
	for (i = 0; i < l1->lines; i += ways)
		if (rows[i].tag != TAG_EMPTY)
			rows[i].tag &= ~TAG_ORPHAN;
}

__attribute__((noinline)) void sampled_l1_saved(struct sampled_l1 *l1, uint64_t time)
{
	make_room(l1, time);
}

__attribute__((noinline)) struct sampled_miss sampled_l1_class(struct sampled_l1 *l1,
							       struct way *row, uint32_t *left,
							       uint64_t time)
{
	const struct sampled_left *entry = entry_of(l1, *left);
	struct sampled_miss miss = { *left == SAMPLED_NEW ? CLASS_COLD : CLASS_CAPACITY, 0 };

	if (*left >= SAMPLED_FIRST && entry->left == left && entry->time >= l1->floor)
		miss = (struct sampled_miss){ CLASS_CONFLICT, entry->evictor };
	else
		make_room(l1, time);
	if (row->tag != TAG_EMPTY)
		row->tag &= ~TAG_ORPHAN;
	return miss;
}
