// SPDX-License-Identifier: GPL-2.0-only
/*
 * Misses of loads and of stores in bursts of their own, with the lines that both brought in: shares of
 * conflicts and verdicts against an L1 and its fully associative shadow, 32K,8,64. By virtual address;
 * seed SEED.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "cachesim/lru.h"
#include "lru-lines.h"
#include "rcd/rcd.h"
#include "tap.h"

#define SEED 20261124u
#define SETS 64u
#define WAYS 8u
#define LINES (SETS * WAYS)
#define BURST 1024u
#define BURSTS 24u		/* of each kind */

/* What one round of a loop reads and writes: so many lines, so far apart. */
struct walk {
	uint32_t count, stride;
	bool stores;
	uint32_t every;		/* rounds after which it is a line further; 0 = it stays */
	bool anew;		/* each round has its own lines */
};

struct mix {
	const char *name;
	struct walk walks[3];
	bool alternating;	/* one line of each in turn, else one walk after the other */
};

/* The misses of one kind: in gaps and bursts by turns. */
struct side {
	struct rcd_stream *stream;
	uint64_t lines[BURST];
	uint32_t held, bursts;
	uint64_t gap;
	uint64_t misses, brought;	/* so far: a mean, as of a long gap; of both kinds */
};

struct run {
	uint64_t rows[LINES], shadow[LINES];
	struct rcd *rcd;
	struct rcd_context *context;
	struct side sides[2];
	bool known;		/* how many lines both bring in */
	uint64_t misses, conflicts, saved;
};

static uint64_t state = SEED;

static void flush(struct run *run, struct side *side)
{
	uint64_t fills = run->known ? BURST * side->brought / side->misses : ~0ull;

	rcd_burst(side->stream, BURST, fills, BURST);
	for (uint32_t i = 0; i < BURST; i++)
		if (rcd_add(side->stream, run->context, side->lines[i] % SETS, side->lines[i],
			    RCD_CLASS_UNKNOWN))
			exit(1);
	side->bursts++;
	side->held = 0;
	side->gap = 1 + random_next(&state) % (4 * BURST);
}

static void take(struct run *run, struct side *side, uint64_t line)
{
	side->misses++;
	if (side->gap) {
		side->gap--;
		return;
	}
	side->lines[side->held++] = line;
	if (side->held == BURST)
		flush(run, side);
}

static void use(struct run *run, uint64_t line, bool stores)
{
	bool kept = lru_use(run->shadow, LINES, line);
	uint64_t evicted;

	if (lru_access(run->rows + line % SETS * WAYS, WAYS, line, &evicted)) {
		run->saved += !kept;
		return;
	}
	run->misses++;
	run->conflicts += kept;
	run->sides[0].brought++;
	run->sides[1].brought++;
	take(run, &run->sides[stores], line);
}

static void step(struct run *run, const struct mix *mix, uint32_t number, uint64_t round, uint64_t i)
{
	const struct walk *walk = &mix->walks[number];
	uint64_t moved = walk->anew ? round % 256 * walk->count : walk->every ? round / walk->every % 4096 : 0;

	if (i < walk->count)
		use(run, ((number + 1ull) << 24) + moved + i * walk->stride, walk->stores);
}

static void round_of(struct run *run, const struct mix *mix, uint64_t round)
{
	for (uint64_t i = 0; mix->alternating && i < 2 * LINES; i++)
		for (uint32_t w = 0; w < 3; w++)
			step(run, mix, w, round, i);
	for (uint32_t w = 0; !mix->alternating && w < 3; w++)
		for (uint64_t i = 0; i < mix->walks[w].count; i++)
			step(run, mix, w, round, i);
}

static uint32_t lines_of(const struct mix *mix)
{
	return mix->walks[0].count + mix->walks[1].count + mix->walks[2].count;
}

/* Return: the exact share of conflicts. @saved: receives hits that the shadow misses, a miss */
static double simulate(const struct mix *mix, bool known, struct rcd_summary *summary, double *saved)
{
	static const double whole = 1;
	static struct run run;
	uint64_t rounds = 0;

	memset(&run, 0, sizeof(run));
	memset(run.rows, 0xff, sizeof(run.rows));
	memset(run.shadow, 0xff, sizeof(run.shadow));
	run.rcd = rcd_new_sliced(SETS, WAYS, 1, &whole);
	run.known = known;
	if (known)
		rcd_stores_apart(run.rcd);
	run.context = rcd_context_new(run.rcd);
	for (int i = 0; i < 2; i++)
		run.sides[i].stream = rcd_stream_new(run.rcd);
	while (run.sides[0].bursts + run.sides[1].bursts < 2 * BURSTS)
		round_of(&run, mix, rounds++);
	rcd_finish(run.rcd);
	rcd_summarize(run.context, summary);
	rcd_free(run.rcd);
	*saved = (double)run.saved / run.misses;
	return (double)run.conflicts / run.misses;
}

struct result {
	double exact, saved;
	struct rcd_summary said;
	bool right;		/* verdict and share */
};

static struct result result_of(const struct mix *mix)
{
	struct result result;

	result.exact = simulate(mix, true, &result.said, &result.saved);
	result.right = (result.exact >= 0.1) == (result.said.verdict == RCD_CONFLICT) &&
		       fabs(result.said.conflict_share - result.exact) < 0.1;
	return result;
}

static void check(const struct mix *mix)
{
	const struct result result = result_of(mix);

	ok(result.right, "%s, %u lines: %s, share %.2f, exact %.2f", mix->name, lines_of(mix),
	   rcd_verdict_name(result.said.verdict), result.said.conflict_share, result.exact);
}

static const struct mix mixes[] = {
	/* adi of PolyBench, 256: a column read and one written, and two rows */
	{ "columns that do not fit", { { 254, 32, false, 8, false }, { 254, 32, true, 8, false }, { 64, 1, true, 0, true } }, false },
	{ "... that would", { { 100, 32, false, 8, false }, { 100, 32, true, 8, false }, { 64, 1, true, 0, true } }, false },
	{ "... read alone", { { 400, 32, false, 8, false } }, false },
	{ "... written alone", { { 400, 32, true, 8, false } }, false },
	{ "a sweep of both", { { 400, 1, false, 0, false }, { 400, 1, true, 0, false } }, true },
	{ "streams", { { 100, 1, false, 0, true }, { 100, 1, true, 0, true }, { 100, 1, false, 0, true } }, true },
	{ "twelve lines on one set", { { 6, 64, false, 0, false }, { 6, 64, true, 0, false } }, true },
};

/* Columns of any lengths, whose lines are not about as many as the cache has. */
static struct mix draw(void)
{
	static const uint32_t strides[] = { 1, 16, 32, 64 };
	struct mix mix = { .name = "any" };

	do {
		for (uint32_t w = 0; w < 3; w++)
			mix.walks[w] = (struct walk){
				.count = 16 + random_next(&state) % 350, .stride = strides[random_next(&state) % 4],
				.stores = random_next(&state) & 1, .every = 8 * (random_next(&state) & 1),
				.anew = !(random_next(&state) % 4),
			};
	} while (lines_of(&mix) > 0.8 * LINES && lines_of(&mix) < 1.25 * LINES);
	mix.alternating = random_next(&state) & 1;
	return mix;
}

/*
 * None is a conflict that is none, and most that are one are found. Lines that hit and take room in
 * the shadow are in no sample: where they decide, only counted accesses would tell, and nothing is
 * checked. Nor are lines seen that hit for some rounds and then miss.
 */
static void check_any(void)
{
	uint32_t conflicts = 0, found = 0, clean = 0;

	while (conflicts + clean < 30) {
		struct mix mix = draw();
		struct result result = result_of(&mix);

		if (result.saved > 0.05)
			continue;
		conflicts += result.exact >= 0.1;
		clean += result.exact < 0.1;
		found += result.exact >= 0.1 && result.right;
		if (result.said.conflict_share > result.exact + 0.1 ||
		    (result.exact < 0.08 && result.said.verdict == RCD_CONFLICT))
			ok(false, "%u lines: %s, share %.2f, exact %.2f", lines_of(&mix),
			   rcd_verdict_name(result.said.verdict), result.said.conflict_share, result.exact);
	}
	ok(clean >= 5 && conflicts >= 5 && 4 * found >= 3 * conflicts, "any mixes: %u clean, of %u conflicts %u found", clean,
	   conflicts, found);
}

int main(void)
{
	struct rcd_summary before;
	double saved, exact = simulate(&mixes[0], false, &before, &saved);

	printf("# seed %u\n", SEED);
	ok(exact < 0.1 && before.conflict_share > 0.5, "%s: where only the own kind's lines are known, share %.2f, exact %.2f",
	   mixes[0].name, before.conflict_share, exact);
	for (size_t i = 0; i < sizeof(mixes) / sizeof(*mixes); i++)
		check(&mixes[i]);
	check_any();
	return done();
}
