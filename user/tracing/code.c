// SPDX-License-Identifier: GPL-2.0-only
/* A trace's counts by the loops and functions of the machine code, as reports have them. */
#include <stdlib.h>

#include "findings/contexts.h"
#include "tracing/internal.h"
#include "base/memory.h"

void traced_code_fill(struct traced *traced)
{
	size_t contexts = contexts_count(traced->contexts), i;
	struct code_pieces pieces = {
		.all = xcalloc(contexts + 1, sizeof(*traced->code)),
		.step = sizeof(*traced->code),
		.numbers = xcalloc(contexts + 1, sizeof(*pieces.numbers)),
	};
	uint32_t number;

	traced->code = pieces.all;
	for (i = 0; i < traced->row_count; i++) {
		struct traced_row *row = &traced->rows[i];

		number = contexts_piece(traced->contexts, &pieces,
					traced->sites[row->site].context);
		row->code = number;
		traced->code[number - 1].self += row->references;
		for (; number; number = traced->code[number - 1].region.parent) {
			traced->code[number - 1].references += row->references;
			counts_add(&traced->code[number - 1].counts, &row->counts);
		}
	}
	traced->code_count = pieces.count;
	free(pieces.numbers);
}
