// SPDX-License-Identifier: GPL-2.0-only
/* One pass over recordings made up here: contexts, shares, set maps, standard input. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/findings.h"
#include "data/recording.h"
#include "fixture.h"
#include "recording-maker.h"
#include "tap.h"

#define SETS	64
#define SAMPLES	300	/* of a burst */
#define BURSTS	10

/* A third of the samples, by one instruction, on set 5; the rest, by another, on all sets. */
static void write_burst(struct recording_writer *writer, uint64_t number)
{
	static union {
		struct ccs_samples stretch;
		uint8_t bytes[sizeof(struct ccs_samples) + SAMPLES * sizeof(struct ccs_sample)];
	} burst;
	struct ccs_sample *samples = (struct ccs_sample *)(&burst.stretch + 1);

	make_header(&burst.stretch.record, sizeof(burst), CCS_SAMPLES);
	burst.stretch.event = 7;
	burst.stretch.flags = CCS_STRETCH_BURST;
	burst.stretch.events = SAMPLES;
	burst.stretch.fills = SAMPLES;
	burst.stretch.count = SAMPLES;
	burst.stretch.sample_size = sizeof(*samples);
	for (uint64_t i = 0; i < SAMPLES; i++) {
		bool few = i % 3 == 0;
		uint64_t line = few ? (i / 3 % 12) * SETS + 5 : 100000 + number * SAMPLES + i;

		samples[i].time = number * 1000 + i;
		samples[i].ip = few ? 0x2000 : 0x1000;
		samples[i].address = line * 64;
		samples[i].physical = CCS_UNKNOWN;
	}
	recording_write(writer, &burst.stretch.record);
}

static void write_recording(const char *path)
{
	struct recording_writer *writer = recording_create(path);

	if (!writer)
		exit(1);
	make_cache(writer, (struct ccs_cache){ .level = 1, .ways = 8, .sets = SETS });
	make_event(writer, (struct ccs_event){
		.id = 7, .level = 1, .period = 1212, .burst = SAMPLES, .name = "l1-miss" });
	for (uint64_t i = 0; i < BURSTS; i++)
		write_burst(writer, i);
	if (recording_finish(writer, 1))
		exit(1);
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
	struct findings *findings = analyze_recording(path, NULL);
	const struct context *most, *few;

	ok(findings && findings->context_count == 2 && findings->samples == SAMPLES * BURSTS,
	   "two contexts");
	if (!findings)
		return;
	most = &findings->contexts[0];
	few = &findings->contexts[1];
	ok(most->id == 1 && most->samples == 2 * SAMPLES * BURSTS / 3 && few->id == 2 &&
	   few->samples == SAMPLES * BURSTS / 3, "most samples first");
	ok(few->levels[0].summary.sets_used == 1 && few->levels[0].summary.verdict == RCD_CONFLICT &&
	   most->levels[0].summary.verdict != RCD_CONFLICT, "twelve lines on a set conflict");
	ok(few->levels[0].cdf_points == 1 && few->levels[0].cdf[0].rcd == 1 &&
	   few->levels[0].cdf[0].share == 1, "all distances of the one set are 1");
	ok(map_total(&findings->map, 5) >= SAMPLES * BURSTS / 3, "the map has them all");
	findings_free(findings);
}

static void test_map_of_context(const char *path)
{
	struct analysis_options options = { .map_context = 2 };
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
	struct analysis_options options = { .map_context = 2 };
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

int main(void)
{
	const char *path;

	fixture_begin();
	path = fixture_path("recording");
	write_recording(path);
	test_contexts(path);
	test_map_of_context(path);
	test_standard_input(path);
	return done();
}
