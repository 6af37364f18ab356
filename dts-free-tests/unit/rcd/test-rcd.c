// SPDX-License-Identifier: GPL-2.0-only
/*
 * Distances, the null and its test, against brute force and exact sums.
 *
 * Slow: thousands of random streams
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rcd/internal.h"
#include "draw.h"
#include "tap.h"

#define SEED 20180224u

static bool near(double a, double b)
{
	return fabs(a - b) <= 1e-9 * (1 + fabs(b));
}

static double null(uint32_t sets, uint32_t k)
{
	return rcd_null_sliced(sets, 1, (double[]){ 1 }, k);
}

/* The paper's way of counting. */
static void examples(void)
{
	const uint32_t abaca[] = { 0, 1, 0, 2, 0 };
	struct rcd *rcd = rcd_new_sliced(64, 8, 1, (double[]){ 1 });
	struct rcd_context *a = rcd_context_new(rcd), *b = rcd_context_new(rcd);
	struct rcd_stream *stream = rcd_stream_new(rcd), *other = rcd_stream_new(rcd);
	struct rcd_summary summary;
	struct rcd_point point[8];
	uint32_t i;

	for (i = 0; i < 5; i++)
		rcd_add(stream, a, abaca[i], abaca[i], RCD_CLASS_UNKNOWN);
	for (i = 0; i < 1000; i++) {
		rcd_add(stream, b, i % 64, i, RCD_CLASS_UNKNOWN);
		rcd_add(other, a, 40 + i % 20, i, RCD_CLASS_UNKNOWN);
	}
	rcd_finish(rcd);
	rcd_summarize(b, &summary);
	ok(rcd_cdf(b, point, 8) == 1 && point[0].rcd == 64 && near(point[0].share, 1),
	   "a round robin over 64 sets has RCD 64");
	ok(summary.cf == 0 && summary.sets_used == 64 && !summary.has_conflict_share,
	   "its cf is 0, it uses 64 sets, and single samples know no conflict share");
	rcd_summarize(a, &summary);
	ok(rcd_cdf(a, point, 8) == 2 && point[0].rcd == 2 && point[1].rcd == 20,
	   "A B A C A: distances 2 and 2; another thread's misses do not mix in");
	ok(near(summary.cf, 2.0 / 1005), "cf counts short distances over all misses");
	rcd_free(rcd);
}

static void null_model(void)
{
	double worst = 0, sum, term;
	uint32_t n, k, x;

	ok(fabs(null(64, 8) - 0.1184) < 5e-5, "P(RCD <= 8) of 64 sets is 11.84%%");
	ok(near(null(1, 1), 1) && null(1, 0) == 0 && near(null(48, 1), 1.0 / 48),
	   "one set, one miss");
	for (n = 1; n <= 300; n += 13)
		for (k = 1; k <= n; k++) {
			double p = (1 + draw(998)) / 1000.0;

			for (sum = 0, x = k; x <= n; x++)
				sum += exp(lgamma(n + 1) - lgamma(x + 1) - lgamma(n - x + 1) +
					   x * log(p) + (n - x) * log1p(-p));
			worst = fmax(worst, fabs(sum - beta_regularized(p, k, n - k + 1)));
		}
	ok(worst < 1e-10, "incomplete beta equals binomial sums (%.1e off)", worst);
	ok(fabs(beta_regularized(0.5, 5e8, 5e8) - 0.5) < 1e-4, "also for a billion trials");
	for (worst = 0, n = 1; n <= 600; n += 7) {
		double p = 1.0 / (1 + draw(200));

		for (sum = 0, x = 0; x <= n && p < 1; x++) {
			term = lgamma(n + 1) - lgamma(x + 1) - lgamma(n - x + 1) +
			       x * log(p) + (n - x) * log1p(-p);
			sum += x > n * p ? (x - n * p) * exp(term) : 0;
		}
		worst = fmax(worst, fabs(sum - binomial_excess(n, p)));
	}
	ok(worst < 1e-9, "de Moivre's closed form equals the sum (%.1e off)", worst);
}

/* One recorded call of a random script. */
struct event {
	uint32_t stream, context, set;
	uint64_t line;
	uint32_t burst;		/* number of the burst or spread part, by stream */
	double clock;		/* within the burst */
	double step;
	bool in_burst;
};

#define EVENTS	6000
#define STREAMS	3
#define CONTEXTS 4

struct script {
	struct event event[EVENTS];
	uint32_t sets, ways;
};

static void play(struct script *script, struct rcd *rcd, struct rcd_context **context)
{
	struct rcd_stream *stream[STREAMS];
	uint32_t burst[STREAMS] = { 0 }, s, i;
	double clock[STREAMS] = { 0 }, step[STREAMS];
	bool in_burst[STREAMS] = { false };

	for (s = 0; s < STREAMS; s++) {
		stream[s] = rcd_stream_new(rcd);
		step[s] = 1;
	}
	for (i = 0; i < EVENTS; i++) {
		struct event *e = &script->event[i];
		uint32_t kind = draw(400);

		s = draw(STREAMS);
		if (kind < 2 || (kind < 3 && in_burst[s])) {
			uint64_t fills = draw(3) ? ~0ull : 100 + 50 * draw(4);

			step[s] = fills == ~0ull ? 1 : fills / 100.0;
			if (kind < 2) {
				/* A cut is an edge like any other. */
				if (in_burst[s] && draw(2))
					rcd_cut(stream[s], 100, fills, 100);
				else
					rcd_burst(stream[s], 100, fills, 100);
				burst[s]++;
				clock[s] = 0;
				in_burst[s] = true;
			} else {
				rcd_continue(stream[s], 100, fills, 100);
			}
		} else if (kind == 4) {
			rcd_spread(stream[s]);
			burst[s] += in_burst[s];
			in_burst[s] = false;
			step[s] = 1;
		}
		e->stream = s;
		e->context = draw(CONTEXTS);
		e->line = draw(script->sets) * draw(8) + draw(9);
		e->set = e->line % script->sets;
		e->burst = burst[s];
		e->in_burst = in_burst[s];
		e->step = step[s];
		clock[s] += step[s];
		e->clock = clock[s];
		if (rcd_add(stream[s], context[e->context], e->set, e->line, RCD_CLASS_UNKNOWN))
			abort();
	}
	rcd_finish(rcd);
}

struct brute {
	uint64_t near, distinct, distinct2;
	double expected;
	double hist[EVENTS], chance[EVENTS];
	double look[REMISS_BINS], again[REMISS_BINS], perhaps[REMISS_BINS];
};

/*
 * Whether a fully associative cache would have kept event @i's line since event @last: the lines
 * that missed between, and those that must have hit if all sets were used as the line's own. Of a
 * cache that these fill to 8/9 it is not known.
 */
static enum kept kept(const struct script *script, uint32_t last, uint32_t i)
{
	static bool seen[65536];
	const struct event *e = &script->event[i];
	uint32_t lines = 0, in_set = 0, size = script->sets * script->ways, j, hits;

	memset(seen, 0, sizeof(seen));
	for (j = last + 1; j < i; j++) {
		const struct event *f = &script->event[j];

		if (f->stream != e->stream || f->burst != e->burst || seen[f->line])
			continue;
		seen[f->line] = true;
		lines++;
		in_set += f->set == e->set;
	}
	if ((lines + 1) * e->step >= size)
		return KEPT_NOT;
	hits = in_set < script->ways ? script->ways - in_set : 0;
	if (e->step <= 1.25 && in_set * e->step < script->ways && lines + script->sets * hits > size)
		return KEPT_NOT;
	return 9 * (lines + 1) * e->step >= 8 * size ? KEPT_PERHAPS : KEPT_SURELY;
}

/* Everything about one context again, looking back from each of its samples. */
static void recompute(const struct script *script, const struct rcd *rcd, uint32_t context,
		      struct brute *brute)
{
	uint32_t i, j, b;

	*brute = (struct brute){ 0 };
	for (i = 0; i < EVENTS; i++) {
		const struct event *e = &script->event[i];
		uint32_t back = 0, distinct = 0, distance = 0;
		double first = e->clock, again = 0;
		enum kept spared = KEPT_NOT;
		bool seen[2048] = { false };

		if (e->context != context)
			continue;
		for (j = i; j-- > 0;) {
			const struct event *f = &script->event[j];

			if (f->stream != e->stream || f->burst != e->burst)
				continue;
			first = f->clock;
			if (!again && f->line == e->line) {
				again = e->clock - f->clock;
				spared = kept(script, j, i);
			}
			if (f->context != context)
				continue;
			back++;
			if (!distance && f->set == e->set)
				distance = back;
			if (back <= script->ways && !seen[f->set]) {
				seen[f->set] = true;
				distinct++;
			}
		}
		brute->near += distance && distance <= script->ways;
		brute->distinct += distinct;
		brute->distinct2 += distinct * distinct;
		brute->expected += null(script->sets, back < script->ways ? back : script->ways);
		brute->hist[distance] += !!distance;
		for (j = 1; j <= back; j++)
			brute->chance[j]++;
		for (b = 0; b < rcd->bins && e->in_burst; b++) {
			double low = b ? rcd->edges[b - 1] : 0;

			if (e->clock - first < rcd->edges[b])
				break;
			brute->look[b]++;
			if (again <= low || again > rcd->edges[b])
				continue;
			brute->again[b] += spared == KEPT_SURELY;
			brute->perhaps[b] += spared == KEPT_PERHAPS;
		}
	}
}

static bool same_remiss(const struct rcd *rcd, const struct rcd_context *context,
			const struct brute *brute)
{
	uint32_t b, g, v;

	for (b = 0; b < rcd->bins; b++) {
		uint64_t look = 0, again = 0, perhaps = 0;

		for (g = 0; g < context->group_room; g++) {
			if (!context->groups[g])
				continue;
			for (v = b + 1; v <= rcd->bins; v++)
				look += context->groups[g]->look[v];
			again += context->groups[g]->again[b];
			perhaps += context->groups[g]->perhaps[b];
		}
		if (look != brute->look[b] || again != brute->again[b] ||
		    perhaps != brute->perhaps[b])
			return false;
	}
	return true;
}

static bool same_cdf(const struct rcd_context *context, const struct brute *brute)
{
	static struct rcd_point point[EVENTS], thin[10];
	size_t count = rcd_cdf(context, point, EVENTS), few = rcd_cdf(context, thin, 10), at = 0, i;
	double share = 0;
	uint32_t d;

	for (d = 1; d < EVENTS; d++) {
		if (!brute->hist[d])
			continue;
		share += brute->hist[d] / brute->chance[d];
		if (at >= count || point[at].rcd != d || !near(point[at].share, fmin(share, 1)))
			return false;
		at++;
	}
	for (i = 1; i < few; i++)
		if (thin[i].rcd <= thin[i - 1].rcd || thin[i].share < thin[i - 1].share)
			return false;
	return at == count && few <= 10 && few > 1 && thin[few - 1].rcd == point[count - 1].rcd;
}

static void brute_force(uint32_t sets, uint32_t ways)
{
	static struct script script;
	static struct brute brute;
	struct rcd *rcd = rcd_new_sliced(sets, ways, 1, (double[]){ 1 });
	struct rcd_context *context[CONTEXTS];
	bool counts = true, remiss = true, cdf = true;
	uint32_t c;

	script.sets = sets;
	script.ways = ways;
	for (c = 0; c < CONTEXTS; c++)
		context[c] = rcd_context_new(rcd);
	play(&script, rcd, context);
	for (c = 0; c < CONTEXTS; c++) {
		recompute(&script, rcd, c, &brute);
		counts &= context[c]->near == brute.near &&
			  near(exact_value(&context[c]->sum_chance) * sets, brute.distinct) &&
			  near(exact_value(&context[c]->sum_chance2) * sets * sets,
			       brute.distinct2) &&
			  near(exact_value(&context[c]->expected_near), brute.expected);
		remiss &= same_remiss(rcd, context[c], &brute);
		cdf &= same_cdf(context[c], &brute);
	}
	ok(counts, "%u sets, %u ways: short distances, windows and the null's mean", sets, ways);
	ok(remiss, "%u sets, %u ways: re-misses by distance, and who could see them", sets, ways);
	ok(cdf, "%u sets, %u ways: CDF, whole and thinned out", sets, ways);
	rcd_free(rcd);
}

/* Windows of a context alone in a spread stream, cut by hand. */
static void windows(uint32_t sets, uint32_t ways)
{
	uint32_t length = sets * ways, total = 5 * length + length / 3, i, s;
	struct rcd *rcd = rcd_new_sliced(sets, ways, 1, (double[]){ 1 });
	struct rcd_context *context = rcd_context_new(rcd);
	struct rcd_stream *stream = rcd_stream_new(rcd);
	uint32_t *count = calloc(sets, sizeof(*count));
	double excess = 0, expected = 0;
	uint32_t begun = 0;
	struct rcd_summary summary;

	for (i = 0; i < total; i++) {
		uint32_t set = draw(sets) * draw(2);

		rcd_add(stream, context, set, i, RCD_CLASS_UNKNOWN);
		count[set]++;
		if (i + 1 - begun < length && i + 1 < total)
			continue;
		for (s = 0; s < sets; s++) {
			double share = (double)(i + 1 - begun) / sets;

			excess += count[s] > share ? count[s] - share : 0;
			count[s] = 0;
		}
		expected += sets * binomial_excess(i + 1 - begun, 1.0 / sets);
		begun = i + 1;
	}
	rcd_finish(rcd);
	rcd_summarize(context, &summary);
	ok(near(summary.concentration, excess / total) &&
	   near(summary.expected_concentration, expected / total),
	   "%u sets, %u ways: concentration %.3f, expected %.3f", sets, ways,
	   summary.concentration, summary.expected_concentration);
	free(count);
	rcd_free(rcd);
}

static const double levels[] = { 0.05, 0.01, 0.001 };

/* Sets of a stream under the null, or one that only resembles it. */
enum sets_kind { UNIFORM, BLOCKS };

static uint32_t null_set(enum sets_kind kind, uint32_t sets, uint32_t *deck, uint32_t at)
{
	uint32_t i, other, set;

	if (kind == UNIFORM)
		return draw(sets);
	/* Each block of `sets` misses is a permutation. */
	if (at % sets == 0)
		for (i = 0; i < sets; i++)
			deck[i] = i;
	other = at % sets + draw(sets - at % sets);
	set = deck[other];
	deck[other] = deck[at % sets];
	return set;
}

/* Tries a context each, four of them interleaved; how often p <= each level. */
static void false_positives(enum sets_kind kind, uint32_t sets, uint32_t ways, uint32_t n,
			    uint32_t burst, uint32_t tries, double *rate)
{
	static uint32_t deck[4][1024];
	struct rcd *rcd = rcd_new_sliced(sets, ways, 1, (double[]){ 1 });
	struct rcd_stream *stream = rcd_stream_new(rcd);
	struct rcd_context *context[4];
	uint32_t at[4], t, c, i, k;

	for (t = 0; t < tries; t += 4) {
		for (c = 0; c < 4; c++) {
			context[c] = rcd_context_new(rcd);
			at[c] = 0;
		}
		for (i = 0; i < 4 * n; i++) {
			if (i % burst == 0)
				rcd_burst(stream, burst, ~0ull, burst);
			do
				c = draw(4);
			while (at[c] == n);
			rcd_add(stream, context[c], null_set(kind, sets, deck[c], at[c]), i,
				RCD_CLASS_UNKNOWN);
			at[c]++;
		}
		rcd_burst(stream, 1, 1, 1);
		for (c = 0; c < 4; c++) {
			struct rcd_summary summary;

			rcd_summarize(context[c], &summary);
			for (k = 0; k < 3; k++)
				rate[k] += summary.p_value <= levels[k];
		}
	}
	for (k = 0; k < 3; k++)
		rate[k] /= tries;
	rcd_free(rcd);
}

static void null_rates(enum sets_kind kind)
{
	static const uint32_t sets[] = { 16, 48, 64, 1024 }, ways[] = { 1, 2, 4, 8, 12, 16 };
	static const uint32_t samples[] = { 10, 30, 100, 1000, 10000 };
	static const uint32_t tries[] = { 8000, 4000, 2000, 800, 200 };
	static const uint32_t bursts[] = { 32, 1024, 1u << 30 };
	uint32_t n, s, w, b, k;

	for (n = 0; n < (kind == UNIFORM ? 5 : 4); n++) {
		double mean[3] = { 0 }, worst = -99;
		uint32_t cells = 0;
		bool honest = true;

		for (s = 0; s < 4; s++)
			for (w = 0; w < 6; w++)
				for (b = 0; b < 3; b++) {
					double rate[3] = { 0 };

					if ((s + w + b) % 3 && n > 1)
						continue;
					false_positives(kind, sets[s], ways[w], samples[n],
							bursts[b], tries[n], rate);
					cells++;
					for (k = 0; k < 3; k++) {
						double a = levels[k], error =
							sqrt(a * (1 - a) / tries[n]);

						mean[k] += rate[k];
						worst = fmax(worst, (rate[k] - a) / error);
						/* Four errors, and room for a Poisson's few. */
						honest &= rate[k] <= a + 4 * error +
							  5.0 / tries[n];
					}
				}
		printf("# %s n = %5u: p <= 5%%, 1%%, 0.1%% in %.2f%%, %.2f%%, %.3f%%\n",
		       kind == UNIFORM ? "uniform" : "blocks ", samples[n],
		       100 * mean[0] / cells, 100 * mean[1] / cells, 100 * mean[2] / cells);
		for (k = 0; k < 3; k++) {
			double a = levels[k];

			honest &= mean[k] / cells <=
				  a + 4 * sqrt(a * (1 - a) / ((double)tries[n] * cells));
		}
		ok(honest, "%s sets, %u samples: no more false positives than said "
		   "(worst cell %.1f errors)",
		   kind == UNIFORM ? "uniform" : "block-wise permuted", samples[n], worst);
		if (kind == UNIFORM && samples[n] >= 1000)
			ok(mean[0] / cells > 0.035, "and not many fewer");
	}
}

/* Many sets: a hashed table must say what a direct one would. */
static void large_caches(void)
{
	struct rcd *rcd = rcd_new_sliced(1u << 24, 16, 1, (double[]){ 1 });
	struct rcd_context *context = rcd_context_new(rcd);
	struct rcd_stream *stream = rcd_stream_new(rcd);
	struct rcd_summary summary;
	uint32_t i;

	for (i = 0; i < 200000; i++) {
		if (i % 1000 == 0 && i < 100000)
			rcd_burst(stream, 1000, ~0ull, 1000);
		if (i == 100000)
			rcd_spread(stream);
		rcd_add(stream, context, i % 500 * 32768u + 7, i, RCD_CLASS_UNKNOWN);
	}
	rcd_finish(rcd);
	rcd_summarize(context, &summary);
	ok(summary.sets_used == 500 && context->distances[500] == 100 * 500 + 99500 &&
	   summary.cf == 0, "2^24 sets: 500 of them in turn");
	rcd_free(rcd);
}

/* An outer context of several is what one context of all their misses would be. */
static void around(void)
{
	struct rcd *apart = rcd_new_sliced(64, 8, 1, (double[]){ 1 });
	struct rcd *together = rcd_new_sliced(64, 8, 1, (double[]){ 1 });
	struct rcd_stream *inner = rcd_stream_new(apart), *one = rcd_stream_new(together);
	struct rcd_context *outer = rcd_context_new(apart), *all = rcd_context_new(together);
	struct rcd_context *parts[3];
	struct rcd_summary a, b, part;
	uint64_t samples = 0;
	uint32_t burst, i;

	for (i = 0; i < 3; i++)
		parts[i] = rcd_context_new(apart);
	for (burst = 0; burst < 60; burst++) {
		uint32_t length = 1 + draw(1200), which = draw(3);

		rcd_burst(inner, 2 * length, ~0ull, length);
		rcd_burst(one, 2 * length, ~0ull, length);
		for (i = 0; i < length; i++) {
			uint64_t line = draw(4) ? 64 * draw(12) + draw(2) : draw(4096);

			which = draw(20) ? which : draw(3);
			rcd_add(inner, parts[which], line % 64, line, RCD_CLASS_UNKNOWN);
			rcd_add_around(inner, outer, line % 64);
			rcd_add(one, all, line % 64, line, RCD_CLASS_UNKNOWN);
		}
	}
	rcd_finish(apart);
	rcd_finish(together);
	rcd_summarize(outer, &a);
	rcd_summarize(all, &b);
	ok(a.samples == b.samples && a.sets_used == b.sets_used && a.cf == b.cf &&
	   a.p_value == b.p_value && a.conflict_share == b.conflict_share &&
	   a.conflict_low == b.conflict_low && a.conflict_high == b.conflict_high &&
	   a.pressure == b.pressure && a.set_lines == b.set_lines &&
	   a.concentration == b.concentration &&
	   a.verdict == b.verdict, "a context around three is as one of all their misses");
	for (i = 0; i < 3; i++) {
		rcd_summarize(parts[i], &part);
		samples += part.samples;
	}
	ok(samples == a.samples && a.conflict_share > 0.3, "whose samples are theirs");
	rcd_free(apart);
	rcd_free(together);
}

/* How many lines take turns in a set does not depend on how many of the misses are recorded. */
static void turns(void)
{
	uint32_t every, i;

	for (every = 1; every <= 4; every *= 2) {
		struct rcd *rcd = rcd_new_sliced(64, 8, 1, (double[]){ 1 });
		struct rcd_stream *stream = rcd_stream_new(rcd);
		struct rcd_context *context = rcd_context_new(rcd);
		struct rcd_summary summary;

		rcd_burst(stream, 1000 * every, ~0ull, 1000);
		for (i = 0; i < 1000; i++)
			rcd_add(stream, context, 5, i * every % 13 * 64 + 5, RCD_CLASS_UNKNOWN);
		rcd_finish(rcd);
		rcd_summarize(context, &summary);
		ok(near(summary.set_lines, 13), "thirteen, one miss in %u seen: %.2f", every,
		   summary.set_lines);
		rcd_free(rcd);
	}
}

/* Loops of few misses each that drive each other's lines out: it shows in the one around them. */
static void siblings(void)
{
	struct rcd *rcd = rcd_new_sliced(64, 8, 1, (double[]){ 1 });
	struct rcd_stream *stream = rcd_stream_new(rcd);
	struct rcd_context *outer = rcd_context_new(rcd), *loop[400];
	struct rcd_summary summary;
	uint32_t undecided = 0, i, turn, n;

	for (i = 0; i < 400; i++)
		loop[i] = rcd_context_new(rcd);
	for (turn = 0; turn < 8; turn++) {
		rcd_burst(stream, 1200, ~0ull, 1200);
		for (n = 0; n < 1200; n++) {
			uint32_t at = n % 12, set = n / 12 % 3;

			/*
			 * Twelve lines in turn of each of three sets; two misses a turn each loop.
			 */
			rcd_add(stream, loop[(n / 3) % 400], set, at * 64 + set, RCD_CLASS_UNKNOWN);
			rcd_add_around(stream, outer, set);
		}
	}
	rcd_finish(rcd);
	for (i = 0; i < 400; i++) {
		rcd_summarize(loop[i], &summary);
		undecided += summary.verdict == RCD_UNDECIDED;
	}
	rcd_summarize(outer, &summary);
	ok(near(summary.set_lines, 12), "twelve lines in turn of a set: %.2f", summary.set_lines);
	ok(undecided == 400 && summary.verdict == RCD_CONFLICT,
	   "400 loops too small to judge (%u), one around them in conflict", undecided);
	rcd_free(rcd);
}

/* Three bursts in five parts each: three in the interval, that saw as far as their longest part. */
static void parts(void)
{
	static const uint32_t lengths[] = { 30, 200, 7, 400, 90 };
	struct rcd *rcd = rcd_new_sliced(64, 8, 1, (double[]){ 1 });
	struct rcd_context *context = rcd_context_new(rcd), *seldom = rcd_context_new(rcd);
	struct rcd_stream *stream = rcd_stream_new(rcd);
	uint32_t farthest = 0, burst, part, i, line = 0;

	while (rcd->edges[farthest] < 400)
		farthest++;
	for (burst = 0; burst < 3; burst++) {
		for (part = 0; part < 5; part++) {
			if (part)
				rcd_cut(stream, lengths[part], ~0ull, lengths[part]);
			else
				rcd_burst(stream, lengths[part], ~0ull, lengths[part]);
			for (i = 0; i < lengths[part]; i++, line++)
				rcd_add(stream, part == 1 ? seldom : context, line % 64, line,
					RCD_CLASS_UNKNOWN);
		}
	}
	rcd_finish(rcd);
	ok(context->bursts == 3 && context->reach[farthest] == 3 &&
	   context->burst_samples == 3 * 527,
	   "a burst in parts is one, and saw as far as the longest of them");
	ok(seldom->bursts == 3 && seldom->burst_samples == 600 && !seldom->reach[farthest],
	   "... of a context that missed in one of them, as far as that");
	rcd_free(rcd);
}

int main(void)
{
	uint32_t i;

	state = SEED;
	printf("# seed %u\n", SEED);
	examples();
	null_model();
	brute_force(64, 8);
	brute_force(48, 12);
	brute_force(16, 1);
	brute_force(2000, 3);
	for (i = 0; i < 3; i++)
		brute_force(1 + draw(100), 1 + draw(20));
	windows(64, 8);
	windows(48, 12);
	windows(1500, 4);
	large_caches();
	around();
	turns();
	siblings();
	parts();
	null_rates(UNIFORM);
	null_rates(BLOCKS);
	return done();
}
