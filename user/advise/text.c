// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>

#include "advise/edit.h"
#include "advise/plan.h"
#include "advise/views.h"
#include "advise/words.h"
#include "base/memory.h"
#include "output/prose.h"

static void put_effects(FILE *out, const struct cure *cure, bool colour)
{
	char *all = effect_text(&cure->all);

	for (size_t i = 0; i < cure->loop_count; i++) {
		char *effect = loop_effect_text(&cure->loops[i]);

		prose_line(out, i ? "" : "  loops", TINT_DIM, colour, "%s", effect);
		free(effect);
	}
	prose_line(out, "  program", TINT_DIM, colour, "%s", all);
	free(all);
}

static void put_time(FILE *out, const struct cure *cure, bool colour)
{
	char *time = cure_time_text(cure);

	if (time)
		prose_line(out, "  time", TINT_DIM, colour, "%s", time);
	free(time);
}

static void put_cost(FILE *out, const struct cure *cure, bool colour)
{
	char *size = text_size(cure->bytes);

	prose_line(out, "  memory", TINT_DIM, colour, "%s more", size);
	free(size);
}

static void put_cure(FILE *out, const struct cures *advice, size_t number, bool colour)
{
	const struct cure *cure = &advice->cures[number];
	char *edit = cure_edit(cure), *name = cure_name(advice, number);
	char *tlb = cure_tlb_text(cure);

	prose_heading(out, colour, "%s", name);
	free(name);
	prose_line(out, "  edit", TINT_BOLD, colour, "%s", edit);
	put_effects(out, cure, colour);
	if (tlb)
		prose_line(out, "  dTLB", TINT_DIM, colour, "%s", tlb);
	put_time(out, cure, colour);
	put_cost(out, cure, colour);
	if (cure_at_run_time(cure))
		prose_line(out, "  try", TINT_DIM, colour, CURE_AT_RUN_TIME);
	free(tlb);
	free(edit);
}

static void put_none(FILE *out, const struct no_cure *none, bool colour)
{
	char *text = no_cure_text(none);

	prose_line(out, none->little.count ? "little gained" : no_cure_open(none, 0) ?
		   "not known" : "nothing gained", TINT_DIM, colour, "%s", text);
	free(text);
}

static void put_head(FILE *out, const struct findings *findings, const struct keep *keep,
		     const struct cures *advice, const struct cure_view *view)
{
	const struct cache_geometry *l1 = &keep->geometry;
	char *size = text_size(cache_size(l1)), *now = cures_now_text(advice);
	char *tlb = cures_tlb_text(advice, keep), *heap = cures_heap_text(findings);
	const char *nothing = cures_nothing(advice);
	bool colour = view->colour;

	if (nothing)
		prose_line(out, "advice", TINT_BOLD, colour, "%s", nothing);
	prose_line(out, "recording", TINT_DIM, colour, "%s", findings->path);
	prose_line(out, "L1D", TINT_DIM, colour, "%s, %" PRIu32 " ways, %" PRIu32 " sets, %" PRIu32
		   " B lines, LRU, by virtual address", size, l1->ways, l1->sets, l1->line);
	prose_line(out, "replayed", TINT_DIM, colour, "%zu of %zu bursts, with %zu layouts",
		   advice->bursts, advice->bursts_recorded, advice->tried);
	prose_line(out, "now", TINT_DIM, colour, "%s", now);
	if (tlb)
		prose_line(out, "dTLB", TINT_DIM, colour, "%s", tlb);
	if (heap)
		prose_line(out, "[heap]", TINT_DIM, colour, "%s", heap);
	if (cures_hide_outer(advice))
		prose_line(out, "L2", TINT_DIM, colour, CURES_NO_OUTER);
	if ((view->time_unknown || !advice->pieces) && !advice->modelled)
		prose_line(out, "time", TINT_DIM, colour, "not known: %s",
			   cures_untimed(view));
	free(heap);
	free(tlb);
	free(now);
	free(size);
}

void cures_text(FILE *out, const struct findings *findings, const struct keep *keep,
		 const struct cures *advice, const struct cure_view *view)
{
	size_t count = advice->count;

	if (view->top && count > view->top)
		count = view->top;
	put_head(out, findings, keep, advice, view);
	for (size_t i = 0; i < count; i++)
		put_cure(out, advice, i, view->colour);
	if (count < advice->count)
		fprintf(out, "  and %zu more\n", advice->count - count);
	if (advice->together) {
		char *effect = effect_text(&advice->together->all);
		char *time = time_text(&advice->together->time);

		fputc('\n', out);
		prose_line(out, "together", TINT_BOLD, view->colour, "%s", effect);
		if (time)
			prose_line(out, "  time", TINT_DIM, view->colour, "%s", time);
		free(time);
		free(effect);
	}
	if (advice->none_count)
		fputc('\n', out);
	for (size_t i = 0; i < advice->none_count; i++)
		put_none(out, &advice->none[i], view->colour);
}
