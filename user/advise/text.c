// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "advise/plan.h"
#include "advise/views.h"
#include "advise/words.h"
#include "base/memory.h"
#include "output/prose.h"

#define WRITTEN_MANY 0.5		/* of the misses saved */

static char *loop_text(const struct context *context)
{
	char *place = region_place(&context->region, true), *text;

	text = xasprintf("%s in %s", place, prose_or_unknown(context->region.function));
	free(place);
	return text;
}

static void put_effects(FILE *out, const struct cure *cure, bool colour)
{
	char *all = effect_text(&cure->all);

	for (size_t i = 0; i < cure->loop_count; i++) {
		char *loop = loop_text(cure->loops[i].context);
		char *effect = effect_text(&cure->loops[i]);

		prose_line(out, i ? "" : "  loops", TINT_DIM, colour, "%s: %s", loop, effect);
		free(effect);
		free(loop);
	}
	prose_line(out, "  program", TINT_DIM, colour, "%s", all);
	free(all);
}

/* Where nothing was timed: how likely fewer misses are less time (docs/howto/advise.md). */
static void put_written(FILE *out, const struct cure *cure, bool colour)
{
	char *share;

	if (!isfinite(cure->written))
		return;
	share = prose_percent(cure->written);
	if (cure->written >= WRITTEN_MANY)
		prose_line(out, "  time", TINT_DIM, colour, "%s of the misses saved are of data "
			   "that is written: likely less time, but measure it", share);
	else
		prose_line(out, "  time", TINT_DIM, colour, "%s of the misses saved are of data "
			   "that is only read, which may cost no time: measure it",
			   cure->written > 0 ? "most" : "all");
	free(share);
}

static void put_time(FILE *out, const struct cure *cure, bool colour)
{
	char *time = time_text(&cure->time);

	if (time)
		prose_line(out, "  time", TINT_DIM, colour, "%s", time);
	else
		put_written(out, cure, colour);
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
	char *edit = cure_edit(cure);

	if (cure->instead_of)
		prose_heading(out, colour, "Cure %zu, instead of %zu",
			      number + 1, cure->instead_of);
	else
		prose_heading(out, colour, "Cure %zu", number + 1);
	prose_line(out, "  edit", TINT_BOLD, colour, "%s", edit);
	put_effects(out, cure, colour);
	put_time(out, cure, colour);
	put_cost(out, cure, colour);
	if (cure_at_run_time(cure))
		prose_line(out, "  try", TINT_DIM, colour, "without recompiling: ccsample advise "
			   "-o PLAN, then ccsample cure --verify 7 --plan PLAN -- program");
	free(edit);
}

static void put_none(FILE *out, const struct no_cure *none, bool colour)
{
	double share = none->effect.before > 0 ?
		       none->effect.conflicts_before / none->effect.before : 0;
	char *loop = loop_text(none->effect.context), *percent = prose_percent(share);

	prose_line(out, "nothing gained", TINT_DIM, colour,
		   "%s: %.3g misses of 1,000 references, %s of them conflicts; %s", loop,
		   none->effect.before, percent,
		   !none->moves ? "none of its data can be moved (stacks, memory without a name)" :
		   share < 0.1 ? "another layout would not help" :
		   "no layout that was tried helps");
	free(percent);
	free(loop);
}

static void put_head(FILE *out, const struct findings *findings, const struct keep *keep,
		     const struct cures *advice, const struct cure_view *view)
{
	const struct cache_geometry *l1 = &keep->geometry;
	char *size = text_size(cache_size(l1)), *conflicts;
	bool colour = view->colour;

	prose_line(out, "recording", TINT_DIM, colour, "%s", findings->path);
	prose_line(out, "L1D", TINT_DIM, colour, "%s, %" PRIu32 " ways, %" PRIu32 " sets, %" PRIu32
		   " B lines, LRU, by virtual address", size, l1->ways, l1->sets, l1->line);
	prose_line(out, "replayed", TINT_DIM, colour, "%zu of %zu bursts, with %zu layouts",
		   advice->bursts, advice->bursts_recorded, advice->tried);
	conflicts = prose_percent(advice->now.before > 0 ?
				  advice->now.conflicts_before / advice->now.before : 0);
	prose_line(out, "now", TINT_DIM, colour, "%.3g misses of 1,000 references, %s of them "
		   "conflicts",
		   advice->now.before, conflicts);
	if (advice->bursts && !advice->outer_known)
		prose_line(out, "L2", TINT_DIM, colour, "not seen by these bursts, which are too "
			   "short for it: record --source engine simulates it");
	if (view->time_unknown || !advice->pieces)
		prose_line(out, "time", TINT_DIM, colour, "not known: %s", view->time_unknown ?
			   view->time_unknown : "no burst was timed (record again, for longer)");
	free(conflicts);
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
	if (advice->none_count || !advice->count)
		fputc('\n', out);
	for (size_t i = 0; i < advice->none_count; i++)
		put_none(out, &advice->none[i], view->colour);
	if (!advice->count)
		prose_line(out, "advice", TINT_BOLD, view->colour, advice->bursts ?
			   advice->outer_known ?
			   "nothing to be gained in L1 or L2 by another layout of data" :
			   "nothing to be gained in L1 by another layout of data" :
			   "none: the recording has no burst");
}
