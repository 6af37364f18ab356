// SPDX-License-Identifier: GPL-2.0-only
/* Where rows or blocks begin, folded into sets: as they lie, and as they would after the advice. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "advise/layout.h"
#include "base/memory.h"
#include "output/html.h"
#include "page/internal.h"
#include "report/advice.h"
#include "report/rows.h"

#define PLACES_MOST	128u	/* rows or blocks drawn */
#define WIDTH		420
#define LEFT		58.0
#define RIGHT		8.0
#define TOP		6.0
#define ROW_MOST	9.0
#define HEIGHT_MOST	288.0
#define BOTTOM		40.0
#define AREA		(WIDTH - LEFT - RIGHT)

/* What is drawn: addresses of the same things before and after. */
struct places {
	uint64_t before[PLACES_MOST], after[PLACES_MOST];
	size_t count;
	const char *what;		/* "row", "block" */
	const struct object *object;	/* NULL = of several */
};

static void add(struct places *places, uint64_t before, uint64_t after)
{
	if (places->count == PLACES_MOST)
		return;
	places->before[places->count] = before;
	places->after[places->count++] = after;
}

/* Of the advice that no burst was there to try: the rows of the object's first block. */
static void plain_rows(struct places *places, const struct advice *advice)
{
	const struct object *object = advice->object;
	uint64_t begin = object->block_first, size = object->block_most;

	size = size ? size : object->bytes;
	for (uint64_t i = 0; i < PLACES_MOST && (i + 1) * advice->from <= size; i++)
		add(places, begin + i * advice->from, begin + i * advice->to);
}

/* The object's block with most references. */
static size_t main_block(const struct keep *keep, const struct object *object)
{
	size_t best = 0;

	for (size_t i = 1; i < keep->block_count; i++)
		if (keep->blocks[i].object == object &&
		    (!best || keep->blocks[i].references > keep->blocks[best].references))
			best = i;
	return best;
}

static void tried_rows(struct places *places, const struct keep *keep, const struct remap *remaps,
		       const struct layout_change *change)
{
	size_t best = main_block(keep, change->object);
	const struct keep_block *block = &keep->blocks[best];

	for (uint64_t i = 0; best && i < PLACES_MOST &&
	     block->low + (i + 1) * change->from <= block->high; i++)
		add(places, block->low + i * change->from,
		    remap_address(&remaps[best], block->low + i * change->from));
}

static bool moves(const struct remap *remap)
{
	return remap->row || remap->shift;
}

static void tried_blocks(struct places *places, const struct keep *keep, const struct remap *remaps,
			 const struct layout_change *change)
{
	for (size_t i = 1; i < keep->block_count; i++) {
		uint64_t low = keep->blocks[i].low;

		if (keep->blocks[i].object == change->object || moves(&remaps[i]))
			add(places, low, moves(&remaps[i]) ? remap_address(&remaps[i], low) : low);
	}
}

static void tried_places(struct places *places, const struct keep *keep, const struct cure *cure)
{
	const struct layout_change *change = &cure->changes[0];
	struct remap *remaps = xcalloc(keep->block_count, sizeof(*remaps));

	layout_remaps(keep, cure->changes, cure->count, remaps);
	if (change_has_rows(change)) {
		places->what = change->nature == ROWS_PROVEN ? "row" : "part";
		places->object = change->object;
		tried_rows(places, keep, remaps, change);
	} else {
		places->what = "block";
		places->object = cure->count == 1 && change->kind != CHANGE_LENGTHEN ?
				 change->object : NULL;
		tried_blocks(places, keep, remaps, change);
	}
	free(remaps);
}

static bool has_plain_rows(const struct advice *advice)
{
	return (advice->kind == ADVICE_PAD_ROWS && advice->object) ||
	       (advice->kind == ADVICE_SPREAD && advice->change.kind == CHANGE_ROWS);
}

static bool find_places(struct places *places, const struct page *page, const struct entry *entry)
{
	struct advice advice[ADVICE_MOST];
	size_t count = report_advice(page->findings, page->view->cures, entry, advice);

	for (size_t i = 0; i < count; i++) {
		if (has_plain_rows(&advice[i])) {
			places->what = advice[i].kind == ADVICE_PAD_ROWS ? "row" : "part";
			places->object = advice[i].object;
			plain_rows(places, &advice[i]);
		} else if (advice[i].kind == ADVICE_LAYOUT && page->keep) {
			tried_places(places, page->keep, advice[i].cure);
		}
		if (places->count > 1)
			return true;
	}
	return false;
}

/* Of so many begin in the set where most do. */
static uint32_t fullest(const struct cache_geometry *geometry, const uint64_t *addresses,
			size_t count, uint32_t *used)
{
	uint32_t *sets = xcalloc(geometry->sets, sizeof(*sets)), most = 0;

	*used = 0;
	for (size_t i = 0; i < count; i++) {
		uint64_t line = cache_line_of(geometry, addresses[i]);
		uint32_t *set = &sets[cache_set_of(geometry, line)];

		*used += !*set;
		most = ++*set > most ? *set : most;
	}
	free(sets);
	return most;
}

static void draw(struct page *page, const struct cache_geometry *geometry,
		 const struct places *places, const uint64_t *addresses, const char *when)
{
	double row = fmin(ROW_MOST, HEIGHT_MOST / places->count), width = AREA / geometry->sets;
	uint32_t used, most = fullest(geometry, addresses, places->count, &used);
	char *text = xasprintf("The first lines of %zu %ss lie in %" PRIu32 " of %" PRIu32
			       " sets; at most %" PRIu32 " in one set of %" PRIu32 " ways.",
			       places->count, places->what, used, geometry->sets, most,
			       geometry->ways);
	char *last = xasprintf("%s %zu", places->what, places->count - 1);
	char *first = xasprintf("%s 0", places->what);

	fputs("<figure>\n", page->out);
	svg_begin(page, WIDTH, TOP + row * places->count + BOTTOM, when, text);
	fputs("<path class=\"ground\" d=\"", page->out);
	svg_rectangle(page, LEFT, TOP, AREA, row * places->count);
	fprintf(page->out, "\"/>\n<path class=\"%s\" d=\"", most > geometry->ways ? "near" : "bar");
	for (size_t i = 0; i < places->count; i++)
		svg_rectangle(page,
			      LEFT + width * cache_set_of(geometry,
							  cache_line_of(geometry, addresses[i])),
			      TOP + row * i, width, fmax(row - 1, 2));
	fputs("\"/>\n<g class=\"m\">\n", page->out);
	svg_text(page, LEFT - 5, TOP + 9, SVG_END, first);
	svg_text(page, LEFT - 5, TOP + row * places->count - 1, SVG_END, last);
	fputs("</g>\n", page->out);
	svg_set_axis(page, LEFT, TOP + row * places->count, AREA, geometry->sets);
	svg_end(page);
	fputs("<figcaption><b>", page->out);
	html_text(page->out, when);
	fputs(":</b> ", page->out);
	html_text(page->out, text);
	fputs("</figcaption></figure>\n", page->out);
	free(first);
	free(last);
	free(text);
}

static void draw_both(struct page *page, const struct cache_geometry *geometry,
		      const struct places *places)
{
	fprintf(page->out, "<p><strong>Where the %ss", places->what);
	if (places->object) {
		fputs(" of <bdi>", page->out);
		html_put_free(page->out, page_object(places->object));
		fputs("</bdi>", page->out);
	}
	fputs(" begin</strong>, as the cache folds addresses into sets:</p>\n"
	      "<div class=\"pair\">\n",
	      page->out);
	draw(page, geometry, places, places->before, "Now");
	draw(page, geometry, places, places->after, "As advised");
	fputs("</div>\n", page->out);
}

void page_layout(struct page *page, const struct entry *entry)
{
	const struct cache_level *cache = findings_cache(page->findings, entry->level);
	struct places places = { .count = 0 };

	/* Where lines lie in the outer levels is up to pages. */
	if (!cache || cache->physical || cache->slices != 1 ||
	    (entry->summary->verdict != RCD_CONFLICT &&
	     entry->summary->verdict != RCD_CONCENTRATED) ||
	    !find_places(&places, page, entry))
		return;
	draw_both(page, &cache->geometry, &places);
}

void page_cure_layout(struct page *page, const struct cure *cure)
{
	struct places places = { .count = 0 };

	tried_places(&places, page->keep, cure);
	if (places.count > 1)
		draw_both(page, &page->keep->geometry, &places);
}
