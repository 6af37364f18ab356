// SPDX-License-Identifier: GPL-2.0-only
/* Distributions of RCD, and of conflict periods. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/text.h"
#include "diff/compare.h"
#include "output/json.h"
#include "output/text.h"
#include "plot/plots.h"
#include "report/rows.h"

#define WIDTH		560
#define TOP		48	/* pixels: the title's */
#define AREA		290	/* of the curves */
#define AXIS		66	/* ticks' and axis' labels */
#define LEGEND_LINE	18
#define BOTTOM		8
#define CODE_LEAST	8u	/* columns of a function's name */
#define LABEL_COLUMNS	58u
#define HIDES		0.01	/* curves that are nowhere farther apart look like one */
#define SMALL		0.01	/* share of the misses below which a context gets no curve */
#define FIRST_X		0.85	/* left of RCD 1, so that a curve's first step shows */

static const char *const dashes[] = { "solid", "(9,3)", "(3,3)", "(9,3,2,3)" };

#define DASHES (ARRAY_SIZE(dashes))

struct curve {
	size_t input;
	struct row row;
	size_t colour;		/* the same for the same code of all inputs */
};

struct curves {
	const struct comparison *matched;	/* of plot_options */
	struct curve *curve;
	size_t count;
	size_t capacity;
	size_t colours;
	uint32_t level;
	bool periods;		/* of conflict periods */
};

static bool same(const struct curves *curves, const struct context *a, const struct context *b)
{
	if (!curves->matched)
		return same_code(&a->region, &b->region);
	for (size_t i = 0; i < curves->matched->count; i++)
		if (curves->matched->changes[i].after == b)
			return curves->matched->changes[i].before == a;
	return false;
}

/* The curve of an earlier input that shows the same code, or NULL. */
static const struct curve *earlier(const struct curves *curves, size_t input,
				   const struct context *context)
{
	for (size_t i = 0; i < curves->count; i++)
		if (curves->curve[i].input < input &&
		    same(curves, curves->curve[i].row.context, context))
			return &curves->curve[i];
	return NULL;
}

static void add_curve(struct curves *curves, size_t input, const struct row *row)
{
	const struct curve *match = earlier(curves, input, row->context);
	size_t colour = match ? match->colour : curves->colours++;

	curves->curve = grow(curves->curve, curves->count, &curves->capacity,
			     sizeof(*curves->curve));
	curves->curve[curves->count++] = (struct curve){ input, *row, colour };
}

/* 0 = shown by an earlier input, 1 = in conflict, 2 = large enough, 3 = the rest. */
static int rank(const struct curves *curves, size_t input, const struct row *row)
{
	if (earlier(curves, input, row->context))
		return 0;
	if (row->level->summary.verdict == RCD_CONFLICT)
		return 1;
	return row->level->share >= SMALL ? 2 : 3;
}

static bool has_points(const struct curves *curves, const struct row *row)
{
	return curves->periods ? row->level->period_count : row->level->cdf_points;
}

/* The top contexts of an input: those of better rank first, in the order of samples within one. */
static void choose(struct curves *curves, const struct findings *findings, size_t input,
		   size_t most)
{
	size_t first = curves->count, count;
	struct row *rows = rows_new(findings, curves->level, SORT_SAMPLES, &count);

	for (int wanted = 0; wanted < 4; wanted++) {
		if (wanted == 3 && curves->count > first)
			break;
		for (size_t i = 0; i < count && curves->count - first < most; i++)
			if (has_points(curves, &rows[i]) &&
			    rank(curves, input, &rows[i]) == wanted)
				add_curve(curves, input, &rows[i]);
	}
	free(rows);
}

/* One context: by its id in the first input, by its code in the others. */
static int choose_loop(struct curves *curves, const struct findings *findings, size_t input,
		       uint32_t id)
{
	const struct context *context;
	size_t count, i;
	struct row *rows = rows_new(findings, curves->level, SORT_SAMPLES, &count);

	for (i = 0; i < count; i++) {
		context = rows[i].context;
		if (input ? earlier(curves, input, context) != NULL : context->region.id == id)
			break;
	}
	if (i < count && has_points(curves, &rows[i]))
		add_curve(curves, input, &rows[i]);
	free(rows);
	if (input || curves->count)
		return 0;
	return fail("%s has no code with id %" PRIu32 " and samples at L%" PRIu32
		    ": ccsample report shows the ids", findings->path, id, curves->level);
}

/* Says why an input gets no curve. */
static int no_curves(const struct findings *findings, uint32_t level)
{
	size_t count;

	if (levels_check(findings, level))
		return -1;
	free(rows_new(findings, level, SORT_SAMPLES, &count));
	return fail("%s holds no %s at L%" PRIu32 ": record longer, or with a shorter period",
		    findings->path, count ? "two misses of one code on one set" : "samples", level);
}

static int choose_all(struct curves *curves, const struct findings *const *findings, size_t count,
		      const struct plot_options *options)
{
	uint32_t levels[1];

	for (size_t i = 0; i < count; i++) {
		size_t before = curves->count;

		curves->level = options->level;
		if (!curves->level && levels_sampled(findings[0], levels, 1))
			curves->level = levels[0];
		if (!options->loop)
			choose(curves, findings[i], i, options->top);
		else if (choose_loop(curves, findings[i], i, options->loop) < 0)
			return -1;
		if (curves->count == before && (!options->loop || !i))
			return no_curves(findings[i], curves->level);
	}
	return 0;
}

static uint32_t power_from(uint64_t least)
{
	uint32_t power = 16;

	while (power < least && power < 1u << 31)
		power *= 2;
	return power;
}

/* Samples farther apart than a conflict period do not see it. */
static uint32_t sampling_period(const struct findings *findings, uint32_t level)
{
	const struct event_totals *event = findings_event(findings, level);

	return event && event->period < 1u << 31 ? event->period : 0;
}

/* Power of two at or behind the longest period and the mean ones of sampling. */
static uint32_t last_period(const struct findings *const *findings, size_t count,
			    const struct curves *curves)
{
	uint64_t most = 0;

	for (size_t i = 0; i < count; i++)
		if (sampling_period(findings[i], curves->level) > most)
			most = sampling_period(findings[i], curves->level);
	for (size_t i = 0; i < curves->count; i++) {
		const struct level_findings *level = curves->curve[i].row.level;
		uint64_t longest = 2 * level->periods[level->period_count - 1].least;

		if (longest > most)
			most = longest;
	}
	return power_from(most);
}

/* Powers of two up to a few times the number of sets. */
static uint32_t last_x(const struct findings *const *findings, size_t count, uint32_t level)
{
	uint32_t most = 16;

	for (size_t i = 0; i < count; i++)
		if (level_sets(findings[i], level) > most)
			most = level_sets(findings[i], level);
	return power_from(4ull * most);
}

/* A step where each length ends. */
static void put_periods(FILE *data, const struct level_findings *level, uint32_t last)
{
	uint64_t all = 0, below = 0;

	for (size_t i = 0; i < level->period_count; i++)
		all += level->periods[i].misses;
	fprintf(data, "%g 0\n", FIRST_X);
	for (size_t i = 0; i < level->period_count; i++) {
		below += level->periods[i].misses;
		fprintf(data, "%" PRIu64 " %.6g\n", 2 * level->periods[i].least,
			(double)below / all);
	}
	fprintf(data, "%" PRIu32 " 1\n", last);
}

static void put_points(FILE *data, const struct curve *curve, uint32_t last)
{
	const struct level_findings *level = curve->row.level;
	double share = 0;
	char text[32];

	fprintf(data, "%g 0\n", FIRST_X);
	for (size_t i = 0; i < level->cdf_points; i++) {
		if (!isfinite(level->cdf[i].share) || !level->cdf[i].rcd)
			continue;
		share = level->cdf[i].share;
		number_text(text, share);
		fprintf(data, "%" PRIu32 " %s\n", level->cdf[i].rcd, text);
	}
	if (!level->cdf_points || level->cdf[level->cdf_points - 1].rcd < last) {
		number_text(text, share);
		fprintf(data, "%" PRIu32 " %s\n", last, text);
	}
}

/* The share of misses that a curve has at an RCD. */
static double share_at(const struct level_findings *level, uint32_t rcd)
{
	double share = 0;

	for (size_t i = 0; i < level->cdf_points && level->cdf[i].rcd <= rcd; i++)
		if (isfinite(level->cdf[i].share))
			share = level->cdf[i].share;
	return share;
}

static bool points_on(const struct level_findings *a, const struct level_findings *b)
{
	for (size_t i = 0; i < a->cdf_points; i++)
		if (fabs(share_at(a, a->cdf[i].rcd) - share_at(b, a->cdf[i].rcd)) > HIDES)
			return false;
	return true;
}

/* The first curve that this one, drawn later, lies upon; NULL = none. */
static const struct curve *hidden_by(const struct curves *curves, size_t number)
{
	const struct level_findings *level = curves->curve[number].row.level;

	for (size_t i = 0; i < number && !curves->periods; i++)
		if (points_on(level, curves->curve[i].row.level) &&
		    points_on(curves->curve[i].row.level, level))
			return &curves->curve[i];
	return NULL;
}

/* What cannot be seen is said, in few columns: ", as line 12"; to be freed. */
static char *hidden_text(const struct curves *curves, size_t number)
{
	const struct curve *other = hidden_by(curves, number);
	char *place, *fitted, *text;

	if (!other)
		return xstrdup("");
	if (other->input != curves->curve[number].input)
		return xstrdup(", as above");
	if (other->row.context->region.line)
		return xasprintf(", as line %" PRIu32, other->row.context->region.line);
	place = region_place(&other->row.context->region, false);
	fitted = text_fit(place, 14, TEXT_FIT_START);
	text = xasprintf(", as %s", fitted);
	free(fitted);
	free(place);
	return text;
}

static char *label(const struct curves *curves, size_t number)
{
	const struct curve *curve = &curves->curve[number];
	const struct code_region *region = &curve->row.context->region;
	char *place = region_place(region, false), *percent, *verdict, *name, *code;
	char *hidden = hidden_text(curves, number), *text;
	size_t taken;

	percent = text_percent(curve->row.level->share);
	verdict = xasprintf("%s, %s%s", rcd_verdict_name(curve->row.level->summary.verdict),
			    percent, hidden);
	free(hidden);
	name = text_clean(region->function ? region->function : "?");
	text = text_clean(place);
	free(place);
	place = text_fit(text, 24, TEXT_FIT_START);
	taken = 3 + text_width(place) + text_width(verdict);
	code = text_fit(name, taken + CODE_LEAST < LABEL_COLUMNS ? LABEL_COLUMNS - taken :
							       CODE_LEAST, TEXT_FIT_FUNCTION);
	free(text);
	text = xasprintf("%s %s: %s", place, code, verdict);
	free(code);
	free(name);
	free(place);
	free(percent);
	free(verdict);
	return text;
}

static char *input_name(const struct findings *findings)
{
	char *clean = text_clean(shown_input(findings->path));
	char *fitted = text_fit(clean, LABEL_COLUMNS, TEXT_FIT_START);

	free(clean);
	return fitted;
}

static void put_data(FILE *data, const struct findings *const *findings,
		     const struct curves *curves, uint32_t last)
{
	for (size_t i = 0; i < curves->count; i++) {
		char *name = input_name(findings[curves->curve[i].input]);
		char *text = label(curves, i);

		fprintf(data, "%s# %s\n# %s\n# %s\n", i ? "\n\n" : "", name, text,
			curves->periods ? "misses, share of misses in shorter conflict periods" :
			"RCD, share of misses with this RCD or a shorter one");
		if (curves->periods)
			put_periods(data, curves->curve[i].row.level, last);
		else
			put_points(data, &curves->curve[i], last);
		free(text);
		free(name);
	}
}

static void put_axes(FILE *script, uint32_t last, int height, bool periods)
{
	uint32_t step = last > 4096 ? 4 : 2;

	fputs("set border 3 lc rgb '#404040'\n"
	      "set tics nomirror out textcolor rgb '#000000'\n"
	      "set grid ytics lt 1 lw 0.5 lc rgb '#e4e4e4'\n"
	      "set logscale x 2\n", script);
	fprintf(script, "set xrange [%g:%" PRIu32 "*1.01]\nset yrange [0:1.02]\nset ytics 0,0.2,1\n"
		"set xtics (1", FIRST_X, last);
	for (uint64_t tick = step; tick <= last; tick *= step)
		fprintf(script, ",%" PRIu64, tick);
	fprintf(script, ")\nset xlabel '%s'\nset ylabel '%s'\nset samples 500\n",
		periods ? "Conflict period: misses over which a set keeps one RCD" :
			  "RCD: misses since the last one on the same set",
		periods ? "Share of misses in shorter ones" :
			  "Share of misses with this RCD or less");
	fprintf(script, "set tmargin at screen %g\nset bmargin at screen %g\n"
		"set key at screen 0.06, screen %g left top vertical Left reverse maxcols 1 \\\n"
		"    samplen 2.2 spacing legend_spacing \\\n"
		"    title 'Code: verdict, share of misses' left\n",
		1 - (double)TOP / height, 1 - (double)(TOP + AREA) / height,
		1 - (double)(TOP + AREA + AXIS) / height);
}

/* True if an input before this one has the same number; then nothing is drawn twice. */
static bool repeated(const struct findings *const *findings, size_t input, uint32_t level,
		     uint32_t (*number)(const struct findings *, uint32_t))
{
	for (size_t i = 0; i < input; i++)
		if (number(findings[i], level) == number(findings[input], level))
			return true;
	return !number(findings[input], level);
}

/* What the curves are to be compared with: the ways, or how far samples are apart. */
static void put_marks(FILE *script, const struct findings *const *findings, size_t count,
		      uint32_t level, bool periods)
{
	uint32_t (*mark)(const struct findings *, uint32_t) = periods ?
							      sampling_period : level_ways;

	for (size_t i = 0; i < count; i++) {
		uint32_t at = mark(findings[i], level);

		if (repeated(findings, i, level, mark))
			continue;
		fprintf(script, "set arrow from %" PRIu32 ",0 to %" PRIu32
			",1.02 nohead lw 1 lc rgb '#909090' back\n", at, at);
		fprintf(script, periods ? "set label 'sampled 1 in %" PRIu32 : "set label '%" PRIu32
			" ways", at);
		fprintf(script, "' at %" PRIu32 ",1.02 center offset 0,0.6 textcolor rgb "
			"'#606060'\n", at);
	}
}

static void put_title(FILE *script, const struct findings *findings, size_t count,
		      const struct curves *curves, const char *title)
{
	const char *what = curves->periods ? "Conflict periods" : "RCD";
	uint32_t level = curves->level;
	char *text, *command, *clean, *fitted;

	if (title && !*title)
		return;
	command = text_clean(findings->command && findings->command[0] ? findings->command[0] : "");
	text = title ? xstrdup(title) :
	       count > 1 || !*command ? xasprintf("%s of L%" PRIu32 " misses", what, level) :
	       xasprintf("%s of L%" PRIu32 " misses: %s", what, level, base_name(command));
	clean = text_clean(text);
	fitted = text_fit(clean, LABEL_COLUMNS, TEXT_FIT_END);
	fputs("set title ", script);
	picture_quote(script, fitted);
	fputc('\n', script);
	free(fitted);
	free(clean);
	free(text);
	free(command);
}

static void put_curve(FILE *script, const struct curves *curves, size_t number)
{
	const struct curve *curve = &curves->curve[number];
	char *text = label(curves, number);

	fprintf(script, "     data index %zu using 1:2 with steps lw 2.2 lc rgb '%s' dt %s title ",
		number, picture_colour(curve->colour),
		dashes[(curve->input + curve->colour / PICTURE_COLOURS) % DASHES]);
	picture_quote(script, text);
	fputs(", \\\n", script);
	free(text);
}

/*
 * P(RCD <= x) of independent misses: a term for each slice, whose sets are equally likely. The
 * point behind their number keeps gnuplot from dividing whole numbers.
 */
static void put_formula(FILE *script, const struct cache_level *cache)
{
	double shares[SLICES_MAX];
	uint32_t slices = cache_level_shares(cache, shares), i;

	fputs("     x < 1 ? NaN : 0", script);
	for (i = 0; i < slices; i++)
		fprintf(script, " + %.17g * (1 - (1 - %.17g / %" PRIu32 ".) ** x)", shares[i],
			shares[i], cache->geometry.sets);
}

static void put_null(FILE *script, const struct findings *const *findings, size_t count,
		     uint32_t level)
{
	for (size_t i = 0; i < count; i++) {
		uint32_t sets = level_sets(findings[i], level);

		if (repeated(findings, i, level, level_sets))
			continue;
		put_formula(script, findings_cache(findings[i], level));
		fprintf(script, " with lines lw 1.5 lc rgb '#808080' dt (5,4) "
			"title 'by chance (%" PRIu32 " sets)', \\\n", sets);
	}
}

static void put_script(FILE *script, const struct findings *const *findings, size_t count,
		       const struct curves *curves, const struct plot_options *options,
		       uint32_t last, int height)
{
	size_t shown = count;

	put_axes(script, last, height, curves->periods);
	put_marks(script, findings, count, curves->level, curves->periods);
	put_title(script, findings[0], count, curves, options->picture.title);
	fputs("plot \\\n", script);
	for (size_t i = 0; i < curves->count; i++) {
		if (count > 1 && curves->curve[i].input != shown) {
			char *name = input_name(findings[curves->curve[i].input]);

			shown = curves->curve[i].input;
			fprintf(script, "     keyentry with lines lw 2.2 lc rgb '#a0a0a0' dt %s "
				"title ", dashes[shown % DASHES]);
			picture_quote(script, name);
			fputs(", \\\n", script);
			free(name);
		}
		put_curve(script, curves, i);
	}
	if (!curves->periods)
		put_null(script, findings, count, curves->level);
	fputs("     NaN notitle\n", script);
}

int plot_cdf(const struct findings *const *findings, size_t count,
	     const struct plot_options *options)
{
	struct curves curves = { .matched = options->matched, .periods = options->periods };
	struct picture picture;
	uint32_t last;
	int height, lines, status = -1;

	if (choose_all(&curves, findings, count, options) < 0)
		goto out;
	lines = curves.count + 2 + (count > 1 ? count : 0);
	height = TOP + AREA + AXIS + LEGEND_LINE * lines + BOTTOM;
	if (picture_begin(&picture, &options->picture, WIDTH, height) < 0)
		goto out;
	last = curves.periods ? last_period(findings, count, &curves) :
				last_x(findings, count, curves.level);
	put_data(picture.data, findings, &curves, last);
	put_script(picture.script, findings, count, &curves, options, last, height);
	status = picture_end(&picture);
out:
	free(curves.curve);
	return status;
}
