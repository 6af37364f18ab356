/* SPDX-License-Identifier: GPL-2.0-only */
/* Results that several records add to, found by what they are about. */
#ifndef CCSAMPLE_SIMULATE_TABLES_H
#define CCSAMPLE_SIMULATE_TABLES_H

#include "simulate/findings.h"
#include "base/map.h"

struct sim_pairs {
	struct map by_key;		/* hash -> number + 1 */
	struct sim_pair *all;
	size_t count, room;
};

struct sim_tables {
	struct sim_pairs conflicts, aliases, sharings, reuses;
	struct map by_part, by_thing, by_thread;	/* hash or key -> number + 1 */
	struct sim_part *parts;
	size_t part_count, part_room;
	struct sim_thing *things;
	size_t thing_count, thing_room;
	struct sim_thread_level *threads;
	size_t thread_count, thread_room;
};

/*
 * Each returns the entry of its key, made with zero counts where there was none. Valid until the
 * next call.
 */

/* @wanted: victim, evictor and their objects */
struct sim_pair *sim_tables_pair(struct sim_pairs *pairs, const struct sim_pair *wanted);
/* @context: stands for the loop until there are any */
struct sim_part *sim_tables_part(struct sim_tables *tables, size_t context,
				 const struct object *object);
struct sim_thing *sim_tables_thing(struct sim_tables *tables, const struct object *object);
struct sim_thread_level *sim_tables_thread(struct sim_tables *tables, uint32_t process,
					   uint32_t tid, uint32_t level);

/* Hands the arrays over. @places: the new number of a row, by its old one */
void sim_tables_move(struct sim_tables *tables, struct sim_findings *findings,
		     const size_t *places);
void sim_tables_free(struct sim_tables *tables);

#endif /* CCSAMPLE_SIMULATE_TABLES_H */
