// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads the oracle's file (qemu/vcore-truth.h) and holds samples against it.
 * A section is what lies between the guest's mark N and its next mark.
 *
 *	oracle list FILE [MARK]
 *	oracle counts FILE MARK       a line a counter: events, records, lost, PMIs
 *	oracle check FILE MARK PERIOD COLUMNS < SAMPLES
 *
 * check: SAMPLES are lines of hexadecimal fields as COLUMNS names them: cpu va
 * ip pa weight ax cx si. As a multiset they must be the records that the core
 * wrote, each about the event counted right before; unless PERIOD is 0, every
 * counter that recorded must have done so at every PERIOD-th event, and end with
 * the rest. Registers must be those of guest/sweep.c where ip is its load.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "qemu/vcore-truth.h"

#define CPUS		64
#define COUNTERS	12
#define OVERFLOW	(1ull << 48)

struct sample {
	uint64_t cpu, va, ip, pa, weight;
};

struct samples {
	struct sample *at;
	size_t nr, room;
};

struct counter {
	uint64_t value, events, records, lost;
	uint64_t start, moved;	/* first value; by how much software changed it while off */
	uint64_t window;	/* events when it last began to count */
	bool known, precise;
	struct vcore_truth last;
};

static struct vcore_truth *truth;
static size_t first, end;
static struct counter counter[CPUS][COUNTERS];
static unsigned int errors;

static void complain(const char *what, const struct vcore_truth *t)
{
	if (errors++ < 10)
		fprintf(stderr, "oracle: %s: cpu %u counters %x instruction %" PRIu64 " ip %"
			PRIx64 " va %" PRIx64 "\n", what, t->cpu, t->counters, t->insns, t->ip,
			t->va);
}

static void load(const char *path)
{
	FILE *file = fopen(path, "rb");
	long size;

	if (!file || fseek(file, 0, SEEK_END) || (size = ftell(file)) < 0) {
		perror(path);
		exit(2);
	}
	rewind(file);
	end = size / sizeof(*truth);
	truth = malloc(size + 1);
	if (!truth || fread(truth, sizeof(*truth), end, file) != end) {
		fprintf(stderr, "oracle: %s: cannot be read\n", path);
		exit(2);
	}
	fclose(file);
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

static void keep(struct samples *s, struct sample sample)
{
	if (s->nr == s->room) {
		s->room = s->room ? 2 * s->room : 1024;
		s->at = realloc(s->at, s->room * sizeof(*s->at));
		if (!s->at)
			exit(2);
	}
	s->at[s->nr++] = sample;
}

static void event(struct counter *c, const struct vcore_truth *t)
{
	c->events++;
	c->value++;
	c->last = *t;
}

static void switched(struct counter *c, const struct vcore_truth *t, uint64_t period)
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
	if (period && c->precise && c->events != c->window && c->value != t->va)
		complain("a counter ended with another value than its events make", t);
	c->moved += t->va - c->value;
	c->value = t->va;
}

static void record(struct counter *c, const struct vcore_truth *t, uint64_t period)
{
	c->precise = true;
	if (c->last.ip != t->ip || c->last.va != t->va)
		complain("a record about another event than the last", t);
	if (period && c->value != OVERFLOW)
		complain("a record before its period was over", t);
	c->value = OVERFLOW - period;
}

/* What each counter did in the section. */
static void replay(uint64_t period, struct samples *records)
{
	for (size_t i = first; i < end; i++) {
		const struct vcore_truth *t = &truth[i];

		for (int n = 0; n < COUNTERS; n++) {
			struct counter *c = &counter[t->cpu % CPUS][n];

			if (!(t->counters >> n & 1))
				continue;
			if (t->kind == 'E')
				event(c, t);
			else if (t->kind == 'A' || t->kind == 'V')
				switched(c, t, period);
			else if (t->kind == 'L')
				c->lost++;
			else if (t->kind == 'R') {
				c->records++;
				record(c, t, period);
				if (records)
					keep(records, (struct sample){ t->cpu, t->va, t->ip,
						c->last.pa, c->last.level });
			}
		}
	}
}

static void counts(void)
{
	size_t pmis = 0;

	replay(0, NULL);
	for (size_t i = first; i < end; i++)
		pmis += truth[i].kind == 'P';
	for (int cpu = 0; cpu < CPUS; cpu++) {
		for (int n = 0; n < COUNTERS; n++) {
			const struct counter *c = &counter[cpu][n];

			if (c->events || c->records || c->lost)
				printf("cpu %d counter %d events %" PRIu64 " records %" PRIu64
				       " lost %" PRIu64 "\n", cpu, n, c->events, c->records,
				       c->lost);
		}
	}
	printf("pmis %zu\n", pmis);
}

static int compare(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct sample));
}

/* A field of the line, by name; false where the line is not a sample. */
static bool field(char *text, const char *name, struct sample *s, uint64_t *ax, uint64_t *cx,
		  uint64_t *si)
{
	static const char *const names[] = { "cpu", "va", "ip", "pa", "weight", "ax", "cx", "si" };
	uint64_t *const to[] = { &s->cpu, &s->va, &s->ip, &s->pa, &s->weight, ax, cx, si };
	bool decimal = !strcmp(name, "cpu") || !strcmp(name, "weight");

	for (int i = 0; i < 8; i++) {
		if (!strcmp(name, names[i])) {
			*to[i] = strtoull(text, &text, decimal ? 10 : 16);
			return !*text;
		}
	}
	return false;
}

static void read_samples(struct samples *samples, const char *columns)
{
	char line[1024], names[128];

	while (fgets(line, sizeof(line), stdin)) {
		struct sample s = { 0 };
		uint64_t ax = 0, cx = 0, si = 0;
		char *state, *names_state;
		char *text = strtok_r(line, " \t\n", &state);
		char *name = strtok_r(strcpy(names, columns), ",", &names_state);

		while (text && name && field(text, name, &s, &ax, &cx, &si)) {
			text = strtok_r(NULL, " \t\n", &state);
			name = strtok_r(NULL, ",", &names_state);
		}
		if (text || name) {
			if (errors++ < 10)
				fprintf(stderr, "oracle: not a sample: %s\n", text ? text : "(short)");
			continue;
		}
		/* sweep's load: its registers are known from its address. */
		if (si && s.va == si + 8 * cx && ax != cx && errors++ < 10)
			fprintf(stderr, "oracle: registers not as the load leaves them: ip %"
				PRIx64 " ax %" PRIx64 " cx %" PRIx64 "\n", s.ip, ax, cx);
		keep(samples, s);
	}
}

static void blank(struct samples *s, const char *columns)
{
	for (size_t i = 0; i < s->nr; i++) {
		if (!strstr(columns, "cpu"))
			s->at[i].cpu = 0;
		if (!strstr(columns, "va"))
			s->at[i].va = 0;
		if (!strstr(columns, "ip"))
			s->at[i].ip = 0;
		if (!strstr(columns, "pa"))
			s->at[i].pa = 0;
		if (!strstr(columns, "weight"))
			s->at[i].weight = 0;
	}
}

static void complain_sample(const char *what, const struct sample *s)
{
	if (errors++ < 10)
		fprintf(stderr, "oracle: %s: cpu %" PRIu64 " ip %" PRIx64 " va %" PRIx64 " pa %"
			PRIx64 " weight %" PRIu64 "\n", what, s->cpu, s->ip, s->va, s->pa,
			s->weight);
}

/*
 * Both sorted. Without a fixed period perf leaves a few records out (where its
 * own count says that the counter has not overflowed): up to two in a hundred.
 */
static void match(const struct samples *records, const struct samples *samples, bool some)
{
	size_t r = 0, s = 0, unseen = 0;

	while (r < records->nr || s < samples->nr) {
		int order = r == records->nr ? 1 : s == samples->nr ? -1 :
			    compare(&records->at[r], &samples->at[s]);

		if (order > 0)
			complain_sample("a sample without a record", &samples->at[s++]);
		else if (order < 0 && !some)
			complain_sample("a record without a sample", &records->at[r++]);
		else {
			unseen += order < 0;
			s += order == 0;
			r++;
		}
	}
	if (unseen * 50 > records->nr) {
		fprintf(stderr, "oracle: %zu of %zu records without a sample\n", unseen,
			records->nr);
		errors++;
	}
}

static void residuals(uint64_t period)
{
	uint64_t events = 0, recorded = 0, residual = 0, moved = 0;

	for (int cpu = 0; cpu < CPUS; cpu++) {
		for (int n = 0; n < COUNTERS; n++) {
			const struct counter *c = &counter[cpu][n];

			if (!c->precise)
				continue;
			events += c->events;
			recorded += c->records;
			residual += c->value - c->start;
			moved += c->moved;
		}
	}
	/* perf makes 2 of a period's last 1 when it reschedules an event: "moved". */
	printf("events %" PRIu64 " records %" PRIu64 " residual %" PRId64 " moved %" PRId64 "\n",
	       events, recorded, (int64_t)(period ? residual : 0), (int64_t)moved);
	if (period && events != recorded * period + residual - moved) {
		fprintf(stderr, "oracle: periods and residual are not the events\n");
		errors++;
	}
}

static void check(uint64_t period, const char *columns, const char *latencies)
{
	struct samples records = { 0 }, samples = { 0 };
	uint64_t latency[5] = { 0 };

	if (latencies)
		sscanf(latencies, "%" SCNu64 ",%" SCNu64 ",%" SCNu64 ",%" SCNu64, &latency[1],
		       &latency[2], &latency[3], &latency[4]);
	replay(period, &records);
	for (size_t i = 0; i < records.nr; i++)
		records.at[i].weight = latency[records.at[i].weight % 5];
	read_samples(&samples, columns);
	blank(&records, columns);
	if (records.nr)
		qsort(records.at, records.nr, sizeof(*records.at), compare);
	if (samples.nr)
		qsort(samples.at, samples.nr, sizeof(*samples.at), compare);
	match(&records, &samples, !period);
	if (!records.nr) {
		fprintf(stderr, "oracle: no records\n");
		errors++;
	}
	residuals(period);
}

int main(int argc, char **argv)
{
	const char *verb = argc > 1 ? argv[1] : "";

	if (argc < 3 || (!strcmp(verb, "counts") && argc < 4) ||
	    (!strcmp(verb, "check") && argc < 6)) {
		fprintf(stderr, "usage: oracle list|counts|check FILE [MARK [PERIOD COLUMNS "
			"[LATENCIES]]]\n");
		return 2;
	}
	load(argv[2]);
	if (argc > 3)
		section(strtoull(argv[3], NULL, 0));
	if (!strcmp(verb, "list"))
		list();
	else if (!strcmp(verb, "counts"))
		counts();
	else
		check(strtoull(argv[4], NULL, 0), argv[5], argc > 6 ? argv[6] : NULL);
	return errors != 0;
}
