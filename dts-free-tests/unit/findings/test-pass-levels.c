// SPDX-License-Identifier: GPL-2.0-only
/*
 * Recordings of L1 and of a sliced L3, made up here: sets by physical address
 * and slice, levels kept apart, what has no place counted, the weighted null.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "findings/findings.h"
#include "format/recording.h"
#include "fixture.h"
#include "recording-maker.h"
#include "draw.h"
#include "tap.h"

#define SETS	32u	/* of a slice of L3 */
#define WAYS	4u
#define BURST	900u
#define BURSTS	8u
#define LINES	12u	/* that fight for one set */

static const struct slice_hash *hash;
static uint64_t rivals[LINES];	/* addresses of one set of one slice */
static uint64_t state = 88172645463325252ull;

static void write_counts(struct recording_writer *writer, uint64_t misses)
{
	struct ccs_level_counts counts;

	make_header(&counts.record, sizeof(counts), CCS_LEVEL_COUNTS);
	counts.level = 3;
	counts.load_misses = misses;
	counts.unresolved = 5;
	recording_write(writer, &counts.record);
}

/*
 * Every third sample, at 0x2000, conflicts in one set by physical address; the
 * others lie anywhere. Virtual addresses are all of one set of L1.
 */
static void write_burst(struct recording_writer *writer, uint32_t event, uint64_t number)
{
	static union {
		struct ccs_samples batch;
		uint8_t bytes[sizeof(struct ccs_samples) + BURST * sizeof(struct ccs_sample)];
	} burst;
	struct ccs_sample *samples = (struct ccs_sample *)(&burst.batch + 1);

	make_header(&burst.batch.record, sizeof(burst), CCS_SAMPLES);
	burst.batch.event = event;
	burst.batch.flags = CCS_BATCH_BURST;
	burst.batch.events = BURST;
	burst.batch.fills = BURST;
	burst.batch.count = BURST;
	burst.batch.sample_size = sizeof(*samples);
	for (uint64_t i = 0; i < BURST; i++) {
		bool conflicts = i % 3 == 0;

		samples[i].time = number * 1000 + i;
		samples[i].ip = conflicts ? 0x2000 : 0x1000;
		samples[i].address = i << 20;
		samples[i].physical = conflicts ? rivals[i / 3 % LINES] : draw(1ull << 38);
	}
	if (event == 3) {
		samples[1].physical = CCS_UNKNOWN;
		samples[2].physical = 1ull << 38;	/* beyond what the hash knows */
	}
	recording_write(writer, &burst.batch.record);
}

static void write_recording(const char *path, const char *hash_name)
{
	bool known = hash_name && !strcmp(hash_name, "client-6");
	const char *cores = known ? "cpu_core 0, cpu_atom 1 (caches of CPU 0)" : "cpu_core 0,2";
	struct recording_writer *writer = recording_create(path);

	if (!writer)
		exit(1);
	recording_meta(writer, "pages", "random:9", 8);
	recording_meta(writer, "lab.cores", cores, strlen(cores));
	if (hash_name)
		recording_meta(writer, "L3.hash", hash_name, strlen(hash_name));
	make_cache(writer, (struct ccs_cache){ .level = 1, .ways = WAYS, .sets = 64 });
	make_cache(writer, (struct ccs_cache){
		.level = 3, .ways = WAYS, .sets = SETS, .slices = hash->slices,
		.flags = CCS_CACHE_PHYSICAL });
	make_event(writer, (struct ccs_event){
		.id = 1, .level = 1, .period = 100, .burst = BURST, .name = "l1-miss" });
	make_event(writer, (struct ccs_event){
		.id = 3, .level = 3, .period = 100, .burst = BURST, .name = "l3-miss" });
	recording_meta(writer, "uncounted", "l1-mis,l3-miss", 14);
	recording_meta(writer, "no-accesses", "l1-miss,l3-miss,", 16);
	for (uint64_t i = 0; i < BURSTS; i++) {
		write_burst(writer, 3, 2 * i);
		write_burst(writer, 1, 2 * i + 1);
	}
	write_counts(writer, 7);
	write_counts(writer, 70000);
	if (recording_finish(writer, 1))
		exit(1);
}

static const struct context *context_at(const struct findings *findings, uint64_t ip)
{
	for (size_t i = 0; i < findings->context_count; i++)
		if (findings->contexts[i].region.address == ip)
			return &findings->contexts[i];
	return NULL;
}

static bool remarked(const struct findings *findings, const char *text)
{
	for (size_t i = 0; i < findings->remark_count; i++)
		if (strstr(findings->remarks[i].text, text))
			return true;
	return false;
}

static void check_levels(const char *path)
{
	struct findings *findings = analyze_recording(path, NULL);
	const struct context *conflicts, *wanders;
	const struct level_findings *l1, *l3, *far;
	double shares[SLICES_MAX];

	ok(findings && findings->context_count == 2, "two contexts");
	if (!findings)
		return;
	conflicts = context_at(findings, 0x2000);
	wanders = context_at(findings, 0x1000);
	l1 = context_level(conflicts, 1);
	l3 = context_level(conflicts, 3);
	far = context_level(wanders, 3);
	ok(l1 && l3 && l1->samples == BURST * BURSTS / 3 && l3->samples == BURST * BURSTS / 3,
	   "samples of each level for itself");
	ok(l1->summary.sets_used == 1, "L1: sets by virtual address");
	ok(l3->summary.sets_used == 1 && l3->summary.verdict == RCD_CONFLICT &&
	   l3->cdf_points == 1 && l3->cdf[0].rcd == 1,
	   "L3: sets by slice and physical address; %u lines on one conflict", LINES);
	ok(far->summary.sets_used == SETS * hash->slices, "and %u sets in all",
	   SETS * hash->slices);
	ok(far->summary.verdict != RCD_CONFLICT && far->summary.p_value > 1e-4,
	   "lines anywhere are no conflict (p %.3f)", far->summary.p_value);
	slice_shares(hash, shares);
	ok(fabs(far->summary.expected_cf -
		rcd_null_sliced(SETS, hash->slices, shares, WAYS)) < 1e-3,
	   "expected cf by the slices' shares: %.5f", far->summary.expected_cf);
	ok(findings->events[1].unresolved == 2 * BURSTS && !findings->events[0].unresolved,
	   "without a physical address, or a known slice: unresolved");
	ok(findings->outer[1].known && findings->outer[1].load_misses == 70000 &&
	   findings->outer[1].unresolved == 5 && !findings->outer[0].known,
	   "the last counts of a level hold");
	ok(remarked(findings, "16 samples have no known set") &&
	   remarked(findings, "5 accesses to L3 have no known set"), "both losses are reported");
	ok(!findings->events[0].uncounted && findings->events[1].uncounted &&
	   remarked(findings, "no counter was left for l3-miss;") &&
	   remarked(findings, "no counter was left for those of l1-miss, l3-miss;"),
	   "what no counter was left for is reported");
	ok(remarked(findings, "several kinds, with other sets: cpu_core 0, cpu_atom 1 (caches of"),
	   "caches that are other cores', too, are reported");
	ok(findings->pages && !strcmp(findings->pages, "random:9"), "the page assumption is kept");
	findings_free(findings);
}

/* Slices that nobody knows how to choose: nothing is guessed. */
static void check_unknown(const char *path, const char *what)
{
	struct findings *findings = analyze_recording(path, NULL);

	ok(findings && !context_level(context_at(findings, 0x2000), 3) &&
	   findings->events[1].unresolved == BURST * BURSTS, "%s: L3 is not analysed", what);
	ok(remarked(findings, "it is not published how this L3 chooses"), "%s: and reported", what);
	ok(!remarked(findings, "several kinds"), "%s: cores of one kind are not", what);
	findings_free(findings);
}

static void check_shares(void)
{
	double shares[SLICES_MAX], sum;
	uint32_t place, i, counted[SLICES_MAX];

	for (place = 0; (hash = slice_hash_at(place)); place++) {
		double worst = 0;

		memset(counted, 0, sizeof(counted));
		slice_shares(hash, shares);
		for (i = 0; i < 400000; i++)
			counted[slice_of(hash, draw(1ull << 32) << 6)]++;
		for (sum = 0, i = 0; i < hash->slices; i++) {
			sum += shares[i];
			worst = fmax(worst, fabs(counted[i] / 400000.0 - shares[i]));
		}
		/* Four standard errors of a share of a half. */
		ok(fabs(sum - 1) < 1e-12 && worst < 4 * 0.5 / sqrt(400000),
		   "%s: slices' shares are those of random addresses (%.5f off)", hash->name,
		   worst);
	}
}

int main(void)
{
	uint64_t address;
	uint32_t found = 0;

	fixture_begin();
	check_shares();
	hash = slice_hash_named("client-6");
	for (address = 7 * 64; found < LINES; address += SETS * 64)
		if (slice_of(hash, address) == 4)
			rivals[found++] = address;
	write_recording(fixture_path("levels.ccs"), "client-6");
	check_levels(fixture_path("levels.ccs"));
	write_recording(fixture_path("none.ccs"), NULL);
	check_unknown(fixture_path("none.ccs"), "no hash");
	write_recording(fixture_path("odd.ccs"), "client-10");
	check_unknown(fixture_path("odd.ccs"), "a hash of another number of slices");
	return done();
}
