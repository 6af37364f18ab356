// SPDX-License-Identifier: GPL-2.0-only
#include "diff/views.h"
#include "report/json-parts.h"
#include "report/words.h"

static void put_times(struct json *json, const char *key, const struct run_times *times)
{
	json_key(json, key);
	if (!times->known) {
		json_null(json);
		return;
	}
	json_open_flat(json, '{');
	json_put_count(json, "runs", times->runs);
	json_put_count(json, "wall_ns", times->wall_ns);
	json_put_count(json, "user_ns", times->user_ns);
	json_put_count(json, "system_ns", times->system_ns);
	json_close(json, '}');
}

static void put_recording(struct json *json, const char *key, const struct findings *findings)
{
	json_open_under(json, key, '{');
	json_put_string(json, "path", findings->path);
	json_put_string(json, "source", findings->source);
	json_put_string(json, "pages", findings->pages);
	json_put_bool(json, "complete", findings->whole);
	json_put_lab(json, findings);
	put_times(json, "baseline", &findings->baseline);
	put_times(json, "recorded", &findings->recorded);
	json_put_command(json, findings);
	json_close(json, '}');
}

static void put_side(struct json *json, const char *key, const struct context *context,
		     const struct level_findings *level, double misses, bool few)
{
	const struct rcd_summary *summary;

	json_key(json, key);
	if (!level) {
		json_null(json);
		return;
	}
	summary = &level->summary;
	json_open(json, '{');
	json_put_count(json, "id", context->region.id);
	json_put_count(json, "line", context->region.line);
	json_put_number(json, "misses", misses);
	json_put_count(json, "samples", level->samples);
	json_put_number(json, "share", level->share);
	json_put_known(json, "sets_used", summary->sets_used);
	json_put_number(json, "cf", summary->cf);
	json_put_number(json, "expected_cf", summary->expected_cf);
	json_put_conflicts(json, summary);
	json_put_string(json, "verdict", rcd_verdict_name(summary->verdict));
	json_put_bool(json, "small", report_is_small(summary, level->share));
	json_put_bool(json, "few", few);
	json_close(json, '}');
}

static void put_change(struct json *json, const struct change *change)
{
	const struct context *code = change->before ? change->before : change->after;
	bool both = change->before && change->after;

	json_open(json, '{');
	json_put_string(json, "function", code->region.function);
	json_put_string(json, "file", code->region.file);
	json_put_string(json, "matched", !both ? NULL : change->moved ? "function" : "line");
	put_side(json, "before", change->before, change->level_before, change->misses_before,
		 change_is_few(change, false));
	put_side(json, "after", change->after, change->level_after, change->misses_after,
		 change_is_few(change, true));
	json_close(json, '}');
}

static void put_conflicts(struct json *json, const char *key, const struct findings *side,
			  uint32_t level)
{
	struct miss_ratio share = findings_conflicts(side, level);

	json_open_under(json, key, '{');
	json_put_program_conflicts(json, &share);
	json_close(json, '}');
}

static void put_level(struct json *json, const struct diff_view *view,
		      const struct comparison *comparison)
{
	json_open(json, '{');
	json_put_count(json, "level", comparison->level);
	json_put_number(json, "misses_before", comparison->misses_before);
	json_put_number(json, "misses_after", comparison->misses_after);
	put_conflicts(json, "conflicts_before", view->before, comparison->level);
	put_conflicts(json, "conflicts_after", view->after, comparison->level);
	json_put_bool(json, "same_cache",
		      compare_caches(view->before, view->after, comparison->level));
	json_put_bool(json, "exact", comparison->exact);
	json_put_string(json, "unit", comparison->per_thousand ? "misses of 1,000 references" :
								 "misses");
	json_open_under(json, "loops", '[');
	for (size_t i = 0; i < comparison->count && (!view->top || i < view->top); i++)
		put_change(json, &comparison->changes[i]);
	json_close(json, ']');
	json_close(json, '}');
}

void diff_json(FILE *out, const struct diff_view *view)
{
	struct json json = { .out = out };

	json_begin(&json, "diff");
	put_recording(&json, "before", view->before);
	put_recording(&json, "after", view->after);
	json_open_under(&json, "levels", '[');
	for (size_t i = 0; i < view->level_count; i++)
		put_level(&json, view, view->levels[i]);
	json_close(&json, ']');
	json_close(&json, '}');
}
