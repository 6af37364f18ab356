// SPDX-License-Identifier: GPL-2.0-only
#include "cachesim/pressure.h"

bool pressure_open(struct pressure *pressure, const struct cache_geometry *geometry,
		   const struct allocator *memory)
{
	*pressure = (struct pressure){
		.sets = geometry->sets,
		.window_misses = cache_lines(geometry), .to_come = cache_lines(geometry),
		.limit = 2 * geometry->ways, .window = 1,
	};
	pressure->counts = memory->get(geometry->sets * sizeof(*pressure->counts));
	return pressure->counts;
}

void pressure_close(struct pressure *pressure, const struct allocator *memory)
{
	memory->put(pressure->counts);
}

__attribute__((noinline)) void pressure_close_window(struct pressure *pressure)
{
	uint32_t peak = 0, set;

	for (set = 0; set < pressure->sets; set++) {
		uint32_t count = pressure->counts[set];

		pressure->counts[set] = 0;
		pressure->lines += count;
		if (count > pressure->limit)
			pressure->pressured += count;
		if (count > peak)
			peak = count;
	}
	pressure->peaks += peak;
	pressure->windows++;
	pressure->window++;
	pressure->to_come = pressure->window_misses;
}
