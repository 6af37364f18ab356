// SPDX-License-Identifier: GPL-2.0-only
/* Pictures: colours are classes of page.css, so that they follow the reader's. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "output/html.h"
#include "page/internal.h"

#define HEATS	8
#define TICKS	4	/* of an axis, about */

void svg_begin(struct page *page, int width, int height, const char *title, const char *text)
{
	size_t id = ++page->ids;

	fprintf(page->out, "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-labelledby=\"t%zu d%zu\">"
		"<title id=\"t%zu\">", width, height, id, id, id);
	html_text(page->out, title);
	fprintf(page->out, "</title><desc id=\"d%zu\">", id);
	html_text(page->out, text);
	fputs("</desc>\n", page->out);
}

void svg_end(struct page *page)
{
	fputs("</svg>\n", page->out);
}

void svg_text(struct page *page, double x, double y, enum svg_anchor anchor, const char *text)
{
	static const char *const anchors[] = {
		"", " text-anchor=\"middle\"", " text-anchor=\"end\"",
	};

	fprintf(page->out, "<text x=\"%.1f\" y=\"%.1f\"%s>", x, y, anchors[anchor]);
	html_text(page->out, text);
	fputs("</text>\n", page->out);
}

void svg_text_free(struct page *page, double x, double y, enum svg_anchor anchor, char *text)
{
	svg_text(page, x, y, anchor, text);
	free(text);
}

void svg_rectangle(struct page *page, double x, double y, double width, double height)
{
	fprintf(page->out, "M%.1f %.1fh%.1fv%.1fh-%.1fz", x, y, width, height, width);
}

void svg_line(struct page *page, const char *class, double x, double y, double width)
{
	fprintf(page->out, "<path class=\"%s\" d=\"M%.1f %.1fh%.1f\"/>\n", class, x, y, width);
}

static double largest(const struct svg_heat *heat)
{
	double most = heat->most;

	for (size_t i = 0; heat->most <= 0 && i < heat->rows * heat->columns; i++)
		if (heat->values[i] > most)
			most = heat->values[i];
	return most;
}

/* One path a colour: a browser draws thousands of cells as fast as eight. */
void svg_heat(struct page *page, const struct svg_heat *heat)
{
	double width = heat->width / heat->columns, height = heat->height / heat->rows;
	double most = largest(heat);

	for (unsigned int colour = 1; colour <= HEATS; colour++) {
		bool open = false;

		for (size_t i = 0; i < heat->rows * heat->columns; i++) {
			if (page_heat(heat->values[i], most) != colour)
				continue;
			if (!open)
				fprintf(page->out, "<path class=\"h%u\" d=\"", colour);
			open = true;
			fprintf(page->out, "M%.4g %.4gh%.4gv%.4gh-%.4gz",
				heat->x + i % heat->columns * width,
				heat->y + i / heat->columns * height, width, height, width);
		}
		if (open)
			fputs("\"/>\n", page->out);
	}
	fputs("<path class=\"frame\" d=\"", page->out);
	svg_rectangle(page, heat->x, heat->y, heat->width, heat->height);
	fputs("\"/>\n", page->out);
}

double svg_step(double most)
{
	double step = pow(10, floor(log10(most / TICKS)));

	return step * (most / step / TICKS > 5 ? 10 : most / step / TICKS > 2 ? 5 : 2);
}

void svg_set_axis(struct page *page, double x, double y, double width, uint32_t sets)
{
	uint32_t step = sets >= 8 ? sets / 8 : 1;

	fputs("<g class=\"m\">\n", page->out);
	for (uint32_t set = 0; set < sets; set += step)
		svg_text_free(page, x + width * (set + 0.5) / sets, y + 15, SVG_MIDDLE,
			      xasprintf("%" PRIu32, set));
	svg_text(page, x + width / 2, y + 32, SVG_MIDDLE, "set");
	fputs("</g>\n", page->out);
}
