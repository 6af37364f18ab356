// SPDX-License-Identifier: GPL-2.0-only
/*
 * Known cases on the caches of the C2Sim paper (32K/8, 256K/8, 20M/20), as their kernels refer to
 * memory, with addresses as they are (identity pages): the 19-point stencil conflicts in L1 and not
 * in L2, elimination along columns of 1024 doubles in L2 and not in L1; padding cures each.
 */
#include <stdio.h>
#include <string.h>

#include "cache-memory.h"
#include "cachesim/hierarchy.h"
#include "tap.h"

static struct hierarchy h;

static void open_caches(void)
{
	struct hierarchy_plan plan = { .levels = 3 };

	cache_geometry_parse(&plan.level[0].geometry, "32K,8,64");
	cache_geometry_parse(&plan.level[1].geometry, "256K,8,64");
	cache_geometry_parse(&plan.level[2].geometry, "20M,20,64");
	plan.level[2].inclusion = INCLUSIVE;
	plan.level[2].hash = slice_hash_named("intel-8");
	hierarchy_open(&h, &plan, NULL, &libc_allocator);
}

static void refer(uint64_t address, bool store, uint32_t site)
{
	struct access_result result;

	hierarchy_touch(&h, address / 64, store, site, &result);
}

static double conflict_share(uint32_t n)
{
	uint64_t misses = level_misses(&h.level[n].counts);

	return misses ? (double)h.level[n].counts.outcomes[CLASS_CONFLICT] / misses : 0;
}

/* The cells of 7 grids of 18 x 64 x 128 floats, grid m beginning m * pad bytes late. */
static void stencil(uint64_t pad)
{
	static const int offsets[] = {
		-8192, 8192, -128, 128, -1, 1, -8320, -8064, 8064, 8320, -129, -127, 127, 129,
		-8193, -8191, 8191, 8193, 0,
	};
	const uint64_t size = 18 * 64 * 128 * 4 + 4096 * 2;

	for (int row = 0; row < 16 * 62; row++)
		for (int z = 1; z < 127; z++) {
			uint64_t cell = (row / 62 + 1) * 8192 + (row % 62 + 1) * 128 + z;

			for (int i = 0; i < 19; i++)
				refer((1 << 20) + (cell + offsets[i]) * 4, false, i);
			for (int grid = 1; grid < 7; grid++)
				refer((1 << 20) + grid * (size + pad) + cell * 4, grid == 6, 20);
		}
}

static void columns(uint64_t pad)
{
	const uint64_t row = 8192 + pad, second = (1 << 24) + 1024 * row;

	for (uint64_t column = 0; column < 128; column++)
		for (uint64_t i = 1; i < 1024; i++) {
			refer((1 << 24) + i * row + column * 8, false, 1);
			refer(second + i * row + column * 8, false, 2);
			refer((1 << 24) + (i - 1) * row + column * 8, false, 3);
			refer((1 << 24) + i * row + column * 8, true, 4);
		}
}

static double peak(uint32_t n)
{
	return h.level[n].pressure.windows ?
	       (double)h.level[n].pressure.peaks / h.level[n].pressure.windows : 0;
}

int main(void)
{
	double l1, l2;

	open_caches();
	stencil(0);
	l1 = conflict_share(0);
	l2 = conflict_share(1);
	ok(l1 > 0.90 && l1 < 0.95, "stencil: %.1f%% of the L1 misses are conflicts", 100 * l1);
	ok(l2 < 0.005, "stencil: %.2f%% of the L2 misses", 100 * l2);
	hierarchy_close(&h);
	open_caches();
	stencil(576);
	ok(conflict_share(0) < 0.005, "padded: %.2f%% of the L1 misses", 100 * conflict_share(0));
	hierarchy_close(&h);

	open_caches();
	columns(0);
	l1 = conflict_share(0);
	l2 = conflict_share(1);
	ok(l1 < 0.005, "columns of 1024 doubles: %.2f%% of the L1 misses", 100 * l1);
	ok(l2 > 0.8, "columns of 1024 doubles: %.1f%% of the L2 misses are conflicts", 100 * l2);
	ok(peak(0) > 120, "... and L1 has up to %.0f lines on a set of 8 ways", peak(0));
	hierarchy_close(&h);
	open_caches();
	columns(64);
	ok(conflict_share(0) < 0.005 && conflict_share(1) < 0.005,
	   "padded: %.2f%% of the L1, %.2f%% of the L2 misses", 100 * conflict_share(0),
	   100 * conflict_share(1));
	ok(peak(0) < 17, "... and L1 has up to %.0f lines on a set", peak(0));
	hierarchy_close(&h);
	return done();
}
