// SPDX-License-Identifier: GPL-2.0-only
/* All misses of a level by set and time. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/memory.h"
#include "output/html.h"
#include "page/internal.h"

#define WIDTH		720
#define LEFT		52.0
#define RIGHT		12.0
#define TOP		6.0
#define BOTTOM		40.0
#define ROWS_MOST	64u
#define COLUMNS_MOST	128u
#define HEIGHT_MOST	320.0
#define ROW_MOST	12.0

/* The map in at most as many cells as a picture has room for. */
static double *cells_of(const struct set_map *map, uint32_t rows, uint32_t columns)
{
	double *cells = xcalloc((size_t)rows * columns, sizeof(*cells));

	for (uint32_t row = 0; row < map->rows; row++)
		for (uint32_t set = 0; set < map->sets; set++)
			cells[(uint64_t)row * rows / map->rows * columns +
			      (uint64_t)set * columns / map->sets] +=
				map->counts[(size_t)row * map->sets + set];
	return cells;
}

static uint32_t sets_used(const struct set_map *map)
{
	uint32_t used = 0;

	for (uint32_t set = 0; set < map->sets; set++)
		for (uint32_t row = 0; row < map->rows; row++)
			if (map->counts[(size_t)row * map->sets + set]) {
				used++;
				break;
			}
	return used;
}

/* Times without a sample are grey: nothing is known of them. */
static void put_ground(struct page *page, const double *cells, uint32_t rows, uint32_t columns,
		       double height)
{
	double width = WIDTH - LEFT - RIGHT;

	fprintf(page->out, "<path class=\"ground\" d=\"M%.1f %.1fh%.1fv%.1fh-%.1fz\"/>\n"
		"<path class=\"seen\" d=\"", LEFT, TOP, width, rows * height, width);
	for (uint32_t row = 0; row < rows; row++) {
		double misses = 0;

		for (uint32_t column = 0; column < columns; column++)
			misses += cells[(size_t)row * columns + column];
		if (misses > 0)
			fprintf(page->out, "M%.1f %.4gh%.1fv%.4gh-%.1fz",
				LEFT, TOP + row * height, width,
				height, width);
	}
	fputs("\"/>\n", page->out);
}

void page_set_map(struct page *page)
{
	const struct set_map *map = &page->findings->map;
	uint32_t rows = map->rows < ROWS_MOST ? map->rows : ROWS_MOST;
	uint32_t columns = map->sets < COLUMNS_MOST ? map->sets : COLUMNS_MOST;
	double height, row, *cells;
	char *text, *name;

	if (!map->counts || !rows || !columns)
		return;
	name = page_level_name(map->level);
	page_part(page->out, "map", "Set map");
	row = HEIGHT_MOST / rows < ROW_MOST ? HEIGHT_MOST / rows : ROW_MOST;
	height = row * rows;
	cells = cells_of(map, rows, columns);
	text = xasprintf("Misses of the whole run in %s by set, %" PRIu32 " of %" PRIu32
			 " sets, and by time in %" PRIu32 " steps.",
			 name, sets_used(map), map->sets,
			 rows);
	fputs("<figure>\n", page->out);
	svg_begin(page, WIDTH, TOP + height + BOTTOM, "Set map", text);
	put_ground(page, cells, rows, columns, row);
	svg_heat(page, &(struct svg_heat){
		.values = cells, .rows = rows, .columns = columns, .x = LEFT, .y = TOP,
		.width = WIDTH - LEFT - RIGHT, .height = height,
	});
	fputs("<g class=\"m\">\n", page->out);
	svg_text(page, LEFT - 6, TOP + 10, SVG_END, "start");
	svg_text(page, LEFT - 6, TOP + height - 1, SVG_END, "end");
	fputs("</g>\n", page->out);
	svg_set_axis(page, LEFT, TOP + height, WIDTH - LEFT - RIGHT, map->sets);
	svg_end(page);
	fputs("<figcaption>", page->out);
	html_text(page->out, text);
	fputs(" Time runs downwards; of grey times no misses were sampled. Stripes are sets that "
	      "get more misses than others; what is evenly coloured has no conflicts to show "
	      "here.</figcaption>\n</figure>\n", page->out);
	free(text);
	free(name);
	free(cells);
}
