// SPDX-License-Identifier: GPL-2.0-only
/* From counts to a verdict. docs/reference/verdicts.md gives the reasons for the constants. */
#include <math.h>

#include "rcd/internal.h"

#define LEAST_SAMPLES	30	/* fewer say nothing */
#define LEAST_COUNTED	1000	/* misses of all: fewer are worth no verdict by themselves */
#define CONFLICT_SHARE	0.10	/* fewer misses to spare are not worth a pad */
#define PRESSURED		1.5	/* times an equal share: as if 1/3 of sets were unused */
#define SIGNIFICANT	0.01
#define LOPSIDED	0.5	/* as if half of the sets were not used at all */
#define UNEVEN		0.1	/* below, the sets are used evenly */
#define LEAST_CAPTURED	0.5	/* of a burst's misses: with fewer, re-misses hide */
#define ROUNDING	1e-3	/* of a sample: sums over all of them */
#define BOUNDARY_ODDS	1.5	/* cf's odds over the null's, where single samples speak alone */

const char *rcd_verdict_name(enum rcd_verdict verdict)
{
	static const char *const names[] = {
		[RCD_UNDECIDED] = "undecided",
		[RCD_NONE] = "none",
		[RCD_CONCENTRATED] = "concentrated",
		[RCD_CONFLICT] = "conflict",
	};

	return names[verdict];
}

static const char *const reasons[] = {
	[RCD_DECIDED] = NULL,
	[RCD_FEW_SAMPLES] = "too few samples",
	[RCD_SHORT_BURSTS] = "bursts too short or too few to see all distances",
	[RCD_LOST_MISSES] = "too many misses of the bursts were lost",
	[RCD_WIDE_INTERVAL] = "the conflict share is not known well enough",
	[RCD_HITS_BETWEEN] = "lines that hit, which no sample shows, may fill the cache",
	[RCD_OPEN_CLASSES] = "bursts too short to class all misses",
};

const char *rcd_reason_text(enum rcd_reason reason)
{
	return reasons[reason];
}

/*
 * Given the past, P(RCD <= T) is exactly the chance of a set that is among
 * the last T misses: the count less the sum of these is a martingale of
 * known variances. Its tail is taken from the binomial of the same mean and variance.
 */
static double near_p_value(const struct rcd_context *context)
{
	double mean = exact_value(&context->sum_chance);

	return null_tail(context->near, mean, mean - exact_value(&context->sum_chance2));
}

/*
 * Chance of so concentrated windows under the null, at most: a sample moves the
 * summed excess by no more than 1 (McDiarmid's inequality).
 */
static double concentration_p_value(const struct rcd_context *context)
{
	double beyond = exact_value(&context->window_excess) -
			exact_value(&context->window_expected);

	if (beyond <= 0)
		return 1;
	return exp(-2 * beyond * beyond / context->window_samples);
}

/* Concentration beyond the null's: 0 = as expected .. 1 = one set. */
static double lopsidedness(const struct rcd_context *context)
{
	double expected = exact_value(&context->window_expected);
	double room = context->window_samples - expected;

	return room > 0 ? (exact_value(&context->window_excess) - expected) / room : 0;
}

static enum rcd_verdict judge_spread(const struct rcd_summary *summary)
{
	double odds = BOUNDARY_ODDS * summary->expected_cf / (1 - summary->expected_cf);

	if (summary->p_value < SIGNIFICANT && summary->cf > odds / (1 + odds))
		return RCD_CONFLICT;
	return RCD_NONE;
}

/*
 * Where every second miss is recorded (an overflow arms, the next event is recorded), a
 * burst may end with one that armed in vain: it is not held against the burst, nor is one more,
 * which a late interrupt leaves.
 */
static bool lost_too_many(const struct rcd_context *context)
{
	return context->burst_samples + ROUNDING <
	       LEAST_CAPTURED * (exact_value(&context->burst_misses) -
				 2 * exact_value(&context->burst_ends));
}

/* What there is to say of misses that are no conflicts. */
static enum rcd_verdict judge_sets(const struct rcd_context *context)
{
	if (lopsidedness(context) > LOPSIDED && concentration_p_value(context) < SIGNIFICANT)
		return RCD_CONCENTRATED;
	return RCD_NONE;
}

/* Counted conflicts, net of hits saved, need no second look at how full sets are. */
static enum rcd_verdict judge_classes(const struct rcd_context *context,
				      const struct remiss *remiss, struct rcd_summary *summary)
{
	if (summary->conflict_low >= CONFLICT_SHARE)
		return RCD_CONFLICT;
	if (summary->conflict_high < CONFLICT_SHARE)
		return judge_sets(context);
	summary->reason = remiss->high_by_misses < CONFLICT_SHARE ? RCD_OPEN_CLASSES :
			  RCD_WIDE_INTERVAL;
	return RCD_UNDECIDED;
}

static enum rcd_verdict judge_bursts(const struct rcd_context *context,
				     const struct remiss *remiss, struct rcd_summary *summary)
{
	bool pressured = !(summary->pressure < PRESSURED);

	if (summary->conflict_low >= CONFLICT_SHARE && pressured)
		return RCD_CONFLICT;
	/* Re-misses on sets no fuller than the others: not enough room at all, no conflict. */
	if (summary->conflict_high >= CONFLICT_SHARE &&
	    (pressured || !remiss->whole || remiss->low_with_hits < CONFLICT_SHARE))
		summary->reason = !remiss->whole ? RCD_SHORT_BURSTS :
				  remiss->high_by_misses < CONFLICT_SHARE ? RCD_HITS_BETWEEN :
				  RCD_WIDE_INTERVAL;
	else if (lost_too_many(context))
		summary->reason = RCD_LOST_MISSES;
	if (summary->reason != RCD_DECIDED)
		return RCD_UNDECIDED;
	return judge_sets(context);
}

/* Most samples came in bursts: they speak, the others do not. */
static bool mostly_bursts(const struct rcd_context *context)
{
	return 2 * context->burst_samples >= context->samples;
}

void rcd_summarize(const struct rcd_context *context, struct rcd_summary *summary)
{
	uint64_t samples = context->samples + context->short_samples;
	struct class_shares shares = { 0 };
	struct remiss remiss;

	*summary = (struct rcd_summary){
		.samples = samples,
		.burst_samples = context->burst_samples,
		.sets_used = context->sets_used,
		.threshold = context->rcd->threshold,
		.p_value = 1,
		.captured = 1,
		.pressure = NAN,
		.set_lines = NAN,
		.verdict = RCD_UNDECIDED,
		.reason = RCD_FEW_SAMPLES,
	};
	if (!samples)
		return;
	if (context->samples) {
		summary->cf = (double)context->near / context->samples;
		summary->expected_cf = exact_value(&context->expected_near) / context->samples;
		summary->p_value = near_p_value(context);
	} else {
		summary->cf = summary->expected_cf = summary->p_value = NAN;
	}
	if (context->window_samples) {
		summary->concentration = exact_value(&context->window_excess) /
					 context->window_samples;
		summary->expected_concentration = exact_value(&context->window_expected) /
						  context->window_samples;
	}
	if (context->burst_samples || context->classed) {
		if (context->classed)
			shares = classes_estimate(context, &remiss);
		else
			remiss_estimate(context,
					context->windows && lopsidedness(context) < UNEVEN,
					&remiss);
		summary->exact = context->classed;
		summary->counted = classes_counted(context, true);
		summary->open_share = shares.open;
		summary->gross_share = shares.conflicts;
		summary->saved_share = shares.saved;
		summary->has_conflict_share = true;
		summary->conflict_share = remiss.share;
		summary->conflict_low = remiss.low;
		summary->pressure = remiss_pressure(context);
		summary->set_lines = remiss_set_lines(context);
		if (context->burst_samples)
			summary->captured = context->burst_samples /
					    exact_value(&context->burst_misses);
		/* Of re-misses, as many hide as misses at random were lost. */
		summary->conflict_high = fmin(1, remiss.high / summary->captured);
	}
	if (samples < LEAST_SAMPLES && classes_counted(context, false) < LEAST_COUNTED)
		return;
	summary->reason = RCD_DECIDED;
	if (context->classed)
		summary->verdict = judge_classes(context, &remiss, summary);
	else if (mostly_bursts(context))
		summary->verdict = judge_bursts(context, &remiss, summary);
	else
		summary->verdict = judge_spread(summary);
}
