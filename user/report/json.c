// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "advise/views.h"
#include "classify/model.h"
#include "output/region.h"
#include "report/advice.h"
#include "report/entry.h"
#include "report/json-parts.h"
#include "report/views.h"
#include "report/words.h"

static void put_if(struct json *json, const char *key, bool known, uint64_t count)
{
	json_key(json, key);
	if (known)
		json_count(json, count);
	else
		json_null(json);
}

static void put_machine(struct json *json, const struct findings *findings)
{
	json_open_under(json, "machine", '{');
	json_put_string(json, "cpu", findings->cpu);
	json_put_string(json, "kernel", findings->kernel);
	json_put_string(json, "pages", findings->pages);
	json_put_lab(json, findings);
	json_open_flat_under(json, "lab_varies", '[');
	for (size_t i = 0; i < findings->lab_count; i++)
		if (findings->lab[i].varies)
			json_string(json, findings->lab[i].name);
	json_close(json, ']');
	json_open_under(json, "caches", '[');
	for (size_t i = 0; i < findings->cache_count; i++) {
		const struct cache_level *cache = &findings->caches[i];

		json_open_flat(json, '{');
		json_put_count(json, "level", cache->level);
		json_put_count(json, "size", cache_size(&cache->geometry) *
					(cache->slices ? cache->slices : 1));
		json_put_count(json, "ways", cache->geometry.ways);
		json_put_count(json, "sets", cache->geometry.sets);
		json_put_count(json, "line", cache->geometry.line);
		json_put_string(json, "indexed", cache->physical ? "physical" : "virtual");
		json_put_count(json, "slices", cache->slices);
		json_put_string(json, "slice_hash", cache->hash ? cache->hash->name : NULL);
		json_put_bool(json, "simulated", cache->simulated);
		json_close(json, '}');
	}
	json_close(json, ']');
	json_close(json, '}');
}

/* Of samples; of a source that gives them. */
static void put_classes(struct json *json, const struct event_totals *event)
{
	if (!event->classes || event->made)
		return;
	json_open_flat_under(json, "classes", '{');
	json_put_count(json, "cold", event->by_class[CCS_CLASS_COLD]);
	json_put_count(json, "capacity", event->by_class[CCS_CLASS_CAPACITY]);
	json_put_count(json, "conflict", event->by_class[CCS_CLASS_CONFLICT]);
	json_close(json, '}');
}

static void put_events(struct json *json, const struct findings *findings)
{
	json_open_under(json, "events", '[');
	for (size_t i = 0; i < findings->event_count; i++) {
		const struct event_totals *event = &findings->events[i];

		json_open(json, '{');
		json_put_string(json, "name", event->name);
		json_put_known(json, "level", event->level);
		json_put_known(json, "period", event->period);
		json_put_count(json, "spread", event->spread);
		json_put_count(json, "burst", event->burst);
		json_put_count(json, "bursts", event->bursts);
		json_put_count(json, "cuts", event->cuts);
		json_put_count(json, "samples", event->samples);
		json_put_count(json, "stores", event->stores);
		json_put_count(json, "both", event->both);
		json_put_number(json, "unseen", findings_unseen(findings, event->level));
		json_put_bool(json, "exact", event->classes);
		put_classes(json, event);
		json_put_number(json, "captured", event->burst_events && !event->uncounted ?
				(double)event->burst_samples / event->burst_events : NAN);
		json_put_known(json, "events", event->events);
		json_put_known(json, "covered", event->covered);
		json_put_count(json, "lost", event->lost);
		json_put_count(json, "foreign", event->foreign);
		json_put_count(json, "no_address", event->no_address);
		json_put_count(json, "unresolved", event->unresolved);
		json_put_count(json, "unnamed", event->unnamed);
		json_close(json, '}');
	}
	json_close(json, ']');
}

/* Members and sub-arrays, where the type is known to have any. */
static void put_parts(struct json *json, const struct object_share *object)
{
	if (!object->part_count)
		return;
	json_open_under(json, "parts", '[');
	for (size_t i = 0; i < object->part_count; i++) {
		json_open(json, '{');
		json_put_string(json, "name", object->parts[i].name);
		json_put_number(json, "share", object->parts[i].share);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void put_shares(struct json *json, const struct object_share *objects, size_t count)
{
	json_open_under(json, "objects", '[');
	for (size_t i = 0; i < count; i++) {
		json_open_flat(json, '{');
		json_put_count(json, "id", objects[i].object->id);
		json_put_number(json, "share", objects[i].share);
		json_put_known(json, "stride", objects[i].stride);
		put_parts(json, &objects[i]);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void put_pairs(struct json *json, const struct level_findings *level)
{
	json_open_under(json, "pairs", '[');
	for (size_t i = 0; level && i < level->pair_count; i++) {
		const struct pair_share *pair = &level->pairs[i];

		json_open_flat(json, '{');
		json_put_count(json, "a", pair->a->id);
		json_put_count(json, "b", pair->b->id);
		json_put_string(json, "kind", pair->a == pair->b && !pair->blocks ? "intra" :
				"inter");
		json_put_number(json, "share", pair->share);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void put_lines(struct json *json, const struct context *context)
{
	json_open_under(json, "lines", '[');
	for (size_t i = 0; i < context->line_count; i++) {
		json_open_flat(json, '{');
		json_put_string(json, "file", context->lines[i].file);
		json_put_count(json, "line", context->lines[i].line);
		json_put_number(json, "share", context->lines[i].share);
		json_close(json, '}');
	}
	json_close(json, ']');
}

/* @share: of the misses of the level */
static void put_summary(struct json *json, const struct rcd_summary *summary, double share)
{
	json_put_count(json, "burst_samples", summary->burst_samples);
	json_put_known(json, "sets_used", summary->sets_used);
	json_put_count(json, "threshold", summary->threshold);
	json_put_number(json, "cf", summary->cf);
	json_put_number(json, "expected_cf", summary->expected_cf);
	json_put_number(json, "p_value", summary->p_value);
	json_put_conflicts(json, summary);
	json_put_number(json, "pressure", summary->pressure);
	json_put_number(json, "set_lines", summary->set_lines);
	json_put_number(json, "concentration", summary->concentration);
	json_put_number(json, "expected_concentration", summary->expected_concentration);
	json_put_number(json, "captured", summary->captured);
	json_put_string(json, "verdict", rcd_verdict_name(summary->verdict));
	json_put_bool(json, "small", report_is_small(summary, share));
	json_put_string(json, "reason", rcd_reason_text(summary->reason));
	json_put_bool(json, "exact", summary->exact);
	json_put_count(json, "counted_misses", summary->counted);
	json_put_number(json, "open_share", summary->exact ? summary->open_share : NAN);
	json_put_number(json, "gross_share", summary->exact ? summary->gross_share : NAN);
	json_put_number(json, "saved_share", summary->exact ? summary->saved_share : NAN);
}

/* What it holds with the loops in it. */
static void put_nests(struct json *json, const struct context *context, uint32_t level)
{
	json_open_under(json, "nest", '[');
	for (size_t i = 0; i < context->nest_count; i++) {
		const struct nest_findings *nest = &context->nests[i];

		if (level && nest->level != level)
			continue;
		json_open_flat(json, '{');
		json_put_count(json, "level", nest->level);
		json_put_count(json, "samples", nest->samples);
		json_put_number(json, "share", nest->share);
		put_summary(json, &nest->summary, nest->share);
		json_close(json, '}');
	}
	json_close(json, ']');
}

/* How a number is spread over recordings; nothing of a single one. */
static void put_spread(struct json *json, const char *key, const struct spread_findings *spread)
{
	if (!spread->files)
		return;
	json_open_under(json, key, '{');
	json_put_count(json, "recordings", spread->files);
	json_put_count(json, "in", spread->in);
	json_put_number(json, "least", spread->least);
	json_put_string(json, "least_of", spread->least_name);
	json_put_number(json, "median", spread->median);
	json_put_number(json, "most", spread->most);
	json_put_string(json, "most_of", spread->most_name);
	json_close(json, '}');
}

static void put_recordings(struct json *json, const struct findings *findings)
{
	json_put_count(json, "recordings", findings->recordings);
	json_put_count(json, "incomplete", findings->incomplete);
	json_open_under(json, "samples_of_each", '[');
	for (uint32_t level = 1; level <= FINDINGS_LEVELS; level++) {
		if (!findings->spread[level - 1].files)
			continue;
		json_open_flat(json, '{');
		json_put_count(json, "level", level);
		put_spread(json, "spread", &findings->spread[level - 1]);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void put_cdf(struct json *json, const struct level_findings *level)
{
	json_open_flat_under(json, "rcd_cdf", '[');
	for (size_t i = 0; i < level->cdf_points; i++) {
		json_open(json, '[');
		json_count(json, level->cdf[i].rcd);
		json_number(json, level->cdf[i].share);
		json_close(json, ']');
	}
	json_close(json, ']');
}

/* Conflict periods: runs of one RCD on one set, by the misses that they extend over. */
static void put_periods(struct json *json, const struct level_findings *level)
{
	json_open_under(json, "conflict_periods", '[');
	for (size_t i = 0; i < level->period_count; i++) {
		const struct rcd_period *period = &level->periods[i];

		json_open_flat(json, '{');
		json_put_count(json, "from", period->least);
		json_put_count(json, "to", 2 * period->least - 1);
		json_put_count(json, "runs", period->runs);
		json_put_count(json, "ended", period->ended);
		json_put_count(json, "misses", period->misses);
		json_put_count(json, "near", period->near);
		json_close(json, '}');
	}
	json_close(json, ']');
}

/* Equation 1 of the paper, for sets that have misses. */
static void put_sets(struct json *json, const struct findings *findings,
		     const struct level_findings *level)
{
	if (!level->by_set)
		return;
	json_open_under(json, "sets", '[');
	for (uint32_t i = 0; i < level_sets(findings, level->level); i++) {
		const struct rcd_set *set = &level->by_set[i];

		if (!set->misses)
			continue;
		json_open_flat(json, '{');
		json_put_count(json, "set", i);
		json_put_count(json, "misses", set->misses);
		json_put_count(json, "near", set->near);
		json_put_number(json, "cf", (double)set->near / level->summary.samples);
		json_close(json, '}');
	}
	json_close(json, ']');
}

/* What was tried first. */
static void put_try(struct json *json, const struct findings *findings, const struct entry *entry,
		    const struct cures *cures)
{
	struct advice advice[ADVICE_MOST];
	size_t count = entry->summary->verdict == RCD_CONFLICT ||
		       entry->summary->verdict == RCD_CONCENTRATED ?
		       report_advice(findings, cures, entry, advice) : 0;
	char *why;

	json_open_under(json, "try", '[');
	for (size_t i = 0; i < count; i++) {
		char *text = advice_text(&advice[i]);

		json_open_flat(json, '{');
		json_put_string(json, "kind", advice_name(advice[i].kind));
		json_put_known(json, "object", advice[i].object ? advice[i].object->id : 0);
		json_put_known(json, "from", advice[i].from);
		json_put_known(json, "to", advice[i].to);
		json_put_named(json, "how", advice_how(&advice[i]));
		json_put_string(json, "text", text);
		json_put_sampled(json, &advice[i].sampled);
		json_key(json, "cure");
		if (advice[i].cure)
			json_put_cure(json, advice[i].cure);
		else
			json_null(json);
		json_close(json, '}');
		free(text);
	}
	json_close(json, ']');
	why = !count && entry->summary->verdict == RCD_CONFLICT ?
	      report_no_advice(findings, cures, entry) : NULL;
	json_put_named(json, "no_try", why);
	free(why);
}

static void put_level(struct json *json, const struct findings *findings,
		      const struct context *context, const struct level_findings *level,
		      const struct cures *cures)
{
	struct entry entry = entry_of(context, level);

	json_open(json, '{');
	json_put_count(json, "level", level->level);
	json_put_count(json, "samples", level->samples);
	json_put_number(json, "share", level->share);
	json_put_number(json, "share_low", level->share_interval.high > 0 ?
			level->share_interval.low : NAN);
	json_put_number(json, "share_high", level->share_interval.high > 0 ?
			level->share_interval.high : NAN);
	put_spread(json, "spread", &level->spread);
	put_spread(json, "cf_spread", &level->cf_spread);
	json_put_count(json, "re_misses", level->re_misses);
	json_put_number(json, "writes", level->writes);
	json_put_number(json, "both", level->both);
	put_summary(json, &level->summary, level->share);
	json_put_number(json, "model_chance", level->model ? level->model_chance : NAN);
	json_put_known(json, "model_period", level->model ? level->model->period : 0);
	put_cdf(json, level);
	put_periods(json, level);
	put_sets(json, findings, level);
	put_shares(json, level->objects, level->object_count);
	put_pairs(json, level);
	put_try(json, findings, &entry, cures);
	json_close(json, '}');
}

static void put_loop(struct json *json, const struct findings *findings,
		     const struct context *context, const struct view_options *options)
{
	uint32_t level = options->level;

	json_open(json, '{');
	json_put_region(json, &context->region);
	json_put_count(json, "samples", context->samples);
	json_put_number(json, "share", context->share);
	json_open_under(json, "levels", '[');
	for (size_t i = 0; i < context->level_count; i++)
		if (!level || context->levels[i].level == level)
			put_level(json, findings, context, &context->levels[i], options->cures);
	json_close(json, ']');
	put_shares(json, context->objects, context->object_count);
	/* Of the level asked for, or the first. */
	put_pairs(json, level ? context_level(context, level) :
		  context->level_count ? context->levels : NULL);
	put_lines(json, context);
	put_nests(json, context, level);
	json_close(json, '}');
}

static void put_loops(struct json *json, const struct findings *findings,
		      const struct view_options *options)
{
	size_t count, i;
	struct row *rows = rows_new(findings, options->level, options->sort, &count);

	json_open_under(json, "loops", '[');
	for (i = 0; i < count && (!options->top || i < options->top); i++)
		put_loop(json, findings, rows[i].context, options);
	/* Loops that have no samples of the level but in the loops inside. */
	for (i = 0; options->level && !options->top && i < findings->context_count; i++)
		if (context_nest(&findings->contexts[i], options->level) &&
		    !context_level(&findings->contexts[i], options->level))
			put_loop(json, findings, &findings->contexts[i], options);
	json_close(json, ']');
	free(rows);
}

/* At the first level that has samples. */
static uint32_t sets_used(const struct object_findings *found)
{
	size_t i;

	for (i = 0; i + 1 < FINDINGS_LEVELS && !found->levels[i].samples; i++)
		;
	return found->levels[i].sets_used;
}

static void put_object_levels(struct json *json, const struct object_findings *found)
{
	json_open_under(json, "levels", '[');
	for (size_t i = 0; i < FINDINGS_LEVELS; i++) {
		const struct object_level *level = &found->levels[i];

		if (!level->samples)
			continue;
		json_open_flat(json, '{');
		json_put_count(json, "level", i + 1);
		json_put_count(json, "samples", level->samples);
		json_put_number(json, "share", level->share);
		json_put_known(json, "sets_used", level->sets_used);
		json_close(json, '}');
	}
	json_close(json, ']');
}

/* What the blocks of an object have in common. */
static void put_blocks(struct json *json, const struct object *object)
{
	json_put_known(json, "block_bytes_least", object->block_least);
	json_put_known(json, "block_bytes_most", object->block_most);
	json_put_known(json, "block_alignment", object_alignment(object));
	json_put_known(json, "block_spacing", object_spacing(object));
}

static void put_objects(struct json *json, const struct findings *findings,
			const struct view_options *options)
{
	json_open_under(json, "objects", '[');
	for (size_t i = 0; i < findings->object_count; i++) {
		const struct object_findings *found = &findings->objects[i];

		json_open(json, '{');
		json_put_count(json, "id", found->object->id);
		json_put_string(json, "name", found->object->name);
		json_put_string(json, "kind", object_kind_name(found->object->kind));
		json_put_named(json, "where", found->object->where);
		json_put_string(json, "allocated", found->object->chain);
		json_put_string(json, "type", found->object->type);
		json_put_known(json, "bytes", found->object->bytes);
		json_put_count(json, "blocks", found->object->blocks);
		put_blocks(json, found->object);
		json_put_count(json, "samples", found->samples);
		json_put_number(json, "share", found->share);
		json_put_known(json, "sets_used", sets_used(found));
		put_object_levels(json, found);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void put_outer(struct json *json, const struct level_totals *totals, uint32_t level)
{
	json_open_flat(json, '{');
	json_put_count(json, "level", level);
	json_put_count(json, "load_misses", totals->load_misses);
	json_put_count(json, "store_misses", totals->store_misses);
	json_put_count(json, "unresolved", totals->unresolved);
	json_close(json, '}');
}

static void put_totals(struct json *json, const struct findings *findings)
{
	json_open_under(json, "totals", '{');
	json_put_known(json, "duration_ns", findings->duration_ns);
	json_put_count(json, "samples", findings->samples);
	json_put_known(json, "processes", findings->processes);
	json_put_known(json, "instructions", findings->instructions);
	json_put_known(json, "loads", findings->loads);
	json_put_known(json, "stores", findings->stores);
	put_if(json, "load_misses", findings->loads || findings->load_misses,
	       findings->load_misses);
	put_if(json, "store_misses", findings->stores, findings->store_misses);
	json_open_under(json, "levels", '[');
	for (size_t i = 0; i < ARRAY_SIZE(findings->outer); i++)
		if (findings->outer[i].known)
			put_outer(json, &findings->outer[i], i + 2);
	json_close(json, ']');
	json_close(json, '}');
}

/* Of all code together. */
static void put_conflicts(struct json *json, const struct findings *findings)
{
	json_open_under(json, "conflicts", '[');
	for (uint32_t level = 1; level <= FINDINGS_LEVELS; level++) {
		struct miss_ratio share = findings_conflicts(findings, level);
		struct miss_ratio worth = findings_worth(findings, level);

		if (isnan(share.ratio))
			continue;
		json_open(json, '{');
		json_put_count(json, "level", level);
		json_put_program_conflicts(json, &share);
		json_put_number(json, "worth", worth.ratio);
		json_put_number(json, "worth_low", worth.low);
		json_put_number(json, "worth_high", worth.high);
		json_close(json, '}');
	}
	json_close(json, ']');
}

void report_json(FILE *out, const struct findings *findings, const struct view_options *options)
{
	struct json json = { .out = out };

	json_begin(&json, "report");
	json_put_string(&json, "recorded_by", findings->version);
	json_put_string(&json, "source", findings->source);
	json_put_string(&json, "start", findings->start);
	json_put_string(&json, "clock", findings->clock);
	json_put_bool(&json, "complete", findings->whole);
	put_recordings(&json, findings);
	json_put_command(&json, findings);
	put_machine(&json, findings);
	put_totals(&json, findings);
	put_conflicts(&json, findings);
	put_events(&json, findings);
	json_put_bursts(&json, findings);
	json_open_under(&json, "remarks", '[');
	for (size_t i = 0; i < findings->remark_count; i++)
		json_string(&json, findings->remarks[i].text);
	json_close(&json, ']');
	put_loops(&json, findings, options);
	put_objects(&json, findings, options);
	json_close(&json, '}');
}
