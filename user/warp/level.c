// SPDX-License-Identifier: GPL-2.0-only
#include "cachesim/plru.h"
#include "warp/level.h"

#define DIGIT_BITS	8
#define DIGITS		(1u << DIGIT_BITS)

bool level_open(struct trace_level *level, const struct cache_geometry *geometry,
		enum cache_policy policy, const struct slice_hash *hash,
		const struct allocator *memory)
{
	uint64_t lines = cache_lines(geometry);

	*level = (struct trace_level){
		.policy = policy, .hash = hash, .geometry = *geometry, .slice = *geometry,
		.shift = hash_shift(8 * lines),
	};
	if (hash)
		level->slice.sets /= hash->slices;
	/* The level may hold as many lines that the shadow has lost, and the one on its way. */
	level->nodes = memory->get((2 * lines + 2) * sizeof(*level->nodes));
	level->buckets = memory->get(hash_slots(level->shift) * sizeof(*level->buckets));
	level->places = memory->get(lines * sizeof(*level->places));
	level->arrivals = memory->get(lines * sizeof(*level->arrivals));
	level->trees = memory->get(geometry->sets * sizeof(*level->trees));
	level->ranks = memory->get(lines * sizeof(*level->ranks));
	level->spare_ranks = memory->get(lines * sizeof(*level->spare_ranks));
	if (!level->nodes || !level->buckets || !level->places || !level->arrivals ||
	    !level->trees || !level->ranks || !level->spare_ranks)
		return false;
	level->nodes[LEVEL_NONE].key = level_key(LEVEL_NO_LINE, 0);
	return true;
}

void level_close(struct trace_level *level, const struct allocator *memory)
{
	memory->put(level->nodes);
	memory->put(level->buckets);
	memory->put(level->places);
	memory->put(level->arrivals);
	memory->put(level->trees);
	memory->put(level->ranks);
	memory->put(level->spare_ranks);
}

/* --- nodes --- */

static void file_node(struct trace_level *level, uint32_t at)
{
	uint32_t *bucket = &level->buckets[hash_slot(node_line(&level->nodes[at]), level->shift)];

	level->nodes[at].chain = *bucket;
	*bucket = at;
}

static uint32_t new_node(struct trace_level *level, uint64_t line)
{
	uint32_t at = level->spare;

	if (at == LEVEL_NONE)
		at = ++level->used;
	else
		level->spare = level->nodes[at].chain;
	level->nodes[at].key = level_key(line, 0);
	file_node(level, at);
	return at;
}

/* One of those that held the line has it no more. */
static void drop(struct trace_level *level, uint32_t at, uint32_t by)
{
	struct level_line *node = &level->nodes[at];
	uint32_t *link;

	node->key &= ~(uint64_t)by;
	if (node_held(node))
		return;
	link = &level->buckets[hash_slot(node_line(node), level->shift)];
	while (*link != at)
		link = &level->nodes[*link].chain;
	*link = node->chain;
	node->key = level_key(LEVEL_NO_LINE, 0);
	node->chain = level->spare;
	level->spare = at;
}

/* --- the shadow --- */

/* One pass of a radix sort, from @ranks into @spare_ranks, which change places. */
static void sort_by_digit(struct trace_level *level, uint32_t low_bit)
{
	struct level_rank *from = level->ranks, *to = level->spare_ranks;
	uint32_t starts[DIGITS] = { 0 }, start = 0, count, i;

	for (i = 0; i < level->ranked; i++)
		starts[from[i].key >> low_bit & (DIGITS - 1)]++;
	for (i = 0; i < DIGITS; i++) {
		count = starts[i];
		starts[i] = start;
		start += count;
	}
	for (i = 0; i < level->ranked; i++)
		to[starts[from[i].key >> low_bit & (DIGITS - 1)]++] = from[i];
	level->ranks = to;
	level->spare_ranks = from;
}

/* All lines of the shadow in order of age. */
static void rank_all(struct trace_level *level)
{
	uint64_t oldest = level->now, span;
	uint32_t at, i, low_bit;

	level->ranked = level->next = 0;
	for (at = 1; at <= level->used; at++)
		if (level->nodes[at].key & HELD_BY_SHADOW) {
			uint64_t time = level->nodes[at].time;

			oldest = time < oldest ? time : oldest;
			level->ranks[level->ranked++] = (struct level_rank){ time, at };
		}
	span = level->now - oldest;
	for (i = 0; i < level->ranked; i++)
		level->ranks[i].key -= oldest;
	for (low_bit = 0; low_bit < 64 && span >> low_bit; low_bit += DIGIT_BITS)
		sort_by_digit(level, low_bit);
	level->ranked_at = level->now;
}

static uint32_t oldest(struct trace_level *level)
{
	uint32_t at;

	do {
		if (level->next == level->ranked)
			rank_all(level);
		at = level->ranks[level->next++].node;
	} while (!(level->nodes[at].key & HELD_BY_SHADOW) ||
		 level->nodes[at].time > level->ranked_at);
	return at;
}

/* Brings a line into the shadow, which has it not. */
static void join_shadow(struct trace_level *level, uint32_t at)
{
	if (level->shadow_lines < cache_lines(&level->geometry))
		level->shadow_lines++;
	else
		drop(level, oldest(level), HELD_BY_SHADOW);
	level->nodes[at].key |= HELD_BY_SHADOW;
}

/* --- accesses --- */

/* Makes every node of the tree above a way point to the other half. */
void level_turn(struct trace_level *level, uint32_t place)
{
	uint32_t ways = level->geometry.ways;

	plru_renew(&level->trees[place / ways], ways, place % ways);
}

uint32_t level_use(struct trace_level *level, uint64_t line, uint32_t *node)
{
	uint32_t at = level_find(level, line), held = node_held(&level->nodes[at]);

	if (held == HELD_BY_BOTH) {
		level_renew(level, &level->nodes[at]);
		*node = at;
		return held;
	}
	if (at == LEVEL_NONE)
		at = new_node(level, line);
	if (held & HELD_BY_LEVEL)
		level_renew(level, &level->nodes[at]);
	else
		level->nodes[at].time = ++level->now;
	if (!(held & HELD_BY_SHADOW))
		join_shadow(level, at);
	*node = at;
	return held;
}

static uint32_t first_arrived(const uint64_t *arrivals, uint32_t ways)
{
	uint32_t result = 0, way;

	for (way = 1; way < ways; way++)
		result = arrivals[way] < arrivals[result] ? way : result;
	return result;
}

static uint32_t least_recent(const struct level_line *nodes, const uint32_t *places, uint32_t ways)
{
	uint64_t least = nodes[places[0]].time, time;
	uint32_t result = 0, way;

	for (way = 1; way < ways; way++) {
		time = nodes[places[way]].time;
		result = time < least ? way : result;
		least = time < least ? time : least;
	}
	return result;
}

/* The place of a set that is filled next. */
static uint32_t next_place(const struct trace_level *level, uint32_t set)
{
	uint32_t ways = level->geometry.ways, first = set * ways, way;

	if (level->policy == POLICY_LRU)
		return first + least_recent(level->nodes, level->places + first, ways);
	if (level->policy == POLICY_FIFO)
		return first + first_arrived(level->arrivals + first, ways);
	for (way = 0; way < ways; way++)
		if (level->places[first + way] == LEVEL_NONE)
			return first + way;
	return first + plru_victim(level->trees[set], ways);
}

uint64_t level_fill(struct trace_level *level, uint32_t set, uint32_t node)
{
	uint32_t place = next_place(level, set), old = level->places[place];
	uint64_t line = node_line(&level->nodes[old]);

	level->places[place] = node;
	level->arrivals[place] = level->now;
	level->nodes[node].place = place;
	level->nodes[node].key |= HELD_BY_LEVEL;
	if (level->policy == POLICY_PLRU)
		level_turn(level, place);
	if (old != LEVEL_NONE)
		drop(level, old, HELD_BY_LEVEL);
	return line;
}

uint32_t level_take(struct trace_level *level, uint64_t line, uint32_t from)
{
	uint32_t at = level_find(level, line), held = node_held(&level->nodes[at]) & from;

	if (!held)
		return 0;
	if (held & HELD_BY_LEVEL) {
		level->places[level->nodes[at].place] = LEVEL_NONE;
		level->arrivals[level->nodes[at].place] = 0;
	}
	if (held & HELD_BY_SHADOW)
		level->shadow_lines--;
	drop(level, at, held);
	return held;
}

/* --- the state as such --- */

/* When a place was used last, or filled. 0 = it is free. */
static uint64_t stamp(const struct trace_level *level, uint32_t place)
{
	return level->policy == POLICY_FIFO ? level->arrivals[place] :
					      level->nodes[level->places[place]].time;
}

void level_row(const struct trace_level *level, uint32_t set, uint32_t *nodes)
{
	uint32_t ways = level->geometry.ways, first = set * ways, way, to;
	uint64_t stamps[CACHE_WAYS_MAX];

	if (level->policy == POLICY_PLRU) {
		__builtin_memcpy(nodes, level->places + first, ways * sizeof(*nodes));
		return;
	}
	for (way = 0; way < ways; way++) {
		uint64_t time = stamp(level, first + way);

		for (to = way; to && time > stamps[to - 1]; to--) {
			stamps[to] = stamps[to - 1];
			nodes[to] = nodes[to - 1];
		}
		stamps[to] = time;
		nodes[to] = level->places[first + way];
	}
}

/*
 * Times of lines that the shadow has stay in order. Those that it has lost are older in any case;
 * only the rows show their order.
 */
void level_replace(struct trace_level *level, const uint32_t *rows)
{
	uint32_t lines = cache_lines(&level->geometry), ways = level->geometry.ways, place, at;

	for (at = 1; at <= level->used; at++)
		level->nodes[at].time += ways;
	level->now += ways;
	level->ranked_at += ways;
	for (place = 0; place < lines; place++) {
		struct level_line *node = &level->nodes[rows[place]];

		level->places[place] = rows[place];
		level->arrivals[place] = 0;
		if (rows[place] == LEVEL_NONE)
			continue;
		node->place = place;
		level->arrivals[place] = level->now - place % ways;
		if (node_held(node) == HELD_BY_LEVEL)
			node->time = ways - place % ways;
	}
}

uint32_t level_order(struct trace_level *level, uint64_t *lines)
{
	uint32_t i;

	rank_all(level);
	for (i = 0; i < level->ranked; i++)
		lines[i] = node_line(&level->nodes[level->ranks[level->ranked - 1 - i].node]);
	return level->ranked;
}

void level_refile(struct trace_level *level)
{
	uint32_t at;

	__builtin_memset(level->buckets, 0, hash_slots(level->shift) * sizeof(*level->buckets));
	for (at = 1; at <= level->used; at++)
		if (node_held(&level->nodes[at]))
			file_node(level, at);
}
