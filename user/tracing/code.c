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
	struct code_region region = contexts_tally(filling->traced->contexts, context)->region;
	struct traced *traced = filling->traced;

	if (filling->numbers[context])
		return filling->numbers[context];
	if (region.parent)
		region.parent = code_of(filling, region.parent - 1);
	region.id = ++traced->code_count;
	traced->code[region.id - 1].region = region;
	filling->numbers[context] = region.id;
	return region.id;
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
		traced->code[number - 1].self += row->references;
		for (; number; number = traced->code[number - 1].region.parent) {
			traced->code[number - 1].references += row->references;
			counts_add(&traced->code[number - 1].counts, &row->counts);
		}
	}
	free(filling.numbers);
}
