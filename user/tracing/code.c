// SPDX-License-Identifier: GPL-2.0-only
/* A trace's counts by the loops and functions of the machine code, as reports have them. */
#include <stdlib.h>

#include "findings/contexts.h"
#include "tracing/internal.h"
#include "base/memory.h"

struct filling {
	struct traced *traced;
	uint32_t *numbers;		/* by context: of its piece of code + 1, 0 = none yet */
};

/* The piece of code of a context, made with all that are around it. Return: its number + 1. */
static uint32_t code_of(struct filling *filling, size_t context)
{
	const struct tally *tally = contexts_tally(filling->traced->contexts, context);
	struct traced *traced = filling->traced;
	uint32_t parent;

	if (filling->numbers[context])
		return filling->numbers[context];
	parent = tally->parent == SIZE_MAX ? 0 : code_of(filling, tally->parent);
	traced->code[traced->code_count] = (struct traced_code){
		.parent = parent, .depth = tally->depth, .kind = tally->kind,
		.function = tally->function, .file = tally->file, .line = tally->line,
		.end_line = tally->end_line, .dso = tally->dso, .address = tally->address,
	};
	filling->numbers[context] = ++traced->code_count;
	return traced->code_count;
}

void traced_code_fill(struct traced *traced)
{
	size_t contexts = contexts_count(traced->contexts), i;
	struct filling filling = { traced, xcalloc(contexts + 1, sizeof(*filling.numbers)) };
	uint32_t number;

	traced->code = xcalloc(contexts + 1, sizeof(*traced->code));
	for (i = 0; i < traced->row_count; i++) {
		struct traced_row *row = &traced->rows[i];

		number = code_of(&filling, traced->sites[row->site].context);
		row->code = number;
		traced->code[number - 1].alone += row->references;
		for (; number; number = traced->code[number - 1].parent) {
			traced->code[number - 1].references += row->references;
			counts_add(&traced->code[number - 1].counts, &row->counts);
		}
	}
	free(filling.numbers);
}
