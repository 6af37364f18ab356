// SPDX-License-Identifier: GPL-2.0-only
/*
 * Folded stacks, as flamegraph.pl, inferno, speedscope and others read them: frames from the
 * outermost in, between semicolons, a space, the weight.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "export/export-stack.h"
#include "export/export.h"

struct folded {
	char *text;
	uint64_t weight;
};

static char *fold(const struct stack *stack)
{
	size_t size = 1, i;
	char *text, *end;

	for (i = 0; i < stack->count; i++)
		size += strlen(stack->frames[i].name) + 1;
	text = end = xmalloc(size);
	for (i = 0; i < stack->count; i++) {
		if (i)
			*end++ = ';';
		for (const char *c = stack->frames[i].name; *c; c++)
			*end++ = *c == ';' ? ':' : *c;
	}
	*end = '\0';
	return text;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(((const struct folded *)a)->text, ((const struct folded *)b)->text);
}

/* Instructions of one line are one stack. */
static void put(FILE *out, struct folded *all, size_t count)
{
	uint64_t weight = 0;

	for (size_t i = 0; i < count; i++) {
		weight += all[i].weight;
		if (i + 1 < count && !strcmp(all[i].text, all[i + 1].text))
			continue;
		fprintf(out, "%s %" PRIu64 "\n", all[i].text, weight);
		weight = 0;
	}
}

void export_folded(FILE *out, const struct costs *costs, const struct export_about *about)
{
	struct folded *all = xcalloc(costs->site_count + 1, sizeof(*all));
	struct stack stack = { .frames = NULL };
	size_t count = 0, i;

	for (i = 0; i < costs->site_count; i++) {
		if (!costs->sites[i].counts[about->event])
			continue;
		stack_fill(&stack, costs, &costs->sites[i]);
		all[count++] = (struct folded) { fold(&stack),
						 costs->sites[i].counts[about->event] };
	}
	qsort(all, count, sizeof(*all), by_text);
	put(out, all, count);
	for (i = 0; i < count; i++)
		free(all[i].text);
	free(all);
	stack_drop(&stack);
}
