// SPDX-License-Identifier: GPL-2.0-only
/* One pass over recordings made up here: contexts, shares, set maps, standard input. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "findings/findings.h"
#include "format/recording.h"
#include "fixture.h"
#include "recording-maker.h"
#include "tap.h"

#define SETS	64
#define SAMPLES	300	/* of a burst */
#define BURSTS	10
#define THREADS	200
#define TURN	36	/* samples in which each of the lines on set 5 misses once */

/*
 * Samples of a burst from one on. A third of all, by one instruction, on set 5; the rest, by
 * another, on all sets.
 */
static void write_batch(struct recording_writer *writer, uint64_t number, uint64_t from,
			  uint32_t count, uint32_t flags)
{
	static union {
		struct ccs_samples batch;
		uint8_t bytes[sizeof(struct ccs_samples) + SAMPLES * sizeof(struct ccs_sample)];
	} burst;
	struct ccs_sample *samples = (struct ccs_sample *)(&burst.batch + 1);

	make_header(&burst.batch.record,
		    sizeof(burst.batch) + count * sizeof(struct ccs_sample), CCS_SAMPLES);
	burst.batch.event = 7;
	burst.batch.flags = CCS_BATCH_BURST | flags;
	burst.batch.events = count;
	burst.batch.fills = count;
	burst.batch.count = count;
	burst.batch.sample_size = sizeof(*samples);
	for (uint64_t i = from; i < from + count; i++, samples++) {
		bool few = i % 3 == 0;
		uint64_t line = few ? (i / 3 % 12) * SETS + 5 : 100000 + number * SAMPLES + i;

		samples->time = number * 1000 + i;
		samples->ip = few ? 0x2000 : 0x1000;
		samples->address = line * 64;
		samples->physical = CCS_UNKNOWN;
	}
	recording_write(writer, &burst.batch.record);
}

/* @part: samples of a batch, @flags: of those that do not begin the burst */
static void write_recording(const char *path, uint32_t part, uint32_t flags)
{
	struct recording_writer *writer = recording_create(path);

	if (!writer)
		exit(1);
	make_cache(writer, (struct ccs_cache){ .level = 1, .ways = 8, .sets = SETS });
	make_event(writer, (struct ccs_event){
		.id = 7, .level = 1, .period = 1212, .burst = SAMPLES, .name = "l1-miss" });
	for (uint64_t i = 0; i < BURSTS; i++)
		for (uint32_t at = 0; at < SAMPLES; at += part)
			write_batch(writer, i, at, part < SAMPLES - at ? part : SAMPLES - at,
				      at ? flags : 0);
	if (recording_finish(writer, 1))
		exit(1);
}

/* Misses of loads and of stores, sampled apart; only those of loads were counted. */
static void test_apart(const char *path)
{
	struct recording_writer *writer = recording_create(path);
	struct {
		struct ccs_samples batch;
		struct ccs_sample sample;
	} one;
	struct ccs_counts counts;
	struct findings *findings;

	if (!writer)
		exit(1);
	make_cache(writer, (struct ccs_cache){ .level = 1, .ways = 8, .sets = SETS });
	make_event(writer, (struct ccs_event){ .id = 7, .level = 1, .period = 51, .burst = SAMPLES, .name = "l1-miss" });
	make_event(writer, (struct ccs_event){ .id = 8, .level = 1, .period = 51, .burst = SAMPLES,
		.flags = CCS_EVENT_STORES | CCS_EVENT_NO_LOADS, .name = "l1-store-miss" });
	for (uint32_t event = 7; event <= 8; event++) {
		make_header(&one.batch.record, sizeof(one), CCS_SAMPLES);
		one.batch.event = event;
		one.batch.flags = CCS_BATCH_BURST;
		one.batch.events = one.batch.count = 1;
		one.batch.gap = event == 7 ? 900 : CCS_UNKNOWN;
		one.batch.fills = CCS_UNKNOWN;
		one.batch.sample_size = sizeof(one.sample);
		one.sample = (struct ccs_sample){ .ip = 0x1000, .address = 64, .physical = CCS_UNKNOWN };
		recording_write(writer, &one.batch.record);
	}
	make_header(&counts.record, sizeof(counts), CCS_COUNTS);
	counts.loads = counts.stores = 100000;
	counts.load_misses = 70000;
	recording_write(writer, &counts.record);
	if (recording_finish(writer, 1))
		exit(1);
	findings = analyze_recording(path, NULL);
	ok(findings && findings->event_count == 2 && findings->events[0].events == 70000 &&
	   findings->events[0].samples == 1, "misses of loads were counted");
	ok(findings && findings->events[1].events == 0 && findings->events[1].samples == 1,
	   "how many stores missed is unknown: they are no loads (%llu)",
	   (unsigned long long)(findings ? findings->events[1].events : 1));
	findings_free(findings);
}

/*
 * Batches of single misses of a period that adapts; how many lie between is unknown.
 * @tids: of so many threads in turns, whose periods stand before the batches of all
 */
static void write_adapted(const char *path, const uint64_t *periods, size_t count,
			  const uint32_t *tids, size_t threads)
{
	struct recording_writer *writer = recording_create(path);
	struct ccs_accesses_period accesses;
	struct {
		struct ccs_samples batch;
		struct ccs_sample sample;
	} one;

	if (!writer)
		exit(1);
	make_cache(writer, (struct ccs_cache){ .level = 1, .ways = 8, .sets = SETS });
	make_event(writer, (struct ccs_event){ .id = 7, .level = 1, .burst = SAMPLES,
		.flags = CCS_EVENT_STORES | CCS_EVENT_NO_LOADS, .name = "l1-store-miss" });
	make_header(&accesses.accesses.record, sizeof(accesses), CCS_ACCESSES);
	make_header(&one.batch.record, sizeof(one), CCS_SAMPLES);
	one.batch.event = 7;
	one.batch.flags = CCS_BATCH_BURST;
	one.batch.events = one.batch.count = 1;
	one.batch.gap = CCS_UNKNOWN;
	one.batch.fills = CCS_UNKNOWN;
	one.batch.sample_size = sizeof(one.sample);
	one.sample = (struct ccs_sample){ .ip = 0x1000, .address = 64, .physical = CCS_UNKNOWN };
	for (size_t i = 0; i < count; i += threads) {
		for (size_t t = 0; t < threads; t++) {
			accesses.period = periods[i + t];
			accesses.accesses.record.tid = tids[t];
			recording_write(writer, &accesses.accesses.record);
		}
		for (size_t t = 0; t < threads; t++) {
			one.batch.record.tid = tids[t];
			recording_write(writer, &one.batch.record);
		}
	}
	if (recording_finish(writer, 1))
		exit(1);
}

static uint64_t period_of(const char *path)
{
	struct findings *findings = analyze_recording(path, NULL);
	uint64_t period = findings && findings->event_count == 1 ? findings->events[0].period : 0;

	findings_free(findings);
	return period;
}

/* The gaps of stores' misses are unknown: what a sample stands for is not. */
static void test_adapted(const char *path)
{
	static const uint64_t periods[] = { 4, 40, 100, 200 };
	uint64_t period, same[THREADS], seed = 20261127;
	uint32_t tids[THREADS];

	write_adapted(path, periods, 4, (const uint32_t[]){ 1 }, 1);
	period = period_of(path);
	ok(period == 86, "samples of periods that adapt stand for 86 misses on average (%llu)",
	   (unsigned long long)period);
	for (size_t i = 0; i < THREADS; i++) {
		tids[i] = random_below(&seed, 100000);
		same[i] = 100;
	}
	write_adapted(path, same, THREADS, tids, THREADS);
	period = period_of(path);
	ok(period == 100, "... also where the batches of %d threads come later (%llu)", THREADS,
	   (unsigned long long)period);
}

/* Samples of the misses of two instructions, as many of either, and what was counted of each. */
static void write_counted(const char *path, uint64_t first, uint64_t second)
{
	struct recording_writer *writer = recording_create(path);
	struct {
		struct ccs_samples batch;
		struct ccs_sample samples[100];
	} burst;
	struct {
		struct ccs_class_counts head;
		struct ccs_class_count counts[2];
	} counts;

	if (!writer)
		exit(1);
	make_cache(writer, (struct ccs_cache){ .level = 1, .ways = 8, .sets = SETS });
	make_event(writer, (struct ccs_event){ .id = 7, .level = 1, .period = 100, .burst = 100,
		.flags = CCS_EVENT_CLASSES, .name = "l1-miss" });
	make_header(&burst.batch.record, sizeof(burst), CCS_SAMPLES);
	burst.batch.event = 7;
	burst.batch.flags = CCS_BATCH_BURST | CCS_BATCH_COUNTED;
	burst.batch.events = burst.batch.fills = burst.batch.count = 100;
	burst.batch.sample_size = sizeof(*burst.samples);
	for (uint32_t i = 0; i < 100; i++)
		burst.samples[i] = (struct ccs_sample){
			.ip = 0x1000 + i % 2 * 0x1000, .address = 64 * i, .physical = CCS_UNKNOWN,
			.flags = CCS_SAMPLE_LOAD | CCS_CLASS_COLD << CCS_SAMPLE_CLASS_SHIFT,
		};
	recording_write(writer, &burst.batch.record);
	make_header(&counts.head.record, sizeof(counts), CCS_CLASS_COUNTS);
	counts.head.event = 7;
	counts.head.count = 2;
	counts.counts[0] = (struct ccs_class_count){ 0x1000, first, 0, 0 };
	counts.counts[1] = (struct ccs_class_count){ 0x2000, second, 0, 0 };
	recording_write(writer, &counts.head.record);
	if (recording_finish(writer, 1))
		exit(1);
}

/* The misses of the second instruction that its share of conflicts was counted of. */
static uint64_t counted_of_second(const char *path)
{
	struct findings *findings = analyze_recording(path, NULL);
	uint64_t counted = UINT64_MAX;

	for (size_t i = 0; findings && i < findings->context_count; i++)
		if (findings->contexts[i].region.address == 0x2000)
			counted = findings->contexts[i].levels[0].summary.counted;
	findings_free(findings);
	return counted;
}

/* The samples of each stand for 5,000 misses: one of them missed less, and that is no loss. */
static void test_counted(const char *path)
{
	uint64_t counted;

	write_counted(path, 9000, 1000);
	counted = counted_of_second(path);
	ok(counted == 1000, "counts hold where samples stand for too much: of %llu misses",
	   (unsigned long long)counted);
	write_counted(path, 1000, 1000);
	counted = counted_of_second(path);
	ok(counted == 0, "most counts were lost: of %llu misses", (unsigned long long)counted);
}

static uint64_t map_total(const struct set_map *map, uint32_t set)
{
	uint64_t total = 0;

	for (uint32_t row = 0; row < map->rows; row++)
		total += map->counts[row * map->sets + set];
	return total;
}

static void test_contexts(const char *path)
{
	const struct analysis_options options = { .map = true };
	struct findings *findings = analyze_recording(path, &options);
	const struct context *most, *few;

	ok(findings && findings->context_count == 2 && findings->samples == SAMPLES * BURSTS,
	   "two contexts");
	if (!findings)
		return;
	most = &findings->contexts[0];
	few = &findings->contexts[1];
	ok(most->region.id == 1 && most->samples == 2 * SAMPLES * BURSTS / 3 &&
	   few->region.id == 2 && few->samples == SAMPLES * BURSTS / 3, "most samples first");
	ok(few->levels[0].summary.sets_used == 1 &&
	   few->levels[0].summary.verdict == RCD_CONFLICT &&
	   most->levels[0].summary.verdict != RCD_CONFLICT, "twelve lines on a set conflict");
	ok(few->levels[0].cdf_points == 1 && few->levels[0].cdf[0].rcd == 1 &&
	   few->levels[0].cdf[0].share == 1, "all distances of the one set are 1");
	ok(map_total(&findings->map, 5) >= SAMPLES * BURSTS / 3, "the map has them all");
	findings_free(findings);
}

static void test_map_of_context(const char *path)
{
	struct analysis_options options = { .map = true, .map_context = 2 };
	struct findings *findings = analyze_recording(path, &options);

	ok(findings && map_total(&findings->map, 5) == SAMPLES * BURSTS / 3 &&
	   !map_total(&findings->map, 6), "the map of one context");
	if (findings)
		findings_free(findings);
	options.map_context = 3;
	ok(!analyze_recording(path, &options), "an unknown context is refused");
}

/* Standard input is read once: the map of one context would need it twice. */
static void test_standard_input(const char *path)
{
	struct analysis_options options = { .map = true, .map_context = 2 };
	int file = open(path, O_RDONLY);
	struct findings *findings;

	if (file < 0 || dup2(file, 0) < 0)
		exit(1);
	close(file);
	ok(!analyze_recording("-", &options), "the map of one context takes no standard input");
	findings = analyze_recording("-", NULL);
	ok(findings && findings->samples == SAMPLES * BURSTS, "a report does");
	if (findings)
		findings_free(findings);
}

/*
 * Bursts in parts: where nothing came between, they are the same bursts; cut, no line misses again.
 */
static void test_parts(const char *path, const char *cut)
{
	struct findings *whole = analyze_recording(path, NULL), *findings;
	const struct context *few;

	write_recording(cut, TURN, CCS_BATCH_CONTINUES);
	findings = analyze_recording(cut, NULL);
	if (!whole || !findings)
		exit(1);
	few = &findings->contexts[1];
	ok(findings->events[0].bursts == BURSTS && !findings->events[0].cuts &&
	   few->levels[0].re_misses == whole->contexts[1].levels[0].re_misses &&
	   few->levels[0].summary.conflict_share ==
	   whole->contexts[1].levels[0].summary.conflict_share &&
	   few->levels[0].summary.verdict == RCD_CONFLICT, "bursts in batches that go on");
	findings_free(findings);
	write_recording(cut, TURN, CCS_BATCH_CONTINUES | CCS_BATCH_CUT);
	findings = analyze_recording(cut, NULL);
	if (!findings)
		exit(1);
	few = &findings->contexts[1];
	ok(findings->events[0].bursts == BURSTS &&
	   findings->events[0].samples == SAMPLES * BURSTS &&
	   findings->events[0].cuts == (SAMPLES - 1) / TURN * BURSTS,
	   "the same, cut: %llu times", (unsigned long long)findings->events[0].cuts);
	ok(few->levels[0].re_misses == 0 && few->levels[0].summary.conflict_share == 0 &&
	   few->levels[0].summary.verdict != RCD_CONFLICT,
	   "... each time before any line misses again");
	findings_free(findings);
	findings_free(whole);
}

int main(void)
{
	const char *path;

	fixture_begin();
	path = fixture_path("recording");
	write_recording(path, SAMPLES, 0);
	test_contexts(path);
	test_map_of_context(path);
	test_parts(path, fixture_path("cut"));
	test_standard_input(path);
	test_apart(fixture_path("apart"));
	test_adapted(fixture_path("apart"));
	test_counted(fixture_path("counted"));
	return done();
}
