// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <stdlib.h>

#include "advise/edit.h"
#include "advise/plan.h"
#include "advise/rows.h"
#include "advise/views.h"
#include "advise/words.h"
#include "output/region.h"

static void put_object(struct json *json, const struct object *object)
{
	json_open_under(json, "object", '{');
	json_put_count(json, "id", object->id);
	json_put_string(json, "kind", object_kind_name(object->kind));
	json_put_string(json, "name", object->name);
	json_put_named(json, "where", object->where);
	json_put_string(json, "type", object->type);
	json_close(json, '}');
}

static void put_change(struct json *json, const struct layout_change *change)
{
	bool sizes = change->kind == CHANGE_ROWS || change->kind == CHANGE_RESIZE;

	json_open(json, '{');
	json_put_string(json, "change", change_kind_name(change->kind));
	put_object(json, change->object);
	if (sizes || change_has_rows(change))
		json_put_count(json, "from", change->from);
	if (change_has_rows(change))
		json_put_string(json, "parts", row_nature_name(change->nature));
	if (change->inner) {
		json_put_count(json, "rows_from", change->inner);
		json_put_count(json, "rows_to", change->inner_to);
	}
	if (sizes)
		json_put_count(json, "to", change->to);
	else
		json_put_count(json, "bytes", change->step);
	if (!sizes && !change_has_rows(change))
		json_put_count(json, "first", change->first);
	json_close(json, '}');
}

static void put_effect(struct json *json, const struct cure_effect *effect)
{
	json_put_number(json, "misses_before", effect->before);
	json_put_number(json, "misses_after", effect->after);
	json_put_number(json, "conflicts_before", effect->conflicts_before);
	json_put_number(json, "conflicts_after", effect->conflicts_after);
	json_put_number(json, "l2_before", effect->outer_before);
	json_put_number(json, "l2_after", effect->outer_after);
	json_put_number(json, "l2_before_most", effect->outer_most_before);
	json_put_number(json, "l2_after_most", effect->outer_most_after);
	json_put_number(json, "dtlb_before", effect->tlb_before);
	json_put_number(json, "dtlb_after", effect->tlb_after);
	json_put_number(json, "left", effect->ratio.ratio);
	json_put_number(json, "left_low", effect->ratio.low);
	json_put_number(json, "left_high", effect->ratio.high);
}

static void put_loop(struct json *json, const struct cure_effect *effect)
{
	json_open(json, '{');
	json_put_region(json, &effect->context->region);
	put_effect(json, effect);
	json_close(json, '}');
}

static void put_time(struct json *json, const struct time_share *time)
{
	json_key(json, "time");
	if (!isfinite(time->share)) {
		json_null(json);
		return;
	}
	json_open(json, '{');
	json_put_number(json, "saved", time->share);
	json_put_number(json, "low", time->low);
	json_put_number(json, "high", time->high);
	json_put_count(json, "pieces", time->pieces);
	json_close(json, '}');
}

static void put_cure(struct json *json, const struct cure *cure)
{
	char *edit = cure_edit(cure);

	json_put_string(json, "edit", edit);
	json_open_under(json, "changes", '[');
	for (size_t i = 0; i < cure->count; i++)
		put_change(json, &cure->changes[i]);
	json_close(json, ']');
	put_effect(json, &cure->all);
	put_time(json, &cure->time);
	json_put_number(json, "written", cure->written);
	json_put_count(json, "memory", cure->bytes);
	json_put_bool(json, "at_run_time", cure_at_run_time(cure));
	json_put_known(json, "instead_of", cure->instead_of);
	json_open_under(json, "loops", '[');
	for (size_t i = 0; i < cure->loop_count; i++)
		put_loop(json, &cure->loops[i]);
	json_close(json, ']');
	free(edit);
}

void json_put_cure(struct json *json, const struct cure *cure)
{
	json_open(json, '{');
	put_cure(json, cure);
	json_close(json, '}');
}

static void put_none(struct json *json, const struct no_cure *none)
{
	json_open(json, '{');
	json_put_region(json, &none->effect.context->region);
	put_effect(json, &none->effect);
	json_put_bool(json, "few_bursts", none->few);
	json_key(json, "little");
	if (none->little.count)
		json_put_cure(json, &none->little);
	else
		json_null(json);
	json_close(json, '}');
}

static void put_tlb(struct json *json, const struct keep *keep, const struct cures *advice)
{
	json_key(json, "dtlb");
	if (!keep->tlb.ways) {
		json_null(json);
		return;
	}
	json_open(json, '{');
	json_put_count(json, "entries", cache_lines(&keep->tlb));
	json_put_count(json, "ways", keep->tlb.ways);
	json_put_count(json, "page", keep->tlb.line);
	json_put_number(json, "misses", advice->now.tlb_before);
	json_put_number(json, "conflicts", advice->now.tlb_conflicts_before);
	json_close(json, '}');
}

void cures_json(FILE *out, const struct findings *findings, const struct keep *keep,
		 const struct cures *advice, const struct cure_view *view)
{
	struct json json = { .out = out };
	size_t count = advice->count;

	if (view->top && count > view->top)
		count = view->top;
	json_begin(&json, "advise");
	json_put_string(&json, "recording", findings->path);
	json_open_under(&json, "l1", '{');
	json_put_count(&json, "size", cache_size(&keep->geometry));
	json_put_count(&json, "ways", keep->geometry.ways);
	json_put_count(&json, "line", keep->geometry.line);
	json_close(&json, '}');
	put_tlb(&json, keep, advice);
	json_put_count(&json, "bursts", advice->bursts);
	json_put_count(&json, "bursts_recorded", advice->bursts_recorded);
	json_put_count(&json, "layouts_tried", advice->tried);
	json_put_bool(&json, "l2_seen", advice->outer_known);
	json_put_bool(&json, "misses_known", advice->ratio_known);
	json_put_number(&json, "misses", advice->now.before);
	json_put_number(&json, "conflicts", advice->now.conflicts_before);
	json_open_under(&json, "cures", '[');
	for (size_t i = 0; i < count; i++)
		json_put_cure(&json, &advice->cures[i]);
	json_close(&json, ']');
	json_key(&json, "together");
	if (advice->together)
		json_put_cure(&json, advice->together);
	else
		json_null(&json);
	json_open_under(&json, "without_cure", '[');
	for (size_t i = 0; i < advice->none_count; i++)
		put_none(&json, &advice->none[i]);
	json_close(&json, ']');
	json_close(&json, '}');
}
