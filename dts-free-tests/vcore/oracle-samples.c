// SPDX-License-Identifier: GPL-2.0-only
/* The oracle: samples against the records that the core wrote. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oracle.h"

#define PAGE_MASK	(~0xfffull)

struct sample {
	uint64_t cpu, va, ip, pa, weight, tsc;
	uint64_t optional;	/* not part of what is compared */
};

struct samples {
	struct sample *at;
	size_t nr, room;
	size_t collided;	/* samples that Linux may have dropped by that name */
};

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

/* An event of the record's counters, by the same instruction at the same place. */
static bool about(const struct vcore_truth *e, const struct vcore_truth *r)
{
	return e->kind == 'E' && e->cpu == r->cpu && e->insns == r->insns && e->ip == r->ip &&
	       e->va == r->va && e->pa == r->pa && e->level == r->level &&
	       e->counters & r->counters;
}

/* Records in flight land long after their event. */
static void find_event(size_t record)
{
	size_t i = record;

	while (i > first && !about(&truth[i - 1], &truth[record]))
		i--;
	if (i == first)
		complain("a record about no event that was counted", &truth[record]);
}

static void keep_record(struct samples *records, const struct vcore_truth *t)
{
	struct sample s = { t->cpu, t->va, t->ip, t->pa, options.latency[t->level % 5], t->tsc, 0 };
	int nr = __builtin_popcount(t->counters);

	if (options.zero && (s.pa & PAGE_MASK) == options.zero)
		s.pa = 0;
	if (nr > 1 && options.collisions) {
		records->collided += nr;
		return;
	}
	while (nr--)
		keep(records, s);
}

/* A PMI: the records of its CPU since the last one are heard of now, or not. */
static void notice(struct samples *records, size_t *since, const struct vcore_truth *t)
{
	for (size_t i = *since; i < records->nr; i++) {
		if (records->at[i].cpu == t->cpu && t->kind == 'p')
			records->at[i].optional = options.unheard;
	}
	*since = records->nr;
}

static void collect(struct samples *records)
{
	size_t since[CPUS] = { 0 };

	for (size_t i = first; i < end; i++) {
		const struct vcore_truth *t = &truth[i];

		if (t->kind == 'R') {
			find_event(i);
			keep_record(records, t);
		} else if (t->kind == 'P' || t->kind == 'p') {
			notice(records, &since[t->cpu % CPUS], t);
		}
	}
}

static int compare(const struct sample *a, const struct sample *b)
{
	return memcmp(a, b, offsetof(struct sample, optional));
}

/* Of equals, those that must be there come first. */
static int order(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct sample));
}

static void sort(struct samples *s)
{
	if (s->nr)
		qsort(s->at, s->nr, sizeof(*s->at), order);
}

/* A field of the line, by name; false where the line is not a sample. */
static bool field(char *text, const char *name, struct sample *s, uint64_t *ax, uint64_t *cx,
		  uint64_t *si)
{
	static const char *const names[] = { "cpu", "weight", "tsc", "again", "va", "ip", "pa",
					     "ax",
					     "cx", "si" };
	uint64_t *const to[] = { &s->cpu, &s->weight, &s->tsc, &s->optional, &s->va, &s->ip, &s->pa,
				 ax, cx, si };

	for (int i = 0; i < 10; i++) {
		if (!strcmp(name, names[i])) {
			*to[i] = strtoull(text, &text, i < 4 ? 10 : 16);
			return !*text;
		}
	}
	return false;
}

static void read_samples(struct samples *samples, const char *columns)
{
	size_t loads = 0;
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
				fprintf(stderr,
					"oracle: not a sample: %s\n", text ? text : "(short)");
			continue;
		}
		loads += s.ip == options.load;
		if (s.ip == options.load && (s.va != si + 8 * cx || ax != cx) && errors++ < 10)
			fprintf(stderr, "oracle: registers not as the load leaves them: ax %" PRIx64
				" cx %" PRIx64 " si %" PRIx64 " va %" PRIx64 "\n", ax, cx, si,
									     s.va);
		keep(samples, s);
	}
	if (options.load && loads * 2 < samples->nr) {
		fprintf(stderr, "oracle: of %zu samples only %zu are of the load\n", samples->nr,
			loads);
		errors++;
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
		if (!strstr(columns, "tsc"))
			s->at[i].tsc = 0;
	}
}

static void complain_sample(const char *what, const struct sample *s)
{
	if (errors++ < 10)
		fprintf(stderr, "oracle: %s: cpu %" PRIu64 " ip %" PRIx64 " va %" PRIx64 " pa %"
			PRIx64 " weight %" PRIu64 " tsc %" PRIu64 "\n", what, s->cpu, s->ip, s->va,
			s->pa, s->weight, s->tsc);
}

/*
 * What perf lost must be missing; but unheard records and collisions may be among it,
 * and what was written again may stand for what was lost.
 */
static void check_lost(size_t missing, size_t excused)
{
	if (options.lost <= missing + excused)
		return;
	fprintf(stderr, "oracle: perf lost %" PRIu64 " samples, but only %zu are missing\n",
		options.lost, missing + excused);
	errors++;
}

/* Both sorted. */
static void match(const struct samples *records, const struct samples *samples)
{
	size_t r = 0, s = 0, unheard = 0, again = 0, missing = 0, twice = 0;

	for (size_t i = 0; i < samples->nr; i++)
		twice += samples->at[i].optional;

	while (r < records->nr || s < samples->nr) {
		int sign = r == records->nr ? 1 : s == samples->nr ? -1 :
			   compare(&records->at[r], &samples->at[s]);

		if (sign > 0 && samples->at[s].optional)
			s++, again++;
		else if (sign > 0)
			complain_sample("a sample without a record", &samples->at[s++]);
		else if (sign == 0)
			r++, s++;
		else if (records->at[r].optional)
			r++, unheard++;
		else if (missing++ < options.lost)
			r++;
		else
			complain_sample("a record without a sample", &records->at[r++]);
	}
	printf("records %zu samples %zu unheard %zu again %zu missing %zu lost %" PRIu64 "\n",
	       records->nr, samples->nr, unheard, again, missing, options.lost);
	check_lost(missing, unheard + twice + records->collided);
}

void check_samples(const char *columns)
{
	struct samples records = { 0 }, samples = { 0 };

	collect(&records);
	read_samples(&samples, columns);
	blank(&records, columns);
	sort(&records);
	sort(&samples);
	match(&records, &samples);
	if (!records.nr) {
		fprintf(stderr, "oracle: no records\n");
		errors++;
	}
}
