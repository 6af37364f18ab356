// SPDX-License-Identifier: GPL-2.0-only
/*
 * Recordings of bursts: what is counted of them is what a simulation by lists counts; what they
 * say of a program, what that of its whole run says.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "burst-maker.h"
#include "cachesim/hierarchy.h"
#include "findings/findings.h"
#include "fixture.h"
#include "lru-lines.h"
#include "draw.h"
#include "tap.h"

#define SEED		20250612u
#define LINE		64u
#define LINES_MOST	65536u
#define IPS		4u		/* instructions, at 0x1000, 0x2000, ... */

/* Lines, the last used first; none is ever forgotten. */
struct list {
	uint64_t *lines;
	uint32_t count;
};

/* Uses a line. Return: how many others were used since it was, UINT32_MAX if it never was. */
static uint32_t use(struct list *list, uint64_t line)
{
	uint32_t at = 0;

	while (at < list->count && list->lines[at] != line)
		at++;
	if (at == LINES_MOST)
		exit(1);
	memmove(list->lines + 1, list->lines, at * sizeof(line));
	list->lines[0] = line;
	if (at < list->count)
		return at;
	list->count++;
	return UINT32_MAX;
}

static struct list list_new(void)
{
	return (struct list){ calloc(LINES_MOST + 1, sizeof(uint64_t)), 0 };
}

/* --- every class, of bursts at random --- */

struct truth {
	uint64_t counted, unknown, first;
	uint64_t misses[IPS], conflicts[IPS], open[IPS], saved[IPS];
	uint64_t kinds[4];
};

enum { HIT, SAVED, UNKNOWN, OPEN, OTHER, CONFLICT };

static uint32_t judge(struct list *set, struct list *all, uint32_t ways, uint32_t lines,
		      uint64_t line, bool *first)
{
	uint32_t before = set->count, before_all = all->count;
	uint32_t in_set = use(set, line), in_all = use(all, line);

	if (in_set == UINT32_MAX) {
		*first = true;
		return before < ways ? UNKNOWN : before_all >= lines ? OTHER : OPEN;
	}
	if (in_set < ways)
		return in_all < lines ? HIT : SAVED;
	return in_all < lines ? CONFLICT : OTHER;
}

static void count(struct truth *truth, const struct burst_reference *references, uint32_t many,
		  const struct cache_geometry *cache)
{
	uint32_t sets = cache->sets, ways = cache->ways;
	struct list *set = calloc(sets, sizeof(*set)), all = list_new();
	bool warm = false;

	for (uint32_t i = 0; i < sets; i++)
		set[i] = list_new();
	for (uint32_t i = 0; i < many; i++) {
		const struct burst_reference *r = &references[i];
		uint64_t line = r->address / cache->line;
		uint64_t last = (r->address + r->size - 1) / cache->line;
		uint32_t outcome = HIT, its, ip = r->ip / 0x1000 - 1;
		bool first = false;

		warm = warm || i >= many / 2 || all.count >= sets * ways;
		for (; line <= last; line++) {
			its = judge(&set[line % sets], &all, ways, sets * ways, line, &first);
			/* With two misses the reference hits in the shadow if both lines do. */
			if (outcome < OPEN ? its > outcome :
			    its == OTHER || (its == OPEN && outcome == CONFLICT))
				outcome = its;
		}
		if (!warm)
			continue;
		truth->counted += 1 + (r->kind == BURST_LOAD_STORE);
		truth->first += first;
		truth->unknown += outcome == UNKNOWN;
		truth->misses[ip] += outcome >= OPEN;
		truth->kinds[r->kind] += outcome >= OPEN;
		truth->conflicts[ip] += outcome == CONFLICT;
		truth->open[ip] += outcome == OPEN;
		truth->saved[ip] += outcome == SAVED && truth->misses[ip];
	}
	for (uint32_t i = 0; i < sets; i++)
		free(set[i].lines);
	free(set);
	free(all.lines);
}

static uint64_t near(double share, uint64_t of)
{
	return llround(share * of);
}

static bool same_context(const struct context *context, const struct truth *truth)
{
	uint32_t ip = context->region.address / 0x1000 - 1;
	const struct level_findings *level = context_level(context, 1);
	const struct rcd_summary *summary = &level->summary;

	return ip < IPS && summary->exact && level->samples == truth->misses[ip] &&
	       level->re_misses == truth->conflicts[ip] &&
	       near(summary->open_share, level->samples) == truth->open[ip] &&
	       /* The order of hits saved and misses within a batch is not kept. */
	       near(summary->saved_share, level->samples) >= truth->saved[ip];
}

static bool same(const struct findings *findings, const struct truth *truth)
{
	const struct burst_totals *bursts = &findings->bursts;
	uint32_t contexts = 0, missing = 0;
	bool good = bursts->counted == truth->counted && bursts->unknown == truth->unknown &&
		    bursts->first == truth->first &&
		    !memcmp(bursts->misses, truth->kinds, sizeof(truth->kinds));

	for (uint32_t ip = 0; ip < IPS; ip++)
		missing += truth->misses[ip] > 0;
	for (size_t i = 0; i < findings->context_count; i++) {
		const struct level_findings *level = context_level(&findings->contexts[i], 1);

		if (!level || !level->samples)
			continue;
		contexts++;
		good = good && same_context(&findings->contexts[i], truth);
	}
	return good && contexts == missing;
}

/* A mixture of walks, so that all classes occur. */
static struct burst_reference reference_at_random(uint32_t n, uint32_t lines)
{
	uint32_t way = draw(8);
	uint64_t line = way < 2 ? draw(lines + lines / 4) : way < 5 ? n % (lines + 8) :
			way < 7 ? 8192ull * (draw(20) + n / 1000) : 1000000 + n / 20;

	return (struct burst_reference){
		.ip = 0x1000 * (1 + way % IPS), .address = line * LINE + draw(64),
		.size = 1u << draw(7), .kind = 1 + draw(3),
	};
}

/*
 * A cache of any shape, asked of bursts of mixed references. Return: whether all classes occurred.
 */
static bool check_cache(const char *path, const struct cache_geometry *cache)
{
	static struct burst_reference references[6000];
	struct hierarchy_plan plan = { .levels = 1, .level[0].geometry = *cache };
	struct analysis_options options = { .caches = &plan };
	struct burst_maker maker = burst_maker_begin(path, (struct ccs_cache){ .ways = 8,
									    .sets = 64 });
	struct truth truth = { 0 };
	struct findings *findings;

	for (uint32_t burst = 0; burst < 12; burst++) {
		uint32_t many = burst < 6 ? 6000 : draw(200);

		maker.interval_ns = many;	/* so that each reference weighs as much */
		for (uint32_t i = 0; i < many; i++) {
			references[i] = reference_at_random(i, cache->sets * cache->ways);
			burst_maker_add(&maker, &references[i]);
		}
		burst_maker_end(&maker, 0);
		count(&truth, references, many, cache);
	}
	burst_maker_finish(&maker);
	findings = analyze_recording(path, &options);
	if (!findings)
		exit(1);
	ok(same(findings, &truth), "%u sets of %u ways, lines of %u B, seed %u: all misses and "
	   "their classes", cache->sets, cache->ways, cache->line, SEED);
	findings_free(findings);
	return truth.unknown && truth.misses[0] && truth.first && truth.conflicts[0] &&
	       truth.saved[0] + truth.saved[1];
}

static void test_classes(const char *path)
{
	static const struct cache_geometry caches[] = {
		{ 64, 8, 64, 6 }, { 64, 12, 64, 6 }, { 48, 3, 64, 6 }, { 128, 1, 64, 6 },
		{ 7, 5, 64, 6 },
	};
	struct cache_geometry cache;

	state = SEED;
	for (size_t c = 0; c < sizeof(caches) / sizeof(*caches); c++)
		ok(check_cache(path, &caches[c]), "... there were all of them");
	cache = (struct cache_geometry){ 1, 16, 64, 6 };
	check_cache(path, &cache);
	for (uint32_t i = 0; i < 12; i++) {
		cache.line_bits = 4 + draw(5);
		cache.line = 1u << cache.line_bits;
		cache.sets = 1 + draw(150);
		cache.ways = 1 + draw(20);
		check_cache(path, &cache);
	}
}

/* --- programs --- */

#define SETS		64u
#define WAYS		8u
#define LINES		(SETS * WAYS)
#define BURST		20000u
#define GAP		60000u
#define BURSTS		12u

typedef struct burst_reference (*program)(uint64_t n);

static struct burst_reference load(uint64_t address)
{
	return (struct burst_reference){ 0x1000, address, 8, BURST_LOAD };
}

/* Down the columns of a matrix with rows of 4096 B, 24 rows at a time. */
static struct burst_reference columns(uint64_t n)
{
	return load(n % 24 * 4096 + n / 24 % 512 * 8);
}

static struct burst_reference padded(uint64_t n)
{
	return load(n % 24 * 4160 + n / 24 % 512 * 8);
}

static struct burst_reference random_40k(uint64_t n)
{
	(void)n;
	return load((uint64_t)draw(640) * LINE);
}

static struct burst_reference sweep_36k(uint64_t n)
{
	return load(0x10000 + n * 8 % (36 << 10));
}

static struct burst_reference stores(uint64_t n)
{
	struct burst_reference reference = columns(n);

	reference.kind = BURST_STORE;
	return reference;
}

/* Nine arrays of which the same element is used in turn: one line more than a set has ways. */
static struct burst_reference nine(uint64_t n)
{
	return load(n % 9 * 8192 + n / 9 * 8 % 4096);
}

/* Twelve rows again and again, 300 hits on other lines between two of them. */
static struct burst_reference hits_between(uint64_t n)
{
	return load(n % 300 ? 0x100800 + n % 20 * LINE + n % 300 % 8 : n / 300 % 12 * 4096);
}

static struct burst_reference stream(uint64_t n)
{
	return load(n * 8);
}

static const struct test {
	const char *name;
	program program;
	enum rcd_verdict verdict;
} tests[] = {
	{ "columns of rows of 4096 B", columns, RCD_CONFLICT },
	{ "columns of padded rows", padded, RCD_NONE },
	{ "random look-ups in 40 KiB", random_40k, RCD_NONE },
	{ "a sweep over 36 KiB", sweep_36k, RCD_NONE },
	{ "stores down columns", stores, RCD_CONFLICT },
	{ "nine lines in eight ways", nine, RCD_CONFLICT },
	{ "twelve rows, and 300 hits between two misses", hits_between, RCD_CONFLICT },
	{ "a stream", stream, RCD_NONE },
};

/* The whole run, from where the caches are warm. */
struct whole {
	uint64_t set[SETS][WAYS], shadow[LINES];
	double references, misses, net;
};

static void run_whole(struct whole *whole, const struct burst_reference *reference, uint64_t n)
{
	uint64_t line = reference->address / LINE;
	bool hit = lru_use(whole->set[line % SETS], WAYS, line);
	bool kept = lru_use(whole->shadow, LINES, line);

	if (n < GAP)
		return;
	whole->references++;
	whole->misses += !hit;
	whole->net += kept - hit;
}

static void make_program(const char *path, program program_line, struct whole *whole)
{
	struct burst_maker maker = burst_maker_begin(path, (struct ccs_cache){ .ways = WAYS,
									    .sets = SETS });
	uint64_t n = 0;

	memset(whole, 0xff, sizeof(*whole));
	whole->references = whole->misses = whole->net = 0;
	state = SEED;
	for (uint32_t burst = 0; burst < BURSTS; burst++) {
		uint64_t begin = n + GAP / 2 + draw(GAP), end = begin + BURST;

		for (; n < end; n++) {
			struct burst_reference reference = program_line(n);

			run_whole(whole, &reference, n);
			if (n >= begin)
				burst_maker_add(&maker, &reference);
		}
		burst_maker_end(&maker, 0);
	}
	burst_maker_finish(&maker);
}

static void test_programs(const char *path)
{
	for (size_t i = 0; i < sizeof(tests) / sizeof(*tests); i++) {
		const struct rcd_summary *summary;
		struct findings *findings;
		struct miss_ratio ratio;
		struct whole whole;
		double share, misses;

		make_program(path, tests[i].program, &whole);
		findings = analyze_recording(path, NULL);
		if (!findings || findings->context_count != 1)
			exit(1);
		summary = &context_level(&findings->contexts[0], 1)->summary;
		share = fmax(0, whole.net / whole.misses);
		misses = whole.misses / whole.references;
		ratio = findings_miss_ratio(findings, 1);
		ok(fabs(summary->conflict_share - share) <= 0.05 &&
		   summary->conflict_low <= share &&
		   summary->conflict_high >= share,
		   "%s: conflicts %.3f, shown %.3f (%.3f to %.3f), 32K,8,64", tests[i].name, share,
		   summary->conflict_share, summary->conflict_low, summary->conflict_high);
		ok(fabs(ratio.ratio - misses) <= 0.012 && ratio.low <= ratio.ratio &&
		   ratio.ratio <= ratio.high, "... misses %.4f, shown %.4f (%.4f to %.4f)", misses,
		   ratio.ratio, ratio.low, ratio.high);
		ok(summary->verdict == tests[i].verdict, "... verdict %s: %s",
		   rcd_verdict_name(tests[i].verdict), rcd_verdict_name(summary->verdict));
		findings_free(findings);
	}
}

/* --- another cache --- */

static void test_other_cache(const char *path)
{
	struct hierarchy_plan plan = { .levels = 1 };
	struct analysis_options options = { .caches = &plan };
	struct findings *findings;
	struct whole whole;

	make_program(path, nine, &whole);
	cache_geometry_parse(&plan.level[0].geometry, "48K,12,64");
	findings = analyze_recording(path, &options);
	ok(findings && !findings->samples && findings->bursts.bursts == BURSTS &&
	   findings->caches[0].geometry.ways == 12 && findings->recorded_l1 &&
	   findings->recorded_l1->geometry.ways == 8, "nine lines have room in 48K,12,64");
	if (findings)
		findings_free(findings);
	cache_geometry_parse(&plan.level[0].geometry, "16K,4,64");
	findings = analyze_recording(path, &options);
	ok(findings && findings->context_count &&
	   context_level(&findings->contexts[0], 1)->summary.verdict == RCD_CONFLICT,
	   "and conflict in 16K,4,64");
	if (findings)
		findings_free(findings);
}

/* --- what does not hold together --- */

static void test_bad(const char *path)
{
	struct burst_maker maker = burst_maker_begin(path, (struct ccs_cache){ .ways = WAYS,
									    .sets = SETS });
	struct findings *findings;

	for (uint32_t burst = 0; burst < 5; burst++) {
		for (uint32_t n = 0; n < 10000; n++) {
			struct burst_reference reference = columns(n);

			if (burst == 3 && n == 5000)
				reference.size = 1 << 20;
			burst_maker_add(&maker, &reference);
		}
		maker.references += burst == 2;		/* one that is not there */
		burst_maker_end(&maker, burst == 1 ? 16 : 0);
	}
	burst_maker_finish(&maker);
	findings = analyze_recording(path, NULL);
	ok(findings && findings->bursts.bursts == 2 && findings->bursts.bad == 3,
	   "bytes that are missing, references that are, a reference of 1 MiB: bursts left out");
	ok(findings && findings->remark_count, "... and a line says so");
	if (findings)
		findings_free(findings);
}

static void test_none(const char *path)
{
	struct burst_maker maker = burst_maker_begin(path, (struct ccs_cache){ .ways = WAYS,
									    .sets = SETS });
	struct findings *findings;

	burst_maker_finish(&maker);
	findings = analyze_recording(path, NULL);
	ok(findings && findings->event_count == 1 && findings->events[0].level == 1 &&
	   isnan(findings_miss_ratio(findings, 1).ratio), "a recording without a burst");
	if (findings)
		findings_free(findings);
}

static void test_samples(const char *path)
{
	struct hierarchy_plan plan = { .levels = 1 };
	struct analysis_options options = { .caches = &plan };
	struct recording_writer *writer = recording_create(path);

	if (!writer)
		exit(1);
	make_cache(writer, (struct ccs_cache){ .level = 1, .ways = WAYS, .sets = SETS });
	make_event(writer, (struct ccs_event){
		.id = 7, .level = 1, .period = 1212, .burst = 1024, .name = "l1-miss" });
	recording_finish(writer, 1);
	cache_geometry_parse(&plan.level[0].geometry, "48K,12,64");
	ok(!analyze_recording(path, &options), "samples are not asked for another cache");
}

/* Two recordings of one kind add up. */
static void test_two(const char *path, const char *other)
{
	const char *const names[] = { path, other };
	struct findings *findings;
	struct whole whole;

	make_program(path, columns, &whole);
	make_program(other, columns, &whole);
	findings = analyze_recordings(names, 2, NULL);
	ok(findings && findings->bursts.bursts == 2 * BURSTS && findings->event_count == 1 &&
	   findings->events[0].bursts == 2 * BURSTS &&
	   context_level(&findings->contexts[0], 1)->summary.verdict == RCD_CONFLICT,
	   "two recordings add up");
	if (findings)
		findings_free(findings);
}

/* --- ticks --- */

/* Ten bursts that only miss, and ten that only hit; the timer met the former's code once in ten. */
static void test_met(const char *path, bool noted)
{
	struct burst_maker maker = burst_maker_begin(path, (struct ccs_cache){ .ways = WAYS,
									    .sets = SETS });
	struct findings *findings;
	struct miss_ratio ratio;

	for (uint32_t burst = 0; burst < 20; burst++) {
		bool misses = burst % 2;

		for (uint64_t n = 0; n < 2000; n++) {
			struct burst_reference reference = misses ? columns(n) : load(0);

			burst_maker_add(&maker, &reference);
		}
		for (size_t n = 0; n < 10; n++)
			maker.met[n] = n == (misses ? 9 : 0) ? 0x7000 : 0x5000;
		maker.met_count = noted ? 10 : 0;
		burst_maker_end(&maker, 0);
	}
	burst_maker_finish(&maker);
	findings = analyze_recording(path, NULL);
	if (!findings)
		exit(1);
	ratio = findings_miss_ratio(findings, 1);
	ok(fabs(ratio.ratio - (noted ? 0.1 : 0.5)) < 0.02 && ratio.low < ratio.ratio &&
	   ratio.ratio < ratio.high, "half of the bursts miss, %s: %.4f (%.4f to %.4f)",
	   noted ? "in code that a tenth of the ticks met" : "no ticks", ratio.ratio, ratio.low,
	   ratio.high);
	findings_free(findings);
}

/* --- what is unknown --- */

/*
 * Nine lines of one set in turn, and every other reference to a line that was never used: in bursts
 * too short to fill the cache nearly all misses that are certain are conflicts, of all misses in
 * fact they are a twelfth.
 */
static void test_unknown(const char *path)
{
	struct burst_maker maker = burst_maker_begin(path, (struct ccs_cache){ .ways = WAYS,
									    .sets = SETS });
	const struct rcd_summary *summary;
	struct findings *findings;
	uint64_t fresh = 1 << 20;
	const char *text;

	for (uint32_t burst = 0; burst < 40; burst++) {
		for (uint64_t n = 0; n < 400; n++) {
			uint64_t line = n % 25 ? 64 * (1 + n % 2) : n / 25 % 9 * SETS;
			struct burst_reference reference;

			if (n % 2 && n % 25)
				line = ++fresh % SETS ? fresh : ++fresh;
			reference = load(line * LINE);
			burst_maker_add(&maker, &reference);
		}
		burst_maker_end(&maker, 0);
	}
	burst_maker_finish(&maker);
	findings = analyze_recording(path, NULL);
	if (!findings)
		exit(1);
	summary = &context_level(&findings->contexts[0], 1)->summary;
	ok(summary->samples >= 40 && summary->verdict != RCD_CONFLICT &&
	   summary->conflict_low <= 1.0 / 12,
	   "%lu misses are certain, most of them conflicts, and more references unknown: %s, "
	   "%.2f (%.2f to %.2f)", (unsigned long)summary->samples,
	   rcd_verdict_name(summary->verdict), summary->conflict_share, summary->conflict_low,
	   summary->conflict_high);
	text = findings->remark_count ? findings->remarks[0].text : "";
	ok(strstr(text, "what L1 held before each burst is unknown") && strstr(text, "100% of"),
	   "... which a remark says: %s", text);
	findings_free(findings);
}

/* What the recording had already is not advised. */
static void test_more(void)
{
	const struct {
		uint64_t bursts, passed;
		char *overhead;
		const char *words;
	} cases[] = {
		{ 2, 0, "20%", "a longer run (a second or more), or record --source engine," },
		{ 3, 0, NULL, "a longer run, or record --overhead 20%," },
		{ 3, 0, "19.5%", "a longer run, or record --overhead 20%," },
		{ 3, 0, "20%", "a longer run" },
		{ 300, 300, "50%", "--all-bursts, or a longer run," },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct findings findings = {
			.overhead = cases[i].overhead,
			.bursts = { .bursts = cases[i].bursts, .passed = cases[i].passed },
		};
		const char *words = findings_more_bursts(&findings);

		ok(!strcmp(words, cases[i].words), "more than %lu bursts, %lu not read, at %s: %s",
		   (unsigned long)cases[i].bursts, (unsigned long)cases[i].passed,
		   cases[i].overhead ? cases[i].overhead : "2%", words);
	}
}

int main(void)
{
	const char *path, *other;

	fixture_begin();
	path = fixture_path("bursts.ccs");
	other = fixture_path("other.ccs");
	test_classes(path);
	test_programs(path);
	test_other_cache(path);
	test_bad(path);
	test_none(path);
	test_samples(path);
	test_two(path, other);
	test_met(path, false);
	test_met(path, true);
	test_unknown(path);
	test_more();
	return done();
}
