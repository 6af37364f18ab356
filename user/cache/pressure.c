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
	pressure->missed = memory->get((uint64_t)lines * sizeof(*pressure->missed));
	return pressure->entries && pressure->counts && pressure->missed;
}

void pressure_close(struct pressure *pressure, const struct cache_memory *memory)
{
	memory->put(pressure->entries);
	memory->put(pressure->counts);
	memory->put(pressure->missed);
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

void pressure_close_window(struct pressure *pressure)
{
	uint32_t peak = 0, set, i;

	for (i = 0; i < pressure->misses; i++)
		pressure->counts[pressure->missed[i].set] += add(pressure,
								 pressure->missed[i].line);
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
