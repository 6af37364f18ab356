// SPDX-License-Identifier: GPL-2.0-only
#include "cachesim/distance.h"

#define ROOM_FIRST 16

static void add(struct distance *d, uint32_t time, uint32_t change)
{
	for (; time <= d->room; time += time & -time)
		d->tree[time] += change;
}

/* Keys that were last used at @time or before. */
static uint32_t up_to(const struct distance *d, uint32_t time)
{
	uint32_t sum = 0;

	for (; time; time &= time - 1)
		sum += d->tree[time];
	return sum;
}

/* Times 1 .. live in the old order, with as much room again. */
static bool renumber(struct distance *d, uint32_t *times, const struct allocator *memory)
{
	struct distance old = *d;
	uint32_t time;

	d->room = 2 * old.live + ROOM_FIRST;
	d->tree = memory->get(((uint64_t)d->room + 1) * sizeof(*d->tree));
	d->keys = memory->get(((uint64_t)d->room + 1) * sizeof(*d->keys));
	if (!d->tree || !d->keys) {
		distance_close(d, memory);
		*d = old;
		return false;
	}
	d->now = 0;
	for (time = 1; time <= old.now; time++) {
		if (!old.keys[time])
			continue;
		d->keys[++d->now] = old.keys[time];
		times[old.keys[time] - 1] = d->now;
		add(d, d->now, 1);
	}
	distance_close(&old, memory);
	return true;
}

bool distance_use(struct distance *d, uint32_t key, uint32_t *times, uint32_t *distance,
		  const struct allocator *memory)
{
	uint32_t last;

	if (d->now == d->room && !renumber(d, times, memory))
		return false;
	last = times[key];
	*distance = DISTANCE_NEW;
	if (last) {
		*distance = d->live - up_to(d, last);
		add(d, last, -1);
		d->keys[last] = 0;
	} else {
		d->live++;
	}
	times[key] = ++d->now;
	d->keys[d->now] = key + 1;
	add(d, d->now, 1);
	return true;
}

void distance_close(struct distance *d, const struct allocator *memory)
{
	memory->put(d->tree);
	memory->put(d->keys);
}
