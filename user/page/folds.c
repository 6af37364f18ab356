// SPDX-License-Identifier: GPL-2.0-only
/* Which data meets in which sets, and whose lines evict whose. */
#include <inttypes.h>
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
#define MATRIX_MOST	(2 * FINDINGS_PAIRS)

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

static size_t add(const struct object **objects, size_t *count, const struct object *object)
{
	size_t i;

	for (i = 0; i < *count && objects[i] != object; i++)
		;
	if (i == *count)
		objects[(*count)++] = object;
	return i;
}

static void put_head(struct page *page, const struct object *const *objects, size_t count,
		     double all)
{
	struct page_column columns[MATRIX_MOST + 2] = { { "object", false } };
	char *names[MATRIX_MOST], *caption;

	for (size_t i = 0; i < count; i++) {
		names[i] = page_object_among(objects[i], objects, count);
		columns[i + 1] = (struct page_column){ names[i], true };
	}
	caption = xasprintf("Who evicts whom: shares of the re-misses whose evictors were seen. On "
			    "the diagonal an object's own lines evict each other. The pairs shown "
			    "have %.0f%% of them.", 100 * all);
	page_table(page, "Who evicts whom", caption, "matrix", columns);
	free(caption);
	for (size_t i = 0; i < count; i++)
		free(names[i]);
}

void page_evictors(struct page *page, const struct level_findings *level)
{
	const struct object *objects[MATRIX_MOST];
	double shares[MATRIX_MOST][MATRIX_MOST] = { { 0 } }, most = 0, all = 0;
	FILE *out = page->out;
	size_t count = 0;

	for (size_t i = 0; i < level->pair_count; i++) {
		const struct pair_share *pair = &level->pairs[i];
		size_t a = add(objects, &count, pair->a), b = add(objects, &count, pair->b);

		shares[a][b] += pair->share;
		if (a != b)
			shares[b][a] = shares[a][b];
		most = shares[a][b] > most ? shares[a][b] : most;
		all += pair->share;
	}
	if (!count)
		return;
	put_head(page, objects, count, all);
	for (size_t i = 0; i < count; i++) {
		fputs("<tr><th scope=\"row\"><bdi>", out);
		html_put_free(out, page_object_among(objects[i], objects, count));
		fputs("</bdi></th>", out);
		for (size_t j = 0; j < count; j++) {
			fprintf(out, "<td class=\"num h%u\">", page_heat(shares[i][j], most));
			html_put_free(out, shares[i][j] > 0 ?
				      text_percent(shares[i][j]) : xstrdup("-"));
			fputs("</td>", out);
		}
		fputs("</tr>\n", out);
	}
	page_table_end(page);
}
