// SPDX-License-Identifier: GPL-2.0-only
#include "pub_tool_basics.h"
#include "pub_tool_mallocfree.h"

#include "tracee/valgrind/hierarchies.h"
#include "tracee/valgrind/simulate.h"
#include "tracee/valgrind-lib/memory.h"
#include "tracee/valgrind-lib/pages.h"

struct outer_level *hierarchies_shared;
static struct coherence *coherence;	/* between threads' own levels, NULL = none */

void hierarchies_init(void)
{
	const struct hierarchy_plan *plan = &engine_options.plan;

	if (plan->levels == CACHE_LEVELS) {
		hierarchies_shared = VG_(calloc)("ccsample.shared", 1, sizeof(*hierarchies_shared));
		outer_level_open(hierarchies_shared, plan, &engine_tables);
	}
	if (plan->coherence) {
		coherence = VG_(calloc)("ccsample.coherence", 1, sizeof(*coherence));
		coherence_open(coherence, engine_options.l1.line_bits, &engine_tables);
	}
	if (plan->levels > 1)
		frames_init(&engine_options.pages);
}

void hierarchies_renew(void)
{
	if (hierarchies_shared) {
		outer_level_close(hierarchies_shared, &engine_tables);
		outer_level_open(hierarchies_shared, &engine_options.plan, &engine_tables);
	}
	frames_renew();
}

/* Where the frame is not known the line is left where it is, and that is counted. */
static uint64_t physical_line(struct hierarchy *hierarchy, uint64_t line)
{
	UInt bits = engine_options.l1.line_bits;
	ULong physical;

	if (frames_translate(line << bits, &physical))
		return physical >> bits;
	if (engine_now->sim)
		sim_totals.unresolved++;
	else
		engine_now->counts.misses[1].unresolved++;
	return line;
}

void hierarchies_open(struct engine_thread *t, struct hierarchy *hierarchy)
{
	const struct hierarchy_plan *plan = &engine_options.plan;

	hierarchy_open(hierarchy, plan, hierarchies_shared, &engine_tables);
	if (plan->levels > 1 && engine_options.pages.kind != PAGES_IDENTITY)
		hierarchy->physical = physical_line;
	if (coherence)
		coherence_join(coherence, hierarchy);
	t->rows = (ULong *)hierarchy->level[0].array.tags;
}

void hierarchies_close(struct engine_thread *t, struct hierarchy *hierarchy)
{
	hierarchy_close(hierarchy);
	t->rows = NULL;
}
