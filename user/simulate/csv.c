// SPDX-License-Identifier: GPL-2.0-only
/* A row for each piece of code and level that it was simulated at, as CSV or JSON Lines. */
#include "output/region.h"
#include "simulate/views.h"

static void put_loop(struct fields *fields, const struct sim_loop *loop, uint32_t n)
{
	const uint64_t *outcomes = loop->self.outcomes[n];

	fields_region(fields, &loop->region);
	field_text(fields, "kind", region_kind_name(loop->region.kind));
	field_count(fields, "level", n + 1);
	field_count(fields, "accesses", outcomes[CLASS_HIT] + outcomes_missed(outcomes));
	field_count(fields, "misses", outcomes_missed(outcomes));
	field_count(fields, "cold", outcomes[CLASS_COLD]);
	field_count(fields, "capacity", outcomes[CLASS_CAPACITY]);
	field_count(fields, "conflict", outcomes[CLASS_CONFLICT]);
	field_count(fields, "anticonflicts", loop->self.saved[n]);
	field_number(fields, "gross_share", true,
		     outcomes_net_share(outcomes[CLASS_CONFLICT], 0, outcomes_missed(outcomes)));
	field_number(fields, "net_share", true,
		     outcomes_net_share(outcomes[CLASS_CONFLICT], loop->self.saved[n],
					outcomes_missed(outcomes)));
	fields_end(fields);
}

static void put_rows(FILE *out, const struct sim_findings *findings, uint32_t level,
		     enum fields_form form)
{
	struct fields fields;

	for (uint32_t n = 0; n < findings->plan.levels; n++) {
		if (level && level != n + 1)
			continue;
		for (size_t i = 0; i < findings->loop_count; i++) {
			fields_begin(&fields, out, form, "sim-rows");
			put_loop(&fields, &findings->loops[i], n);
		}
	}
}

void simulation_csv(FILE *out, const struct sim_findings *findings, uint32_t level)
{
	static const struct sim_loop none;
	struct fields fields;

	fields_begin(&fields, out, FIELDS_NAMES, "sim-rows");
	put_loop(&fields, &none, 0);
	put_rows(out, findings, level, FIELDS_CSV);
}

void simulation_jsonl(FILE *out, const struct sim_findings *findings, uint32_t level)
{
	put_rows(out, findings, level, FIELDS_JSON);
}
