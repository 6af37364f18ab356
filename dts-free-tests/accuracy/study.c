// SPDX-License-Identifier: GPL-2.0-only
/*
 * study: what is true of a traced program's loops, and what sampled runs of it say.
 *
 *   study [-s SEEDS] [-m MISSES] [-p PERIOD,...] TRACE FUNCTION LINE [FUNCTION LINE]...
 *
 * Prints, for each loop (numbered from 1 as they are named):
 *
 *   exact LOOP references misses*3 misses-fully-associative*3 load-misses*2 conflicts*2
 *
 * and, with -s, for each run:
 *
 *   run LOOP level period burst delay seed samples cf p verdict share low high crowding captured
 *
 * The period is that of L1; L2 is sampled ten times as often, as `record` does.
 * -m: how many L1 load misses a run is long, if that is no more than 16,500 samples (L2: 33,000).
 * Of L2 there are bursts only.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/memory.h"
#include "exact.h"
#include "runs.h"

#define LOOPS_MOST	8
#define PERIODS_MOST	16
#define L2_OFTENER	10	/* as the defaults of record: 1212 and 121 */
#define BURST_L1	1024
#define BURST_L2	8192
#define SAMPLES_L1	16500	/* of a run at most: more tell little that is new */
#define SAMPLES_L2	33000	/* the ladder of bursts is longer */
#define DELAY_PERIOD	1212	/* at which losses are studied */

struct study {
	const struct exact *exact;
	size_t contexts[LOOPS_MOST];
	size_t loops;
	uint64_t periods[PERIODS_MOST];
	size_t period_count;
	uint64_t seeds;
	uint64_t misses;		/* of a run, at L1 */
};

static void print_exact(const struct study *study, size_t loop)
{
	const struct exact_loop *exact = &study->exact->loops[study->contexts[loop]];

	printf("exact %zu %" PRIu64, loop + 1, exact->references);
	for (int i = 0; i < EXACT_LEVELS; i++)
		printf(" %" PRIu64, exact->misses[i]);
	for (int i = 0; i < EXACT_LEVELS; i++)
		printf(" %" PRIu64, exact->full_misses[i]);
	for (int i = 0; i < EXACT_STREAMS; i++)
		printf(" %" PRIu64, exact->load_misses[i]);
	for (int i = 0; i < EXACT_STREAMS; i++)
		printf(" %" PRIu64, exact->conflicts[i]);
	putchar('\n');
}

static void print_run(size_t loop, int level, uint64_t period, const struct run_plan *plan,
		      const struct rcd_summary *summary)
{
	printf("run %zu %d %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64
	       " %.6f %.3g %s %.4f %.4f %.4f %.3f %.3f\n", loop + 1, level, period, plan->burst,
	       plan->delay, plan->seed, summary->samples, summary->cf, summary->p_value,
	       rcd_verdict_name(summary->verdict), summary->conflict_share, summary->conflict_low,
	       summary->conflict_high, isnan(summary->pressure) ? -1 : summary->pressure,
	       summary->captured);
}

/* One run of each seed. The period is that of L1. */
static void run(const struct study *study, int level, struct run_plan plan, uint64_t period)
{
	const struct exact_stream *stream = &study->exact->streams[level - 1];
	const struct exact_stream *first = &study->exact->streams[0];
	struct rcd_summary summaries[LOOPS_MOST];
	uint64_t most;

	plan.period = period;
	plan.misses = study->misses;
	if (level > 1) {
		plan.period = period / L2_OFTENER ? period / L2_OFTENER : 1;
		plan.misses = first->count ? (double)plan.misses / first->count * stream->count : 0;
	}
	most = plan.period * (level == 1 ? SAMPLES_L1 : SAMPLES_L2);
	plan.misses = plan.misses < most ? plan.misses : most;
	for (plan.seed = 1; plan.seed <= study->seeds; plan.seed++) {
		run_sample(study->exact, stream, &plan, study->contexts, study->loops, summaries);
		for (size_t i = 0; i < study->loops; i++)
			print_run(i, level, period, &plan, &summaries[i]);
	}
}

static void run_all(const struct study *study)
{
	static const uint64_t delays[] = { 1, 2, 4 };

	for (int level = 1; level <= EXACT_STREAMS; level++) {
		uint64_t burst = level == 1 ? BURST_L1 : BURST_L2;

		for (size_t i = 0; i < study->period_count; i++) {
			if (level == 1)
				run(study, 1, (struct run_plan){ .burst = 1 }, study->periods[i]);
			run(study, level, (struct run_plan){ .burst = burst }, study->periods[i]);
		}
	}
	for (size_t i = 0; i < sizeof(delays) / sizeof(*delays); i++)
		run(study, 1, (struct run_plan){ .burst = BURST_L1, .delay = delays[i] },
		    DELAY_PERIOD);
}

static void parse_periods(struct study *study, char *text)
{
	char *word;

	study->period_count = 0;
	while ((word = strsep(&text, ",")) && study->period_count < PERIODS_MOST) {
		uint64_t period = strtoull(word, NULL, 10);

		if (!period)
			exit(-fail("-p takes periods, not '%s'", word));
		study->periods[study->period_count++] = period;
	}
}

static int usage(void)
{
	fail("usage: study [-s SEEDS] [-m MISSES] [-p PERIOD,...] TRACE FUNCTION LINE...");
	return 2;
}

int main(int argc, char **argv)
{
	struct study study = { .misses = 40000000 };
	char periods[] = "171,264,494,705,1212,4812,10151";
	struct exact *exact;
	int option;

	parse_periods(&study, periods);
	while ((option = getopt(argc, argv, "s:m:p:")) != -1) {
		if (option == 's')
			study.seeds = strtoull(optarg, NULL, 10);
		else if (option == 'm')
			study.misses = strtoull(optarg, NULL, 10);
		else if (option == 'p')
			parse_periods(&study, optarg);
		else
			return 2;
	}
	argv += optind;
	argc -= optind;
	if (argc < 3 || argc % 2 == 0 || argc / 2 > LOOPS_MOST)
		return usage();
	exact = exact_run(argv[0]);
	if (!exact)
		return 1;
	study.exact = exact;
	for (; study.loops < argc / 2; study.loops++) {
		const char *function = argv[1 + 2 * study.loops], *line = argv[2 + 2 * study.loops];
		size_t context = exact_find(exact, function, strtoul(line, NULL, 10));

		if (context == SIZE_MAX)
			return -fail("%s: no loop of %s() that holds line %s ran", argv[0],
				     function, line);
		study.contexts[study.loops] = context;
		print_exact(&study, study.loops);
	}
	run_all(&study);
	exact_free(exact);
	return 0;
}
