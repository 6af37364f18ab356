// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads the oracle's file (qemu/vcore-truth.h) and holds samples against it.
 * A section is what lies between the guest's mark N and its next mark.
 *
 *	oracle list FILE [MARK]
 *	oracle counts FILE MARK       events, records, lost by counter; PMIs by CPU
 *	oracle check FILE MARK PERIOD COLUMNS [OPTION=VALUE...] < SAMPLES
 *
 * check: SAMPLES are lines of fields as COLUMNS names them: cpu weight tsc again
 * in decimal, va ip pa ax cx si in hexadecimal. As a multiset they must be the
 * records that the core wrote, one for each counter of a record, each about an
 * event that was counted; but those with `again` 1 may be none (repeats.awk). Unless PERIOD is 0,
 * every counter that recorded must have done so at every PERIOD-th event, and end with the rest.
 *
 *	latencies=A,B,C,D  weights of L1, L2, L3, memory
 *	load=IP       guest/sweep.c's: its registers must be as it leaves them
 *	zero=PA       the page of zeros: Linux gives no physical address in it
 *	              (get_user_page_fast_only refuses it: a special PTE)
 *	late=1        a record comes one event after its overflow (pebs-arm=1)
 *	unheard=1     records whose PMI found LVTPC masked may have no sample: where
 *	              the period is not fixed perf has counted their overflow by then
 *	              (intel_pmu_save_and_restart in __intel_pmu_pebs_event)
 *	collisions=1  records of two counters have none: Linux drops them of formats
 *	              1 and 2 (intel_pmu_drain_pebs_nhm)
 *	lost=N        perf says that it lost N samples (hexadecimal, as all these are):
 *	              so many records have none, not more and not fewer
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oracle.h"
#include "oracle-file.h"

#define COUNTERS	12
#define OVERFLOW	(1ull << 48)

struct counter {
	uint64_t value, events, records, lost;
	uint64_t start, moved;	/* first value; by how much software changed it while off */
	uint64_t late;		/* events between overflows and their records */
	uint64_t window;	/* events when it last began to count */
	bool known, precise;
};

const struct vcore_truth *truth;
size_t first, end;
struct options options;
unsigned int errors;
static struct counter counter[CPUS][COUNTERS];

void complain(const char *what, const struct vcore_truth *t)
{
	if (errors++ < 10)
		fprintf(stderr, "oracle: %s: cpu %u counters %x instruction %" PRIu64 " ip %"
			PRIx64 " va %" PRIx64 "\n", what, t->cpu, t->counters, t->insns, t->ip,
			t->va);
}

static void load(const char *path)
{
	size_t size;

	truth = map_file(path, &size);
	end = size / sizeof(*truth);
}

/* Narrows [first, end) to the section of a mark. */
static void section(uint64_t mark)
{
	size_t i = 0;

	while (i < end && !(truth[i].kind == 'M' && truth[i].extra == mark))
		i++;
	if (i == end) {
		fprintf(stderr, "oracle: no mark %" PRIu64 "\n", mark);
		exit(2);
	}
	first = ++i;
	while (i < end && truth[i].kind != 'M')
		i++;
	end = i;
}

static void list(void)
{
	for (size_t i = first; i < end; i++) {
		const struct vcore_truth *t = &truth[i];

		printf("%c cpu %u cpl %u counters %03x instruction %" PRIu64 " tsc %" PRIu64
		       " ip %" PRIx64 " va %" PRIx64 " pa %" PRIx64 " level %u cr3 %" PRIx64
		       " extra %" PRIx64 "\n", t->kind, t->cpu, t->cpl, t->counters, t->insns,
		       t->tsc, t->ip, t->va, t->pa, t->level, t->cr3, t->extra);
	}
}

static void switched(struct counter *c, const struct vcore_truth *t)
{
	if (t->kind == 'A') {
		if (!c->known || !c->events) {
			c->start = t->va;
			c->moved = 0;
		} else {
			c->moved += t->va - c->value;
		}
		c->value = t->va;
		c->known = true;
		c->window = c->events;
		return;
	}
	/* In a window without memory events it may have counted something else. */
	if (options.period && c->precise && c->events != c->window && c->value != t->va)
		complain("a counter ended with another value than its events make", t);
	c->moved += t->va - c->value;
	c->value = t->va;
}

static void recorded(struct counter *c, const struct vcore_truth *t)
{
	c->records++;
	c->precise = true;
	if (!options.period)
		return;
	if (c->value < OVERFLOW || c->value > OVERFLOW + options.late)
		complain("a record, and its period was not over", t);
	c->late += c->value - OVERFLOW;
	c->value = OVERFLOW - options.period;
}

static void step(struct counter *c, const struct vcore_truth *t)
{
	switch (t->kind) {
	case 'E':
		c->events++;
		c->value++;
		break;
	case 'A':
	case 'V':
		switched(c, t);
		break;
	case 'L':
		c->lost++;
		break;
	case 'R':
		recorded(c, t);
	}
}

/* What each counter did in the section. */
static void replay(void)
{
	for (size_t i = first; i < end; i++) {
		for (int n = 0; n < COUNTERS; n++) {
			if (truth[i].counters >> n & 1)
				step(&counter[truth[i].cpu % CPUS][n], &truth[i]);
		}
	}
}

static void counts(void)
{
	size_t pmis[CPUS] = { 0 }, masked[CPUS] = { 0 };

	replay();
	for (size_t i = first; i < end; i++) {
		pmis[truth[i].cpu % CPUS] += truth[i].kind == 'P';
		masked[truth[i].cpu % CPUS] += truth[i].kind == 'p';
	}
	for (int cpu = 0; cpu < CPUS; cpu++) {
		for (int n = 0; n < COUNTERS; n++) {
			const struct counter *c = &counter[cpu][n];

			if (c->events || c->records || c->lost)
				printf("cpu %d counter %d events %" PRIu64 " records %" PRIu64
				       " lost %" PRIu64 "\n", cpu, n, c->events, c->records,
				       c->lost);
		}
		if (pmis[cpu] || masked[cpu])
			printf("cpu %d pmis %zu masked %zu\n", cpu, pmis[cpu], masked[cpu]);
	}
}

static void residuals(void)
{
	uint64_t events = 0, records = 0, residual = 0, moved = 0, late = 0;

	for (int cpu = 0; cpu < CPUS; cpu++) {
		for (int n = 0; n < COUNTERS; n++) {
			const struct counter *c = &counter[cpu][n];

			if (!c->precise)
				continue;
			events += c->events;
			records += c->records;
			residual += c->value - c->start;
			moved += c->moved;
			late += c->late;
		}
	}
	/* perf makes 2 of a period's last 1 when it reschedules an event: "moved". */
	printf("events %" PRIu64 " recorded %" PRIu64 " residual %" PRId64 " moved %" PRId64
	       " late %" PRIu64 "\n", events, records, (int64_t)residual, (int64_t)moved, late);
	if (events != records * options.period + residual - moved + late) {
		fprintf(stderr, "oracle: periods and residual are not the events\n");
		errors++;
	}
}

static bool parse_option(char *text)
{
	static const char *const names[] = { "load", "zero", "late", "unheard", "collisions",
					     "lost" };
	uint64_t *const to[] = { &options.load, &options.zero, &options.late, &options.unheard,
				 &options.collisions, &options.lost };
	uint64_t *latency = options.latency;
	char *value = strchr(text, '=');

	if (!value)
		return false;
	*value++ = '\0';
	if (!strcmp(text, "latencies"))
		return sscanf(value, "%" SCNu64 ",%" SCNu64 ",%" SCNu64 ",%" SCNu64, &latency[1],
			      &latency[2], &latency[3], &latency[4]) == 4;
	for (int i = 0; i < 6; i++) {
		if (!strcmp(text, names[i])) {
			*to[i] = strtoull(value, &value, 16);
			return !*value;
		}
	}
	return false;
}

static void check(const char *columns)
{
	replay();
	check_samples(columns);
	if (options.period)
		residuals();
}

static int usage(void)
{
	fprintf(stderr, "usage: oracle list FILE [MARK] | counts FILE MARK |\n"
		"       check FILE MARK PERIOD COLUMNS [OPTION=VALUE...] <SAMPLES\n");
	return 2;
}

int main(int argc, char **argv)
{
	const char *verb = argc > 1 ? argv[1] : "";

	if (argc < 3)
		return usage();
	load(argv[2]);
	if (argc > 3)
		section(strtoull(argv[3], NULL, 0));
	if (!strcmp(verb, "list")) {
		list();
	} else if (!strcmp(verb, "counts") && argc == 4) {
		counts();
	} else if (!strcmp(verb, "check") && argc > 5) {
		options.period = strtoull(argv[4], NULL, 0);
		for (int i = 6; i < argc; i++) {
			if (!parse_option(argv[i]))
				return usage();
		}
		check(argv[5]);
	} else {
		return usage();
	}
	return errors != 0;
}
