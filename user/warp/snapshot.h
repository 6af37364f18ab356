/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The caches as they were after an iteration of a loop, to find that they are the same again,
 * renamed: each row of each level, turned by as many sets as the regions move, and each shadow's
 * order hold renamed lines in the same places; and the lines that will be touched next were touched
 * before in the one state as they were, renamed, in the other.
 */
#ifndef CCSAMPLE_WARP_SNAPSHOT_H
#define CCSAMPLE_WARP_SNAPSHOT_H

#include "warp/caches.h"
#include "prsd/regions.h"

struct warp_snapshot {
	uint64_t *rows[CACHE_LEVELS];	/* lines as level_row() orders them */
	uint64_t *trees[CACHE_LEVELS];
	uint64_t *order[CACHE_LEVELS];	/* the shadow's lines, newest first */
	uint64_t *scratch;		/* an order */
	uint32_t used[CACHE_LEVELS];
	struct trace_counts *counts;	/* by slot */
	uint32_t count_room;
	uint32_t log_at;
	uint64_t log_lost;
	uint64_t iteration;		/* of the loop, 0 = no snapshot */
};

/* Return: false without memory; snapshot_close() gives back what there was. */
bool snapshot_open(struct warp_snapshot *s, const struct trace_caches *caches);
void snapshot_close(struct warp_snapshot *s, const struct trace_caches *caches);

/* Return: false without memory. */
bool snapshot_take(struct warp_snapshot *s, struct trace_caches *caches, uint64_t iteration,
		   const struct trace_counts *counts, uint32_t slots);

/**
 * snapshot_recurs() - whether the caches are now as they were, renamed.
 * @iterations: since then
 * @work: increased by what it took, in the order of accesses
 */
bool snapshot_recurs(const struct warp_snapshot *s, struct trace_caches *caches,
		     const struct warp_regions *regions, uint64_t iterations, uint64_t *work);

#endif /* CCSAMPLE_WARP_SNAPSHOT_H */
