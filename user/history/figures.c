// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clean.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/text.h"
#include "history/figures.h"

const char *figure_unit(const struct figure *figure)
{
	return figure->per_thousand ? "misses of 1,000 references" : "misses";
}

char *figure_name(const struct figure *figure)
{
	if (!figure->function && !figure->file)
		return xstrdup("all code");
	if (!figure->file)
		return xstrdup(figure->function);
	return xasprintf("%s (%s)", figure->function ? figure->function : "?", figure->file);
}

void figures_add(struct figures *figures, const struct figure *figure)
{
	figures->list = grow(figures->list, figures->count, &figures->room,
			     sizeof(*figures->list));
	figures->list[figures->count++] = *figure;
}

void figures_drop(struct figures *figures)
{
	for (size_t i = 0; i < figures->count; i++) {
		free(figures->list[i].function);
		free(figures->list[i].file);
	}
	free(figures->list);
	*figures = (struct figures) { .list = NULL };
}

/* ---- taken from a comparison ---- */

static void add_conflicts(struct figure *figure, double conflicts)
{
	if (!isnan(conflicts))
		figure->conflicts = (isnan(figure->conflicts) ? 0 : figure->conflicts) + conflicts;
}

static int compare_texts(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) : !!a - !!b;
}

int figure_by_code(const void *left, const void *right)
{
	const struct figure *a = left, *b = right;
	int functions = compare_texts(a->function, b->function);

	return functions ? functions : compare_texts(a->file, b->file);
}

static int by_misses(const void *left, const void *right)
{
	const struct figure *a = left, *b = right;
	int order = (a->misses < b->misses) - (a->misses > b->misses);

	return order ? order : figure_by_code(left, right);
}

/* From the @first on: loops of one function add up. */
static void merge_functions(struct figures *figures, size_t first)
{
	struct figure *list = figures->list + first;
	size_t count = figures->count - first, kept = 0;

	qsort(list, count, sizeof(*list), figure_by_code);
	for (size_t i = 0; i < count; i++) {
		if (!kept || figure_by_code(&list[kept - 1], &list[i])) {
			list[kept++] = list[i];
			continue;
		}
		list[kept - 1].misses += list[i].misses;
		add_conflicts(&list[kept - 1], list[i].conflicts);
		free(list[i].function);
		free(list[i].file);
	}
	figures->count = first + kept;
	qsort(list, kept, sizeof(*list), by_misses);
}

static void add_change(struct figures *figures, const struct figure *all,
		       const struct change *change)
{
	const struct code_region *region = &change->after->region;
	const struct rcd_summary *summary = &change->level_after->summary;

	figures_add(figures, &(struct figure){
		.level = all->level, .per_thousand = all->per_thousand,
		.misses = change->misses_after,
		.conflicts = rcd_share_known(summary) ?
			     summary->conflict_share * change->misses_after : NAN,
		.function = xstrdup(region->function ? region->function : "?"),
		.file = region->file ? xstrdup(base_name(region->file)) : NULL,
	});
}

void figures_take(struct figures *figures, const struct comparison *comparison)
{
	const struct figure all = {
		.level = comparison->level, .per_thousand = comparison->per_thousand,
		.misses = comparison->misses_after, .conflicts = NAN,
	};
	size_t total = figures->count;

	/* Too few bursts. */
	if (isnan(comparison->misses_after))
		return;
	figures_add(figures, &all);
	for (size_t i = 0; i < comparison->count; i++) {
		if (!comparison->changes[i].level_after)
			continue;
		add_change(figures, &all, &comparison->changes[i]);
		add_conflicts(&figures->list[total],
			      figures->list[figures->count - 1].conflicts);
	}
	merge_functions(figures, total + 1);
}

/* ---- as lines ---- */

static void put_name(FILE *out, const char *name)
{
	char *clean = name ? text_clean(name) : NULL;

	fprintf(out, "\t%s", clean ? clean : "");
	free(clean);
}

void figures_write(FILE *out, const struct figures *figures)
{
	for (size_t i = 0; i < figures->count; i++) {
		const struct figure *figure = &figures->list[i];

		fprintf(out, "%" PRIu32 " %d %.17g %.17g", figure->level, figure->per_thousand,
			figure->misses, figure->conflicts);
		put_name(out, figure->function);
		put_name(out, figure->file);
		fputc('\n', out);
	}
}

static int take_line(struct figures *figures, char *line)
{
	struct figure figure = { .level = 0 };
	char *function = strchr(line, '\t'), *file = function ? strchr(function + 1, '\t') : NULL;
	int per_thousand;

	if (!file || sscanf(line, "%" SCNu32 " %d %lg %lg", &figure.level, &per_thousand,
			    &figure.misses, &figure.conflicts) != 4 ||
	    figure.level < 1 || figure.level > FINDINGS_LEVELS || !isfinite(figure.misses))
		return fail("the figures of the recording are damaged");
	line[strcspn(line, "\n")] = '\0';
	*file++ = '\0';
	figure.per_thousand = per_thousand;
	figure.function = function[1] ? xstrdup(function + 1) : NULL;
	figure.file = *file ? xstrdup(file) : NULL;
	figures_add(figures, &figure);
	return 0;
}

int figures_read(FILE *in, struct figures *figures)
{
	char *line = NULL;
	size_t size = 0;
	int status = 0;

	while (!status && getline(&line, &size, in) > 0)
		status = take_line(figures, line);
	free(line);
	return status;
}
