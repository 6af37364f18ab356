// SPDX-License-Identifier: GPL-2.0-only
/* The set map: misses by set and time. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/text.h"
#include "output/text.h"
#include "plot/plots.h"
#include "report/rows.h"

#define WIDTH		560
#define HEIGHT		470
#define GAP		"#d8d8d8"
#define BINS_MOST	512	/* sets side by side; larger caches are binned */
#define TICKS_MOST	8	/* of the colours */
#define SQUARES_MOST	32768	/* of an SVG: viewers smooth images, but many squares take room */

/* Matplotlib's magma (CC0), perceptually uniform, the light end for few; white holds no misses. */
static const char palette[] =
	"set palette defined (0 '#fcfdbf', 1 '#fecf92', 2 '#fe9f6d', 3 '#f7705c', 4 '#de4968', "
	"5 '#b73779', 6 '#8c2981', 7 '#641a80', 8 '#3b0f70', 9 '#140e36')\n";

/* The map as it is drawn: columns of @width sets. */
struct bins {
	const struct set_map *map;
	uint32_t width;
	uint32_t count;
	uint64_t *values;	/* misses, by row and column */
	uint64_t most;		/* of these, or 1 */
	uint64_t *samples;	/* by column */
	uint64_t *near;		/* of these, those that cf counts */
	uint64_t samples_all;
	uint64_t near_all;
};

static void bin_values(struct bins *bins)
{
	const struct set_map *map = bins->map;

	bins->values = xcalloc((size_t)map->rows * bins->count, sizeof(*bins->values));
	bins->most = 1;
	for (size_t i = 0; i < (size_t)map->rows * map->sets; i++) {
		uint64_t *value = &bins->values[i / map->sets * bins->count +
						i % map->sets / bins->width];

		*value += map->counts[i];
		bins->most = *value > bins->most ? *value : bins->most;
	}
}

static void bin_map(struct bins *bins, const struct set_map *map)
{
	bins->map = map;
	bins->width = (map->sets + BINS_MOST - 1) / BINS_MOST;
	bins->count = (map->sets + bins->width - 1) / bins->width;
	bin_values(bins);
	bins->samples = xcalloc(bins->count, sizeof(*bins->samples));
	bins->near = xcalloc(bins->count, sizeof(*bins->near));
	bins->samples_all = bins->near_all = 0;
	for (uint32_t set = 0; set < map->sets; set++) {
		bins->samples[set / bins->width] += map->samples[set];
		bins->samples_all += map->samples[set];
		bins->near[set / bins->width] += map->near[set];
		bins->near_all += map->near[set];
	}
}

static void put_data(FILE *data, const struct bins *bins)
{
	fprintf(data, "# misses: a row for each %" PRIu64 " units of time, a column for each %"
		PRIu32 " sets\n", bins->map->slot, bins->width);
	for (uint32_t row = 0; row < bins->map->rows; row++) {
		for (uint32_t bin = 0; bin < bins->count; bin++) {
			uint64_t value = bins->values[(size_t)row * bins->count + bin];

			if (value)
				fprintf(data, "%s%" PRIu64, bin ? " " : "", value);
			else
				fprintf(data, "%sNaN", bin ? " " : "");
		}
		fputc('\n', data);
	}
	fputs("\n\n# set, samples of all times, of these those that cf counts, the set's cf\n",
	      data);
	for (uint32_t bin = 0; bin < bins->count; bin++)
		fprintf(data, "%" PRIu64 " %" PRIu64 " %" PRIu64 " %.6g\n",
			(uint64_t)bin * bins->width, bins->samples[bin], bins->near[bin],
			(double)bins->near[bin] / bins->samples_all);
}

/* Time for people: what to divide by, and what the unit is then called. */
static double time_scale(const struct findings *findings, double span, char **unit)
{
	static const struct {
		double factor;
		const char *number, *ns;
	} scales[] = {
		{ 1e9, "billion ", "s" }, { 1e6, "million ", "ms" }, { 1e3, "thousand ", "us" },
		{ 1, "", "ns" },
	};
	const char *clock = findings->clock ? findings->clock : "units";
	size_t i = 0;

	while (i < 3 && span < 2 * scales[i].factor)
		i++;
	if (!strcmp(clock, "ns"))
		*unit = xstrdup(scales[i].ns);
	else
		*unit = xasprintf("%s%s", scales[i].number,
				  strcmp(clock, "tsc") ? clock : "TSC cycles");
	return scales[i].factor;
}

/* Labels have their places on the page: terminals differ in what they leave for them. */
static void put_label(FILE *script, double x, double y, bool upright, const char *text)
{
	fprintf(script, "set label at screen %g, screen %g center%s ", x, y,
		upright ? " rotate by 90" : "");
	picture_quote(script, text);
	fputc('\n', script);
}

static const struct context *find_context(const struct findings *findings, uint32_t id)
{
	for (size_t i = 0; i < findings->context_count; i++)
		if (findings->contexts[i].region.id == id)
			return &findings->contexts[i];
	return NULL;
}

static void put_title(FILE *script, const struct findings *findings,
		      const struct plot_options *options)
{
	const struct context *context = find_context(findings, options->loop);
	char *text, *place, *clean, *fitted;

	if (options->picture.title && !*options->picture.title)
		return;
	if (options->picture.title) {
		text = xstrdup(options->picture.title);
	} else if (context) {
		place = region_place(&context->region, false);
		text = xasprintf("L%" PRIu32 " misses by set: %s %s", findings->map.level, place,
				 context->region.function ? context->region.function : "");
		free(place);
	} else {
		text = xasprintf("L%" PRIu32 " misses by set: %s", findings->map.level,
				 findings->command && findings->command[0] ?
				 base_name(findings->command[0]) : "all code");
	}
	clean = text_clean(text);
	fitted = text_fit(clean, 58, TEXT_FIT_END);
	put_label(script, 0.475, 0.965, false, fitted);
	free(fitted);
	free(clean);
	free(text);
}

/* What the dark part of each bar is. */
static void put_cf(FILE *script, const struct findings *findings, const struct bins *bins)
{
	uint32_t threshold = findings->threshold ? findings->threshold :
			     level_ways(findings, bins->map->level);

	fprintf(script, "set label 'RCD <= %" PRIu32 ": cf %.3f of all samples' "
		"at screen 0.8, screen 0.935 right textcolor rgb '#8c2981'\n",
		threshold, (double)bins->near_all / bins->samples_all);
}

/* Samples of the sets, over the map, on the same axis; dark those that cf counts. */
static void put_margin(FILE *script, const struct findings *findings, const struct bins *bins)
{
	double even = (double)bins->samples_all / bins->count;
	uint64_t most = 0;
	char *tick;

	for (uint32_t bin = 0; bin < bins->count; bin++)
		if (bins->samples[bin] > most)
			most = bins->samples[bin];
	tick = text_count_short(most);
	fprintf(script, "set lmargin at screen 0.15\nset rmargin at screen 0.8\n"
		"set tmargin at screen 0.92\nset bmargin at screen 0.76\n"
		"set xrange [-0.5:%g]\nset yrange [0:%" PRIu64 "]\n",
		bins->count * (double)bins->width - 0.5, most);
	fprintf(script, "set border 3 lc rgb '#404040'\n"
		"set tics nomirror out textcolor rgb '#000000'\nset format x ''\n"
		"set ytics ('0' 0, '%s' %" PRIu64 ")\n", tick, most);
	put_label(script, 0.025, 0.84, true, "samples");
	put_cf(script, findings, bins);
	fprintf(script, "set label 'even' at graph 1.015, first %g left textcolor rgb '#606060'\n"
		"set style fill solid noborder\nset boxwidth %g\n", even, 0.9 * bins->width);
	fprintf(script, "plot data index 1 using ($1 + %g):2 with boxes lc rgb '#c9a6c6' notitle, "
		"data index 1 using ($1 + %g):3 with boxes lc rgb '#8c2981' notitle, "
		"%g with lines lw 1.2 lc rgb '#606060' dt (5,4) notitle\n",
		(bins->width - 1) / 2.0, (bins->width - 1) / 2.0, even);
	free(tick);
}

static bool is_empty(const struct set_map *map, uint32_t row)
{
	for (uint32_t set = 0; set < map->sets; set++)
		if (map->counts[(size_t)row * map->sets + set])
			return false;
	return true;
}

/* Grey: times without any sample. White: sets without misses, at times with some. */
static void put_gaps(FILE *script, const struct set_map *map, double slot)
{
	uint32_t first, row = 0;
	bool any = false;

	while (row < map->rows) {
		for (first = row; row < map->rows && is_empty(map, row); row++)
			;
		if (row > first)
			fprintf(script, "set object rectangle from graph 0, first %g to graph 1, "
				"first %g behind fillcolor rgb '" GAP "' fillstyle solid "
					"noborder\n",
				first * slot, row * slot);
		any |= row > first;
		row += row == first;
	}
	if (any)
		fputs("set label 'grey: no samples' at screen 0.8, screen 0.03 right "
		      "textcolor rgb '#606060'\n", script);
}

/* 1, 2 or 5 times a power of ten. */
static uint64_t tick_step(uint64_t most)
{
	static const unsigned int steps[] = { 1, 2, 5 };
	uint64_t ten = 1;
	size_t i = 0;

	while (most / (steps[i] * ten) >= TICKS_MOST) {
		if (++i < ARRAY_SIZE(steps))
			continue;
		i = 0;
		ten *= 10;
	}
	return steps[i] * ten;
}

/* Of the colours. gnuplot's own formats show 1,200 and 1,400 as 1k both. */
static void put_colour_ticks(FILE *script, uint64_t most)
{
	uint64_t step = tick_step(most);

	fputs("set cbtics nomirror (", script);
	for (uint64_t tick = 0; tick <= most / step; tick++) {
		char *count = text_count_short(tick * step);

		fprintf(script, "%s'%s' %" PRIu64, tick ? ", " : "", count, tick * step);
		free(count);
	}
	fputs(")\n", script);
}

static void put_map(FILE *script, const struct findings *findings, const struct bins *bins,
		    bool squares)
{
	const struct set_map *map = bins->map;
	char *unit, *label;
	double scale = time_scale(findings, (double)map->rows * map->slot, &unit);
	double slot = map->slot / scale;

	label = xasprintf("time (%s)", unit);
	fputs("unset label\n", script);
	put_label(script, 0.025, 0.43, true, label);
	put_label(script, 0.475, 0.03, false, "set");
	put_label(script, 0.985, 0.43, true, map->weighted ? "misses" : "misses sampled");
	fprintf(script, "set tmargin at screen 0.73\nset bmargin at screen 0.13\n"
		"set format x '%%g'\nset ytics autofreq\nset border 15\nset yrange [0:%g]\n",
		map->rows * slot);
	put_gaps(script, map, slot);
	put_colour_ticks(script, bins->most);
	fprintf(script, "%sset cbrange [0:*]\n"
		"set colorbox vertical user origin screen 0.82, screen 0.13 size screen 0.025, "
		"screen 0.60\n", palette);
	fprintf(script, "plot data index 0 matrix "
		"using ($1 * %" PRIu32 " + %g):(($2 + 0.5) * %g):3 with image %s notitle\n",
		bins->width, (bins->width - 1) / 2.0, slot, squares ? "pixels" : "");
	free(label);
	free(unit);
}

int plot_sets(const struct findings *findings, const struct plot_options *options)
{
	const struct set_map *map = &findings->map;
	struct picture picture;
	struct bins bins = { .samples_all = 0 };
	int status = -1;

	if (options->loop && !find_context(findings, options->loop))
		return fail("%s has no code with id %" PRIu32 ": ccsample report shows the ids",
			    findings->path, options->loop);
	if (map->counts && map->sets && map->rows)
		bin_map(&bins, map);
	if (!bins.samples_all) {
		if (!levels_check(findings, options->level))
			fail("%s holds no samples to draw: record longer, or with a shorter period",
			     findings->path);
		goto out;
	}
	if (picture_begin(&picture, &options->picture, WIDTH, HEIGHT) < 0)
		goto out;
	put_data(picture.data, &bins);
	put_title(picture.script, findings, options);
	fputs("set multiplot\n", picture.script);
	put_margin(picture.script, findings, &bins);
	put_map(picture.script, findings, &bins,
		picture.svg && bins.count * map->rows <= SQUARES_MOST);
	fputs("unset multiplot\n", picture.script);
	status = picture_end(&picture);
out:
	free(bins.values);
	free(bins.samples);
	free(bins.near);
	return status;
}
