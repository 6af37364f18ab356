// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>

#include "base/memory.h"
#include "cachesim/policy-names.h"
#include "output/prose.h"
#include "output/text.h"
#include "simulate/words.h"

char *simulation_cache_text(const struct level_plan *plan, uint32_t n)
{
	char *size = text_size(cache_size(&plan->geometry));
	char *slices = plan->hash ? xasprintf(", hash %s", plan->hash->name) : xstrdup("");
	char *text = xasprintf("%s, %u ways, %u sets, %s%s%s%s", size, plan->geometry.ways,
			       plan->geometry.sets, policy_name(plan->policy), n ? ", " : "",
			       n ? inclusion_name(plan->inclusion) : "", slices);

	free(size);
	free(slices);
	return text;
}

char *simulation_summary(const struct sim_findings *findings, const struct simulation_view *view)
{
	char *instructions = text_count_short(findings->instructions);
	char *references = text_count_short(findings->references);
	char *from, *text;

	if (view->format)
		from = xasprintf(" (%s)", view->format);
	else if (findings->processes > 1)
		from = xasprintf(" (%" PRIu64 " process images, each with caches of its own)",
				 findings->processes);
	else
		from = xstrdup("");
	text = xasprintf("%s%s: %s instructions, %s references", view->input, from, instructions,
			 references);
	if (findings->plan.levels > 1)
		prose_append(&text, "; beyond L1 by %s pages", findings->pages);
	free(from);
	free(references);
	free(instructions);
	return text;
}

size_t simulation_doubts(const struct sim_findings *findings, const struct simulation_view *view,
			 char *doubts[SIMULATION_DOUBTS])
{
	size_t count = 0;

	if (findings->bursts < findings->recorded_bursts)
		doubts[count++] = xasprintf("%" PRIu64 " of %" PRIu64 " bursts were read, chosen "
					    "at random", findings->bursts,
					    findings->recorded_bursts);
	if (findings->bursts)
		doubts[count++] = xstrdup("each burst begins with cold caches: what is a cold miss "
					  "here may be a hit of the program");
	if (view->bad_lines)
		doubts[count++] = xasprintf("%" PRIu64 " lines are no references and were passed "
					    "over, the first is line %" PRIu64, view->bad_lines,
					    view->first_bad);
	if (findings->function)
		doubts[count++] = xasprintf("only the references of %s: no other code touches the "
					    "caches", findings->function);
	if (findings->simulated < findings->instructions)
		doubts[count++] = xasprintf("%.2f%% of the instructions were evaluated: counts are "
					    "only theirs",
					    100.0 * findings->simulated / findings->instructions);
	if (findings->lost)
		doubts[count++] = xasprintf("%" PRIu64 " process images ended without their "
					    "results", findings->lost);
	if (findings->unresolved)
		doubts[count++] = xasprintf("%" PRIu64 " look-ups of addresses whose frame is not "
					    "known: taken as they are", findings->unresolved);
	if (findings->beyond)
		doubts[count++] = xasprintf("%" PRIu64 " look-ups of addresses whose slice is not "
					    "published: taken modulo its reach", findings->beyond);
	if (findings->neighbour_count)
		doubts[count++] = xasprintf("L%u is shared with %zu other program%s: its pressure, "
					    "write-backs and misses by set are those of all; ? in "
					    "pairs is another program", findings->plan.levels,
					    findings->neighbour_count,
					    findings->neighbour_count > 1 ? "s" : "");
	if (findings->out_of_memory)
		doubts[count++] = xstrdup("the engine ran out of memory: the counts are wrong");
	return count;
}
