// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/median.h"
#include "base/memory.h"
#include "cure/cure.h"
#include "output/json.h"
#include "output/text.h"

static void values_of(const struct cure_sample *samples, uint32_t runs, enum cure_measure measure,
		      double *values)
{
	for (uint32_t i = 0; i < runs; i++)
		values[i] = samples[i].value[measure];
}

static double median_of(const struct cure_sample *samples, uint32_t runs,
			enum cure_measure measure)
{
	double *values = xcalloc(runs, sizeof(*values)), median;

	values_of(samples, runs, measure, values);
	median = sorted_median(values, runs);
	free(values);
	return median;
}

static struct cure_estimate ratio_of(const struct cure_trial *trial, enum cure_measure measure)
{
	double *plain = xcalloc(2 * trial->runs, sizeof(*plain)), *cured = plain + trial->runs;
	struct cure_estimate estimate;

	values_of(trial->plain, trial->runs, measure, plain);
	values_of(trial->cured, trial->runs, measure, cured);
	estimate = estimate_ratio(plain, cured, trial->runs);
	free(plain);
	return estimate;
}

static double memory_added(const struct cure_trial *trial)
{
	return median_of(trial->cured, trial->runs, CURE_MEMORY) -
	       median_of(trial->plain, trial->runs, CURE_MEMORY);
}

static bool is_measured(const struct cure_trial *trial, enum cure_measure measure)
{
	return measure != CURE_MISSES || trial->has_misses;
}

/* --- text --- */

/* Three digits where the ratio is near 1, two above. */
static const char *ratio_text(char *text, size_t size, const struct cure_estimate *ratio)
{
	int digits = ratio->high < 1.95 ? 2 : ratio->high < 19.5 ? 1 : 0;

	snprintf(text, size, "%.*fx [%.*f-%.*f]", digits, ratio->middle, digits, ratio->low,
		 digits, ratio->high);
	return text;
}

static char *value_text(enum cure_measure measure, double value)
{
	switch (measure) {
	case CURE_CPU:
	case CURE_WALL:
		return text_duration(value);
	case CURE_MEMORY:
		return text_size(value);
	default:
		return text_count_short(value);
	}
}

static void put_row(FILE *out, const struct cure_trial *trial, enum cure_measure measure,
		    const char *name)
{
	char *plain = value_text(measure, median_of(trial->plain, trial->runs, measure));
	char *cured = value_text(measure, median_of(trial->cured, trial->runs, measure));
	struct cure_estimate ratio;
	char text[64];

	fprintf(out, "  %-12s %12s  %12s  ", name, plain, cured);
	if (measure == CURE_MEMORY) {
		fprintf(out, "%+.1f MiB\n", memory_added(trial) / 0x1p20);
	} else {
		ratio = ratio_of(trial, measure);
		fprintf(out, "%s\n", ratio_text(text, sizeof(text), &ratio));
	}
	free(plain);
	free(cured);
}

/* Of the cure's blocks alone. */
static void put_huge(FILE *out, const char *name, uint64_t pages)
{
	char *size = text_size(pages * PADS_HUGE);

	if (pages)
		fprintf(out, "  %-12s %12s  %12s\n", name, "-", size);
	free(size);
}

/* More runs do not show what a plan does that moves next to nothing. */
static void put_undecided(FILE *out, const struct cure *cure, const struct cure_trial *trial,
			  const char *ratio)
{
	uint32_t sites = cure->plan->site_count, runs = trial->runs * 4;

	fprintf(out, "verdict: undecided, %s: ", ratio);
	if (2 * trial->unmet > sites)
		fprintf(out, "nothing was staggered at %" PRIu32 " of %" PRIu32 " sites of the "
			"plan, which more runs do not change\n", trial->unmet, sites);
	else
		fprintf(out, "more runs would show it (--verify %" PRIu32 ")\n",
			runs < CURE_RUNS_MOST ? runs : CURE_RUNS_MOST);
}

static void put_verdict(FILE *out, const struct cure *cure, const struct cure_trial *trial)
{
	struct cure_estimate speedup = ratio_of(trial, CURE_CPU);
	char text[64];

	ratio_text(text, sizeof(text), &speedup);
	switch (cure_judge(&speedup)) {
	case CURE_FASTER:
		fprintf(out, "verdict: %s as fast, %+.1f MiB\n", text,
			memory_added(trial) / 0x1p20);
		break;
	case CURE_SLOWER:
		fprintf(out, "verdict: slower, %s: do not use this\n", text);
		break;
	case CURE_NO_DIFFERENCE:
		fprintf(out, "verdict: no difference, %s: do not bother\n", text);
		break;
	case CURE_UNDECIDED:
		put_undecided(out, cure, trial, text);
		break;
	}
}

void cure_text(FILE *out, const struct cure *cure, const struct cure_trial *trial)
{
	struct cure_estimate speedup = ratio_of(trial, CURE_CPU);

	fprintf(out, "%" PRIu32 " runs of each, in turns; medians, ratios with %.0f%% "
		"intervals\n\n",
		trial->runs, floor(100 * speedup.confidence + 0.5));
	fprintf(out, "  %-12s %12s  %12s\n", "", "without", "with");
	put_row(out, trial, CURE_CPU, "CPU time");
	put_row(out, trial, CURE_WALL, "wall time");
	put_row(out, trial, CURE_MEMORY, "memory");
	if (trial->has_misses)
		put_row(out, trial, CURE_MISSES, "L1 misses");
	put_huge(out, "huge pages", trial->huge);
	put_huge(out, "asked for", trial->huge_hinted);
	fprintf(out, "\n");
	put_verdict(out, cure, trial);
}

/* --- JSON --- */

static void put_estimate(struct json *json, const struct cure_trial *trial,
			 enum cure_measure measure, const char *name)
{
	struct cure_estimate ratio;

	json_key(json, name);
	if (!is_measured(trial, measure)) {
		json_null(json);
		return;
	}
	ratio = ratio_of(trial, measure);
	json_open_flat(json, '{');
	json_put_number(json, "without", median_of(trial->plain, trial->runs, measure));
	json_put_number(json, "with", median_of(trial->cured, trial->runs, measure));
	json_put_number(json, "ratio", ratio.middle);
	json_put_number(json, "low", ratio.low);
	json_put_number(json, "high", ratio.high);
	json_close(json, '}');
}

void cure_json(FILE *out, const struct cure *cure, const struct cure_trial *trial)
{
	static const char *const verdicts[] = {
		[CURE_FASTER] = "faster", [CURE_SLOWER] = "slower",
		[CURE_NO_DIFFERENCE] = "no difference", [CURE_UNDECIDED] = "undecided",
	};
	struct cure_estimate speedup = ratio_of(trial, CURE_CPU);
	struct json json = { .out = out };

	json_begin(&json, "cure");
	json_put_string(&json, "program", cure->argv[0]);
	json_put_string(&json, "plan", cure->plan_path);
	json_put_count(&json, "runs", trial->runs);
	json_put_count(&json, "blocks", trial->blocks);
	json_put_count(&json, "sites", cure->plan->site_count);
	json_put_count(&json, "sites_unmet", trial->unmet);
	json_put_count(&json, "huge_bytes", trial->huge * PADS_HUGE);
	json_put_count(&json, "huge_asked_bytes", trial->huge_hinted * PADS_HUGE);
	json_put_number(&json, "confidence", speedup.confidence);
	json_put_bool(&json, "random_addresses", !trial->fixed_layout);
	put_estimate(&json, trial, CURE_CPU, "cpu_ns");
	put_estimate(&json, trial, CURE_WALL, "wall_ns");
	put_estimate(&json, trial, CURE_MEMORY, "memory_bytes");
	put_estimate(&json, trial, CURE_MISSES, "l1_load_misses");
	json_put_string(&json, "verdict", verdicts[cure_judge(&speedup)]);
	json_close(&json, '}');
	fputc('\n', out);
}
