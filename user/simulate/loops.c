// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "simulate/loops.h"
#include "base/map.h"
#include "base/memory.h"

void sim_row_name(struct sim_row *row, struct contexts *contexts, size_t number)
{
	const struct code_site *site = contexts_site(contexts, number);
	const struct code_region *around = &contexts_tally(contexts, site->context)->region;

	row->region = (struct code_region){
		.kind = REGION_INSTRUCTION, .module = site->module,
		.dso = around->dso, .function = around->function,
		.file = site->file, .line = site->line, .address = site->address,
	};
	row->loop = site->context;
}

static void add_counts(struct sim_counts *to, const struct sim_counts *from)
{
	to->references += from->references;
	sim_sharing_add(&to->sharing, &from->sharing);
	for (int n = 0; n < CACHE_LEVELS; n++) {
		outcomes_add(to->outcomes[n], from->outcomes[n]);
		to->pressured[n] += from->pressured[n];
		to->saved[n] += from->saved[n];
	}
}

static void add_row(struct sim_findings *findings, const struct sim_row *row)
{
	struct sim_loop *loop = &findings->loops[row->loop];

	add_counts(&loop->self, &row->counts);
	for (;; loop = &findings->loops[loop->region.parent - 1]) {
		add_counts(&loop->nest, &row->counts);
		if (!loop->region.parent)
			return;
	}
}

void sim_loops_fill(struct sim_findings *findings, struct contexts *contexts)
{
	size_t count = contexts_count(contexts), i;
	struct code_pieces pieces = {
		.all = xcalloc(count + 1, sizeof(*findings->loops)),
		.step = sizeof(*findings->loops),
		.numbers = xcalloc(count + 1, sizeof(*pieces.numbers)),
	};

	findings->loops = pieces.all;
	for (i = 0; i < findings->row_count; i++) {
		findings->rows[i].loop = contexts_piece(contexts, &pieces,
							findings->rows[i].loop) - 1;
		add_row(findings, &findings->rows[i]);
	}
	/* What missed has referred to something. */
	for (i = 0; i < findings->part_count; i++)
		findings->parts[i].loop = contexts_piece(contexts, &pieces,
							 findings->parts[i].loop) - 1;
	findings->loop_count = pieces.count;
	free(pieces.numbers);
	regions_tell_apart(&findings->loops->region, findings->loop_count,
			   sizeof(*findings->loops));
}

static int loop_pairs_order(const void *left, const void *right)
{
	const struct sim_loop_pair *a = left, *b = right;

	if (a->total != b->total)
		return a->total < b->total ? 1 : -1;
	if (a->victim != b->victim)
		return a->victim < b->victim ? -1 : 1;
	return a->evictor < b->evictor ? -1 : a->evictor > b->evictor;
}

static void add_pair(struct sim_loop_pair *loop_pair, const struct sim_pair *pair)
{
	const char *kind = pair_kind(pair);

	for (int n = 0; n < CACHE_LEVELS; n++)
		loop_pair->conflicts[n] += pair->conflicts[n];
	loop_pair->total += pair->total;
	if (!kind)
		return;
	loop_pair->known += pair->total;
	if (!strcmp(kind, "intra"))
		loop_pair->intra += pair->total;
}

void sim_loop_pairs_fill(struct sim_findings *findings)
{
	struct map places = { 0 };	/* victim and evictor -> loop_pair + 1 */
	size_t room = 0;

	for (size_t i = 0; i < findings->pair_count && findings->loop_count; i++) {
		const struct sim_pair *pair = &findings->pairs[i];
		size_t victim = findings->rows[pair->victim].loop;
		size_t evictor = findings->rows[pair->evictor].loop;
		uint64_t *value = map_at(&places, (uint64_t)victim << 32 | evictor);

		if (!*value) {
			findings->loop_pairs = grow(findings->loop_pairs,
						    findings->loop_pair_count, &room,
						    sizeof(*findings->loop_pairs));
			findings->loop_pairs[findings->loop_pair_count] = (struct sim_loop_pair){
				victim, evictor, { 0 }, 0, 0,
			};
			*value = ++findings->loop_pair_count;
		}
		add_pair(&findings->loop_pairs[*value - 1], pair);
	}
	if (findings->loop_pair_count)
		qsort(findings->loop_pairs, findings->loop_pair_count,
		      sizeof(*findings->loop_pairs), loop_pairs_order);
	map_free(&places);
}
