// SPDX-License-Identifier: GPL-2.0-only
/* How far apart misses on the same set are, against misses on random sets; of one run or of two. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "output/html.h"
#include "page/chart.h"
#include "page/internal.h"

#define CHANCE_POINTS 96

/* Log scale, from 1 to @last. */
static double x_of(double rcd, double last)
{
	return LEFT + AREA * log(rcd) / log(last);
}

static double y_of(double share)
{
	return TOP + DEPTH * (1 - share);
}

static void put_chance(struct page *page, const struct cache_level *cache, double last)
{
	double shares[SLICES_MAX];
	uint32_t slices = cache_level_shares(cache, shares);

	fputs("<path class=\"chance\" d=\"", page->out);
	for (int i = 0; i <= CHANCE_POINTS; i++) {
		double rcd = round(pow(last, (double)i / CHANCE_POINTS));
		double share = rcd_null_sliced(cache->geometry.sets, slices, shares, rcd);

		fprintf(page->out, "%c%.1f %.1f", i ? 'L' : 'M', x_of(rcd, last), y_of(share));
	}
	fputs("\"/>\n", page->out);
}

static void put_curve(struct page *page, const struct level_findings *level, double last,
		      const char *class)
{
	double y = y_of(0);

	fprintf(page->out, "<path class=\"%s\" d=\"M%.1f %.1f", class, LEFT, y);
	for (size_t i = 0; i < level->cdf_points && level->cdf[i].rcd <= last; i++) {
		y = y_of(fmin(level->cdf[i].share, 1));
		fprintf(page->out, "H%.1fV%.1f", x_of(level->cdf[i].rcd, last), y);
	}
	fprintf(page->out, "H%.1f\"/>\n", LEFT + AREA);
}

static void put_axes(struct page *page, double last, uint32_t ways, uint32_t sets)
{
	for (int i = 0; i <= 4; i++) {
		svg_line(page, "grid", LEFT, y_of(i / 4.0), AREA);
		svg_text_free(page, LEFT - 6, y_of(i / 4.0) + 4, SVG_END,
			      xasprintf("%d%%", 25 * i));
	}
	fputs("<g class=\"m\">\n", page->out);
	for (double at = 1; at <= last; at *= last > 3000 ? 10 : 4)
		svg_text_free(page, x_of(at, last), TOP + DEPTH + 15, SVG_MIDDLE,
			      xasprintf("%.0f", at));
	svg_text(page, LEFT + AREA / 2, TOP + DEPTH + 32, SVG_MIDDLE,
		 "re-conflict distance: misses since the last one on the same set");
	fputs("</g>\n", page->out);
	fprintf(page->out, "<path class=\"mark\" d=\"M%.1f %.1fV%.1fM%.1f %.1fV%.1f\"/>\n",
		x_of(ways, last), TOP, TOP + DEPTH, x_of(sets, last), TOP, TOP + DEPTH);
	svg_text_free(page, x_of(ways, last) + 4, TOP + 10, SVG_START,
		      xasprintf("%" PRIu32 " ways", ways));
	svg_text_free(page, x_of(sets, last) + 4, TOP + 10, SVG_START,
		      xasprintf("%" PRIu32 " sets", sets));
}

/* The share of the misses with at most this distance. */
static double share_at(const struct level_findings *level, uint32_t rcd)
{
	double share = 0;

	for (size_t i = 0; i < level->cdf_points && level->cdf[i].rcd <= rcd; i++)
		share = level->cdf[i].share;
	return share;
}

/* Distances for the slider: each integer where they are few, else evenly in log scale. */
static size_t distances(uint32_t *rcds, double last, uint32_t threshold, size_t *begin)
{
	size_t count = 0;

	*begin = 0;
	for (int i = 0; i <= CHANCE_POINTS; i++) {
		uint32_t rcd = round(pow(last, (double)i / CHANCE_POINTS));

		if (count && rcds[count - 1] == rcd)
			continue;
		/* What cf counts is one of them. */
		if (count && rcds[count - 1] < threshold && rcd > threshold)
			rcds[count++] = threshold;
		rcds[count++] = rcd;
	}
	for (size_t i = 0; i < count; i++)
		if (rcds[i] == threshold)
			*begin = i;
	return count;
}

/* What the script reads: at each distance the first curve, and the other one or chance. */
static void put_data(struct page *page, const struct level_findings *level,
		     const struct level_findings *before, double last)
{
	const struct cache_level *cache = findings_cache(page->findings, level->level);
	static const char *const names[] = { "at", "x", "a", "b" };
	uint32_t rcds[CHANCE_POINTS + 2];
	double shares[SLICES_MAX];
	uint32_t slices = cache_level_shares(cache, shares);
	size_t begin, count = distances(rcds, last, level->summary.threshold, &begin);

	fputs("<figure", page->out);
	for (int kind = 0; kind < 4; kind++) {
		fprintf(page->out, " data-%s=\"", names[kind]);
		for (size_t i = 0; i < count; i++) {
			double other = before ? share_at(before, rcds[i]) :
				       rcd_null_sliced(cache->geometry.sets, slices, shares,
						       rcds[i]);
			double values[] = { x_of(rcds[i], last), rcds[i],
					    1000 * share_at(level, rcds[i]), 1000 * other };

			fprintf(page->out, "%s%.0f", i ? " " : "", values[kind]);
		}
		fputs("\"", page->out);
	}
	fprintf(page->out, " data-name=\"Distance up to\" data-first=\"%s\" data-second=\"%s\" "
		"data-top=\"%.0f\" data-bottom=\"%.0f\" data-begin=\"%zu\">\n",
		before ? "after" : "of the misses", before ? "before" : "by chance",
		TOP, TOP + DEPTH,
		begin);
}

static char *describe(const struct level_findings *level, const struct level_findings *before)
{
	char *text = xasprintf("Of the misses, %.0f%% are on a set that missed within the last %u; "
			       "by chance it would be %.0f%%.", 100 * level->summary.cf,
			       level->summary.threshold, 100 * level->summary.expected_cf);
	char *longer;

	if (!before || !isfinite(before->summary.cf))
		return text;
	longer = xasprintf("%s Before it was %.0f%%.", text, 100 * before->summary.cf);
	free(text);
	return longer;
}

void page_cdf(struct page *page, const struct level_findings *level,
	      const struct level_findings *before)
{
	const struct cache_level *cache = findings_cache(page->findings, level->level);
	uint32_t sets;
	double last;
	char *text;

	if (!cache || !level->cdf_points || cache->geometry.ways < 2)
		return;
	sets = cache_level_sets(cache);
	last = fmax(8.0 * sets, 4.0 * cache->geometry.ways);
	text = describe(level, before);
	put_data(page, level, before, last);
	svg_begin(page, WIDTH, HEIGHT, "Distribution of the re-conflict distance", text);
	put_axes(page, last, cache->geometry.ways, sets);
	put_chance(page, cache, last);
	if (before)
		put_curve(page, before, last, "curve2");
	put_curve(page, level, last, "curve");
	svg_end(page);
	fprintf(page->out, "<figcaption>Share of the misses with at most this re-conflict distance."
		"<span class=\"key line\"></span>%s<span class=\"key dash\"></span>by chance "
		"(misses on random sets). ",
		before ? "after<span class=\"key line2\"></span>before" :
				  "these misses");
	html_text(page->out, text);
	fputs("</figcaption>\n</figure>\n", page->out);
	free(text);
}
