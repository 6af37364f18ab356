// SPDX-License-Identifier: GPL-2.0-only
/* Advice in words. */
#include <inttypes.h>
#include <stdlib.h>

#include "advise/edit.h"
#include "advise/rows.h"
#include "advise/words.h"
#include "base/memory.h"
#include "output/prose.h"
#include "output/text.h"
#include "report/advice.h"
#include "report/text-data.h"

const char *advice_name(enum advice_kind kind)
{
	static const char *const names[] = {
		[ADVICE_INTERCHANGE] = "interchange", [ADVICE_BLOCK] = "block",
		[ADVICE_PAD_ROWS] = "pad_rows", [ADVICE_SHIFT] = "shift",
		[ADVICE_SHIFT_BLOCKS] = "shift", [ADVICE_UNALIGN] = "unalign",
		[ADVICE_SPREAD] = "spread", [ADVICE_LAYOUT] = "layout",
	};

	return names[kind];
}

const char *advice_how(const struct advice *advice)
{
	if (advice->kind != ADVICE_SPREAD)
		return NULL;
	if (advice->change.kind == CHANGE_ROWS)
		return row_nature_name(advice->change.nature);
	return advice->change.kind == CHANGE_COLOUR ? "colour" : "hash";
}

static char *layout_text(const struct advice *advice)
{
	char *text = cure_edit(advice->cure), *effect = effect_text(advice->effect);

	prose_append(&text, "; expected %s", effect);
	free(effect);
	return text;
}

static char *spread_text(const struct advice *advice)
{
	struct cure cure = { .changes[0] = advice->change, .count = 1 };

	cure.changes[0].to = advice->to;
	return cure_edit(&cure);
}

static char *interchange_text(const struct advice *advice, const char *name, const char *step)
{
	const char *unless = advice->unsure ? " and no other access of the loop goes along rows" :
					      "";

	if (!advice->all)
		return xasprintf("misses on %s are mostly multiples of %s B apart: step through "
				 "its lines one after another, if the code permits it%s", name,
				 step, unless);
	if (advice->library && object_language(advice->object) == LANGUAGE_PYTHON)
		return xasprintf("let it go along the array's last axis, or keep the array in the "
				 "other order (order='F', a copy of the transpose), if the "
				 "program permits it%s: mostly better than a pad", unless);
	if (advice->library)
		return xasprintf("the loops are a library's: hand it the data in the order in "
				 "which it goes (the other storage order, a transposed copy), if "
				 "the program permits it%s: mostly better than a pad", unless);
	return xasprintf("interchange the loops, if the code permits it%s, so that the inner one "
			 "%s: mostly better than a pad", unless,
			 object_is_fortran(advice->object) ? "runs over the first index" :
							     "goes along rows");
}

char *advice_text(const struct advice *advice)
{
	char *name = advice->object ? report_object_name(advice->object, 40) : xstrdup("");
	char *from = text_count(advice->from), *to = text_count(advice->to);
	char *misses = text_count(advice->sampled.misses);
	char *text = NULL;

	switch (advice->kind) {
	case ADVICE_INTERCHANGE:
		text = interchange_text(advice, name, from);
		break;
	case ADVICE_BLOCK:
		text = advice->layouts ? xstrdup("block the loops (not tried)") :
		       xasprintf("block the loops (not tried); a pad of the %s of %s (%s B now) "
				 "helps only where the next level conflicts (record -e l2-miss)",
				 object_rows(advice->object), name, from);
		break;
	case ADVICE_PAD_ROWS:
		text = xasprintf("make the %s of %s ", object_rows(advice->object), name);
		append_lengths(&text, advice->object, advice->to, advice->from, " long");
		break;
	case ADVICE_SHIFT:
		text = xasprintf("these %" PRIu32 " conflict with one another: let each begin %s B "
				 "later than the one before", advice->objects, to);
		break;
	case ADVICE_SHIFT_BLOCKS:
		text = xasprintf("the blocks of %s conflict with one another: let each begin %s B "
				 "later in its page than the one before",
				 object_of_blocks(name), to);
		break;
	case ADVICE_UNALIGN:
		text = xasprintf("the blocks of %s all begin at multiples of %s B: allocate them "
				 "without an alignment, or %s B larger",
				 object_of_blocks(name), from, to);
		break;
	case ADVICE_SPREAD:
		text = spread_text(advice);
		break;
	case ADVICE_LAYOUT:
		text = layout_text(advice);
		break;
	}
	if (!advice_tried(advice) && advice->kind != ADVICE_BLOCK)
		prose_append(&text, " (not tried)");
	if (advice->sampled.misses)
		prose_append(&text, "; conflicts among %s sampled misses %.2f -> %.2f (%.2f to "
			     "%.2f)", misses, advice->sampled.before, advice->sampled.after,
			     advice->sampled.interval.low, advice->sampled.interval.high);
	free(misses);
	free(name);
	free(from);
	free(to);
	return text;
}
