// SPDX-License-Identifier: GPL-2.0-only
/* Which data meets in which sets, and whose lines evict whose. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "output/html.h"
#include "output/prose.h"
#include "output/text.h"
#include "page/internal.h"
#include "report/rows.h"

#define WIDTH		720
#define NAMES		220.0
#define ROW		22.0
#define TOP		6.0
#define BOTTOM		40.0
#define FOLDS_SHOWN	8
#define NAME_COLUMNS	30

static uint32_t columns_used(const struct fold_tally *fold)
{
	uint32_t used = 0;

	for (uint32_t i = 0; i < fold->columns; i++)
		used += fold->counts[i] != 0;
	return used;
}

static void put_names(struct page *page, const struct fold_tally *folds, size_t count)
{
	const struct object *objects[FOLDS_SHOWN];

	for (size_t i = 0; i < count; i++)
		objects[i] = folds[i].object;
	for (size_t i = 0; i < count; i++) {
		char *name = page_object_among(objects[i], objects, count);
		char *fitted = text_fit(name, NAME_COLUMNS, TEXT_FIT_MIDDLE);

		svg_text(page, NAMES - 8, TOP + ROW * i + 15, SVG_END, fitted);
		free(fitted);
		free(name);
	}
}

static char *describe(const struct fold_tally *folds, size_t count)
{
	char *text = NULL;

	for (size_t i = 0; i < count; i++) {
		char *name = page_object(folds[i].object);

		prose_append(&text, "%s%s misses in %" PRIu32 " of %" PRIu32 " columns",
			     i ? "; " : "",
			     name, columns_used(&folds[i]), folds[i].columns);
		free(name);
	}
	return text;
}

void page_folds(struct page *page, const struct context *context,
		const struct level_findings *level)
{
	size_t count, columns;
	const struct fold_tally *folds = tallies_folds(page->tallies, context, level->level,
						       &count);
	double height, *values;
	char *text;

	if (!count)
		return;
	count = count > FOLDS_SHOWN ? FOLDS_SHOWN : count;
	columns = folds[0].columns;
	height = TOP + ROW * count + BOTTOM;
	values = xcalloc(count * columns, sizeof(*values));
	for (size_t i = 0; i < count * columns; i++)
		values[i] = folds[i / columns].counts[i % columns];
	text = describe(folds, count);
	fputs("<figure>\n", page->out);
	svg_begin(page, WIDTH, height, "Data by set", text);
	put_names(page, folds, count);
	svg_heat(page, &(struct svg_heat){
		.values = values, .rows = count, .columns = columns, .x = NAMES, .y = TOP,
		.width = WIDTH - NAMES - 12, .height = ROW * count,
	});
	svg_set_axis(page, NAMES, TOP + ROW * count, WIDTH - NAMES - 12,
		     level_sets(page->findings, level->level));
	svg_end(page);
	fputs("<figcaption>Data folded into sets: where each object's lines miss, darker (in dark "
	      "mode brighter) for more misses. Objects that are dark in the same columns meet "
	      "there.</figcaption>\n</figure>\n", page->out);
	free(text);
	free(values);
}

/* --- who evicts whom --- */

static size_t place_of(struct matrix *matrix, const struct object *object)
{
	size_t i;

	for (i = 0; i < matrix->count && matrix->objects[i] != object; i++)
		;
	if (i == matrix->count && i < MATRIX_MOST)
		matrix->objects[matrix->count++] = object;
	return i;
}

void matrix_add(struct matrix *matrix, const struct object *victim, const struct object *evictor,
		double share)
{
	size_t a = place_of(matrix, victim), b = place_of(matrix, evictor);

	if (a == MATRIX_MOST || b == MATRIX_MOST)
		return;
	matrix->shares[a][b] += share;
	matrix->most = fmax(matrix->most, matrix->shares[a][b]);
}

static void put_head(struct page *page, const struct matrix *matrix, const char *caption)
{
	struct page_column columns[MATRIX_MOST + 2] = { { "object", false } };
	char *names[MATRIX_MOST];

	for (size_t i = 0; i < matrix->count; i++) {
		names[i] = page_object_among(matrix->objects[i], matrix->objects, matrix->count);
		columns[i + 1] = (struct page_column){ names[i], true };
	}
	page_table(page, "Who evicts whom", caption, "matrix", columns);
	for (size_t i = 0; i < matrix->count; i++)
		free(names[i]);
}

void page_matrix(struct page *page, const struct matrix *matrix, const char *caption)
{
	FILE *out = page->out;

	if (!matrix->count)
		return;
	put_head(page, matrix, caption);
	for (size_t i = 0; i < matrix->count; i++) {
		fputs("<tr><th scope=\"row\"><bdi>", out);
		html_put_free(out, page_object_among(matrix->objects[i], matrix->objects,
						     matrix->count));
		fputs("</bdi></th>", out);
		for (size_t j = 0; j < matrix->count; j++) {
			double share = matrix->shares[i][j];

			fprintf(out, "<td class=\"num h%u\">", page_heat(share, matrix->most));
			html_put_free(out, share > 0 ? text_percent(share) : xstrdup("-"));
			fputs("</td>", out);
		}
		fputs("</tr>\n", out);
	}
	page_table_end(page);
}

void page_evictors(struct page *page, const struct level_findings *level)
{
	struct matrix matrix = { .count = 0 };
	double all = 0;
	char *caption;

	for (size_t i = 0; i < level->pair_count; i++) {
		const struct pair_share *pair = &level->pairs[i];

		matrix_add(&matrix, pair->a, pair->b, pair->share);
		if (pair->a != pair->b)
			matrix_add(&matrix, pair->b, pair->a, pair->share);
		all += pair->share;
	}
	caption = xasprintf("Who evicts whom: shares of the re-misses whose evictors were seen. On "
			    "the diagonal an object's own lines evict each other. The pairs shown "
			    "have %.0f%% of them.", 100 * all);
	page_matrix(page, &matrix, caption);
	free(caption);
}
