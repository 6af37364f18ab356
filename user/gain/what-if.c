// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <stdlib.h>

#include "base/median.h"
#include "gain/what-if.h"

#define WARM		2		/* runs that do not count */
#define RUNS		15
#define FAR_RUNS	21
#define SLACK		1.05		/* times as slow as the rerun: something else takes time */
#define PROBE_CYCLES	48		/* by reference, to see how long one takes */
#define PROBE		256u
#define FILLERS_MOST	200.0		/* by reference: more hide nothing more */
#define CYCLES_MOST	600.0
#define CHAINED		3.0		/* cycles of an instruction of the chain */
#define FAR_SHOWS	1.25		/* times as slow as near data, to tell them apart */

struct pair {
	struct rerun *before, *after;
};

static double within(double value, double low, double high)
{
	return value < low ? low : value > high ? high : value;
}

/* What a quarter of the runs are faster than: what else runs here makes none faster. */
static double usual(double *runs, size_t count)
{
	qsort(runs, count, sizeof(*runs), compare_doubles);
	return runs[count / 4];
}

/* In turns, so that what else runs here meets both. Sets ns of a reference. */
static void time_near(const struct pair *pair, const struct what_if *input, double *before,
		      double *after)
{
	double b[RUNS], a[RUNS];

	for (int i = -WARM; i < RUNS; i++) {
		int at = i < 0 ? 0 : i;

		/* Twice each: their lines are back then. */
		rerun_once(pair->before);
		b[at] = rerun_once(pair->before);
		rerun_once(pair->after);
		a[at] = rerun_once(pair->after);
	}
	*before = usual(b, RUNS) / input->count;
	*after = usual(a, RUNS) / input->count;
}

static void time_far(const struct pair *pair, const struct what_if *input, double *before,
		     double *after)
{
	double b[FAR_RUNS], a[FAR_RUNS];

	for (int i = 0; i < FAR_RUNS; i++) {
		b[i] = rerun_cold(pair->before, input->near_before, input->near);
		a[i] = rerun_cold(pair->after, input->near_after, input->near);
	}
	*before = usual(b, FAR_RUNS) / input->count;
	*after = usual(a, FAR_RUNS) / input->count;
}

typedef void time_fn(const struct pair *pair, const struct what_if *input, double *before,
		     double *after);

static bool run_pair(const struct what_if *input, double cycles, time_fn *time, double *before,
		     double *after)
{
	const struct rerun_mix mix = {
		.fillers = within(input->instructions - 1 - cycles / CHAINED, 0, FILLERS_MOST),
		.cycles = fmin(cycles, CYCLES_MOST),
	};
	struct pair pair = {
		rerun_new(input->memory, input->before, input->count, &mix),
		rerun_new(input->memory, input->after, input->count, &mix),
	};
	bool done = pair.before && pair.after;

	if (done)
		time(&pair, input, before, after);
	rerun_free(pair.before);
	rerun_free(pair.after);
	return done;
}

/* How long a cycle takes, in ns; 0 = cannot be run. */
static double cycle_time(const struct what_if *input)
{
	size_t count = input->count < PROBE ? input->count : PROBE;
	const struct what_if few = {
		.memory = input->memory, .before = input->before, .after = input->before,
		.count = count,
	};
	double many, again;

	return run_pair(&few, PROBE_CYCLES, time_near, &many, &again) ? many / PROBE_CYCLES : 0;
}

/* With a chain that takes the program's time. */
static bool run_beside(const struct what_if *input, struct what_if_times *times)
{
	double cycle = cycle_time(input), before, after;
	double cycles = cycle > 0 ? fmax(input->cycles, input->own / cycle) : 0;

	if (!cycles)
		return false;
	for (int i = 0; i < 2; i++) {
		if (!run_pair(input, cycles, time_near, &before, &after))
			return false;
		times->saved_beside = before - after;
		if (before < SLACK * input->own)
			break;
		cycles *= input->own / before;
	}
	return true;
}

bool what_if(const struct what_if *input, struct what_if_times *times)
{
	double before, after;

	if (!run_pair(input, input->cycles, time_near, &before, &after))
		return false;
	*times = (struct what_if_times){
		.rerun = before, .saved = before - after, .saved_beside = before - after,
		.far_rerun = NAN, .far_saved = NAN,
	};
	if (input->own > SLACK * before && !run_beside(input, times))
		return false;
	if (!input->far)
		return true;
	if (!run_pair(input, input->cycles, time_far, &before, &after))
		return false;
	times->far_rerun = before;
	times->far_saved = before - after;
	return true;
}

/* How far away the data was, 0 to 1, by how long the program took. */
static double far_part(const struct what_if_times *times, double own, double far)
{
	if (isnan(times->far_rerun))
		return 0;
	if (times->far_rerun < FAR_SHOWS * times->rerun)
		return far;
	return within((own - times->rerun) / (times->far_rerun - times->rerun), 0, far);
}

/* How far a part of the time is enough of it, 0 to 1. */
static double near(double part)
{
	return within((part - WHAT_IF_BESIDE) / (WHAT_IF_WAITS - WHAT_IF_BESIDE), 0, 1);
}

double what_if_rerun(const struct what_if_times *times, double own, double far)
{
	double part = far_part(times, own, far);

	return part > 0 ? times->rerun + part * (times->far_rerun - times->rerun) : times->rerun;
}

struct what_if_share what_if_share(const struct what_if_times *times, double own, double far)
{
	double part = far_part(times, own, far), rerun = what_if_rerun(times, own, far);
	double saved = times->saved, hidden = within(times->saved_beside, fmin(0, saved),
						     fmax(0, saved));
	double whole, waits, alike, kept, grown, beside, less;

	if (part > 0)
		saved += part * (times->far_saved - saved);
	whole = fmax(own, rerun);
	waits = near(rerun / whole);
	alike = near(own / whole);
	kept = saved / whole;
	less = copysign(fmax(0, fabs(saved) - (whole - own)), saved) / whole;
	grown = saved / rerun;
	beside = kept + (1 - waits) * (hidden / whole - kept);
	return (struct what_if_share){
		.low = fmin(fmin(kept, less), fmin(grown, beside)),
		.share = waits * (alike * (kept + waits * (grown - kept)) + (1 - alike) * less) +
			 (1 - waits) * hidden / whole,
		.high = fmax(fmax(kept, less), fmax(grown, beside)),
	};
}
