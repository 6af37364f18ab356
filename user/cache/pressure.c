// SPDX-License-Identifier: GPL-2.0-only
#include "cache/hash.h"
#include "cache/pressure.h"

bool pressure_open(struct pressure *pressure, const struct cache_geometry *geometry,
		   const struct cache_memory *memory)
{
	uint32_t lines = cache_lines(geometry);

	*pressure = (struct pressure){
		.sets = geometry->sets, .ways = geometry->ways, .window_misses = lines,
		.shift = hash_shift(2 * (uint64_t)lines), .window = 1,
	};
	pressure->entries = memory->get(hash_slots(pressure->shift) * sizeof(*pressure->entries));
	pressure->counts = memory->get(geometry->sets * sizeof(*pressure->counts));
	return pressure->entries && pressure->counts;
}

void pressure_close(struct pressure *pressure, const struct cache_memory *memory)
{
	memory->put(pressure->entries);
	memory->put(pressure->counts);
}

/* Remembers a line for this window. Return: whether it is new. */
static bool add(struct pressure *pressure, uint64_t line)
{
	uint64_t last = hash_slots(pressure->shift) - 1, at = hash_slot(line, pressure->shift);
	struct pressure_entry *entry = &pressure->entries[at];

	while (entry->window == pressure->window && entry->line != line) {
		at = (at + 1) & last;
		entry = &pressure->entries[at];
	}
	if (entry->window == pressure->window)
		return false;
	*entry = (struct pressure_entry){ line, pressure->window };
	return true;
}

static void close_window(struct pressure *pressure)
{
	uint32_t peak = 0, set;

	for (set = 0; set < pressure->sets; set++) {
		uint32_t count = pressure->counts[set];

		pressure->counts[set] = 0;
		pressure->lines += count;
		if (count > 2 * pressure->ways)
			pressure->crowded += count;
		if (count > peak)
			peak = count;
	}
	pressure->peaks += peak;
	pressure->windows++;
	pressure->window++;
	pressure->misses = 0;
}

void pressure_miss(struct pressure *pressure, uint32_t set, uint64_t line)
{
	pressure->counts[set] += add(pressure, line);
	if (++pressure->misses == pressure->window_misses)
		close_window(pressure);
}
