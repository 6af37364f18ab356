// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "base/fail.h"
#include "base/memory.h"
#include "findings/bursts.h"
#include "findings/contexts.h"
#include "format/format.h"
#include "simulate/bursts.h"
#include "simulate/loops.h"
#include "simulate/simulation.h"
#include "tracee/burst-log/log.h"

#define LEVELS_MOST	2

/* What names of code lead into, too. */
struct replay {
	struct findings *recorded;
	struct contexts *contexts;
	struct simulation *simulation;	/* instructions are numbers of sites + 1 */
	bool failed;			/* after one line */
};

static int refer(struct simulation *simulation, const struct burst_reference *reference)
{
	if (reference->kind != BURST_STORE &&
	    simulation_refer(simulation, reference->address, reference->size, false))
		return -1;
	return reference->kind == BURST_LOAD ? 0 :
	       simulation_refer(simulation, reference->address, reference->size, true);
}

static void take_burst(void *context, const struct whole_burst *burst)
{
	const struct ccs_burst *record = burst->record;
	const struct burst_reference *at = burst->references, *end = at + record->references;
	struct replay *replay = context;
	struct simulation *simulation = replay->simulation;
	uint64_t instructions = simulation->instructions + record->instructions, ip = 0, site = 0;

	simulation_begin(simulation);
	for (; at < end && !replay->failed; at++) {
		if (!site || at->ip != ip)
			site = 1 + contexts_find(replay->contexts, record->record.process,
						 burst->space, at->ip);
		ip = at->ip;
		simulation_fetch(simulation, site);
		simulation->ip = ip;
		replay->failed = refer(simulation, at) < 0;
	}
	simulation->instructions = instructions;
}

static void replay_free(void *owner)
{
	struct replay *replay = owner;

	simulation_free(replay->simulation);
	contexts_free(replay->contexts);
	if (replay->recorded)
		findings_free(replay->recorded);
	free(replay);
}

static struct sim_findings *findings_of(struct replay *replay)
{
	struct sim_findings *findings = simulation_findings(replay->simulation);

	for (size_t i = 0; i < findings->row_count; i++)
		sim_row_name(&findings->rows[i], replay->contexts,
			     findings->rows[i].region.address - 1);
	sim_loops_fill(findings, replay->contexts);
	sim_findings_sort(findings);
	sim_loop_pairs_fill(findings);
	findings->bursts = replay->simulation->space;
	findings->recorded_bursts = replay->recorded->bursts.recorded;
	findings->owner = replay;
	findings->free_owner = replay_free;
	return findings;
}

struct sim_findings *sim_bursts(const char *path, const struct hierarchy_plan *plan,
				const struct page_plan *pages)
{
	struct replay *replay = xcalloc(1, sizeof(*replay));
	struct hierarchy_plan filled = *plan;
	const struct analysis_options options = {
		.caches = &filled, .quick = true, .references_alone = true, .burst = take_burst,
		.context = replay,
	};

	if (filled.levels > LEVELS_MOST)
		filled.levels = LEVELS_MOST;
	replay->contexts = contexts_new();
	replay->simulation = simulation_new(&filled, NULL);
	simulation_place(replay->simulation, pages);
	replay->recorded = analyze_recording(path, &options);
	if (replay->recorded && !replay->failed && replay->simulation->space)
		return findings_of(replay);
	if (replay->recorded && !replay->failed)
		fail("%s has no burst of references: run longer", path);
	replay_free(replay);
	return NULL;
}
