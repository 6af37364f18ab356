// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "cachesim/policy-names.h"
#include "format/pages-text.h"
#include "output/region.h"
#include "tracing/views.h"

static void put_levels(struct json *json, const struct traced *traced, size_t plan,
		       const struct trace_counts *counts, bool geometry)
{
	uint32_t n;

	json_open_under(json, "levels", '[');
	for (n = 0; n < traced->plans[plan].levels; n++) {
		const struct level_plan *level = &traced->plans[plan].level[n];
		const uint64_t *outcomes = counts->outcomes[n];
		uint64_t misses = outcomes_missed(outcomes);

		json_open_flat(json, '{');
		json_put_count(json, "level", n + 1);
		if (geometry) {
			json_put_count(json, "size", cache_size(&level->geometry));
			json_put_count(json, "ways", level->geometry.ways);
			json_put_count(json, "sets", level->geometry.sets);
			json_put_count(json, "line", level->geometry.line);
			json_put_string(json, "policy", policy_name(level->policy));
			json_put_string(json, "inclusion",
					n ? inclusion_name(level->inclusion) : NULL);
		}
		json_put_count(json, "accesses", outcomes[CLASS_HIT] + misses);
		json_put_count(json, "hits", outcomes[CLASS_HIT]);
		json_put_count(json, "misses", misses);
		json_put_count(json, "cold", outcomes[CLASS_COLD]);
		json_put_count(json, "capacity", outcomes[CLASS_CAPACITY]);
		json_put_count(json, "conflict", outcomes[CLASS_CONFLICT]);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void put_plans(struct json *json, const struct traced *traced)
{
	size_t i;

	json_open_under(json, "geometries", '[');
	for (i = 0; i < traced->plan_count; i++) {
		json_open(json, '{');
		json_put_count(json, "simulated", traced->totals[i].simulated);
		json_key(json, "cycles");
		json_number(json, traced->totals[i].cycles);
		put_levels(json, traced, i, &traced->totals[i].counts, true);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void put_code(struct json *json, const struct traced *traced, size_t top)
{
	uint32_t *ranked = traced_code_ranked(traced);
	size_t i;

	json_open_under(json, "loops", '[');
	for (i = 0; i < traced->code_count && (!top || i < top); i++) {
		const struct traced_code *code = &traced->code[ranked[i]];

		json_open(json, '{');
		json_put_region(json, &code->region);
		json_put_count(json, "references", code->references);
		json_put_count(json, "self", code->self);
		put_levels(json, traced, 0, &code->counts, false);
		json_close(json, '}');
	}
	json_close(json, ']');
	free(ranked);
}

/* Loops as the trace has them: what --scale changes. */
static void put_repeats(struct json *json, const struct traced *traced, size_t top)
{
	uint32_t *ranked = traced_loops_ranked(traced);
	size_t i;

	json_open_under(json, "trace_loops", '[');
	for (i = 0; i + 1 < traced->loop_count && (!top || i < top); i++) {
		const struct traced_loop *loop = &traced->loops[ranked[i]];

		json_open(json, '{');
		json_put_count(json, "id", ranked[i]);
		json_put_known(json, "parent", loop->parent);
		json_put_count(json, "depth", loop->depth);
		json_put_region(json, &traced->sites[loop->first].region);
		json_put_known(json, "end_line", traced->sites[loop->last].region.line);
		json_put_count(json, "iterations", loop->most);
		json_put_count(json, "references", loop->references);
		put_levels(json, traced, 0, &loop->counts, false);
		json_close(json, '}');
	}
	json_close(json, ']');
	free(ranked);
}

static void put_rows(struct json *json, const struct traced *traced, size_t top)
{
	uint32_t *ranked = traced_rows_ranked(traced);
	size_t i;

	json_open_under(json, "references_by", '[');
	for (i = 0; i < traced->row_count && (!top || i < top); i++) {
		const struct traced_row *row = &traced->rows[ranked[i]];

		json_open(json, '{');
		json_put_region(json, &traced->sites[row->site].region);
		json_put_count(json, "loop", row->code);
		json_put_count(json, "trace_loop", row->loop);
		if (traced->sites[row->site].stack)
			json_put_address(json, "stack", traced->sites[row->site].stack);
		json_put_string(json, "object", row->object->name);
		json_put_string(json, "kind", object_kind_name(row->object->kind));
		json_put_named(json, "where", row->object->where);
		json_put_count(json, "references", row->references);
		put_levels(json, traced, 0, &row->counts, false);
		json_close(json, '}');
	}
	json_close(json, ']');
	free(ranked);
}

void traced_json(FILE *out, const struct traced *traced, const struct traced_view *view)
{
	struct json json = { .out = out };
	char *pages = pages_text(view->pages);

	json_begin(&json, "analyze");
	json_put_count(&json, "references", traced->totals[0].references);
	json_put_count(&json, "simulated", traced->totals[0].simulated);
	json_put_count(&json, "threads", traced->threads);
	json_put_string(&json, "function", traced->function);
	json_put_string(&json, "pages", pages);
	json_put_string(&json, "method", view->compositional ? "compositional" : "exact");
	free(pages);
	json_put_count(&json, "nodes", traced->nodes);
	json_key(&json, "complete");
	json_bool(&json, traced->whole && !traced->error && !traced->lost);
	json_put_string(&json, "error", traced->error);
	json_key(&json, "seconds");
	json_number(&json, view->seconds);
	put_levels(&json, traced, 0, &traced->totals[0].counts, true);
	put_plans(&json, traced);
	put_code(&json, traced, view->top);
	put_repeats(&json, traced, view->top);
	put_rows(&json, traced, view->top);
	json_close(&json, '}');
}
