// SPDX-License-Identifier: GPL-2.0-only
/* What loaders do is left out where that is asked for, and known: samples and totals of each level. */
#include <stdlib.h>
#include <string.h>

#include "findings/findings.h"
#include "format/recording.h"
#include "fixture.h"
#include "recording-maker.h"
#include "tap.h"

#define LOADER	10u	/* samples, at 0x1000 */
#define OWN	20u	/* at 0x2000 */
#define CHILD	7u	/* of a fork's, at 0x3000 */

static void write_process(struct recording_writer *writer, uint32_t process, uint32_t cause)
{
	struct ccs_process record;

	make_header(&record.record, sizeof(record), CCS_PROCESS);
	record.record.process = process;
	record.pid = 100 + process;
	record.cause = cause;
	recording_write(writer, &record.record);
}

static void write_samples(struct recording_writer *writer, uint32_t process, uint64_t ip, uint32_t count)
{
	static union {
		struct ccs_samples batch;
		uint8_t bytes[sizeof(struct ccs_samples) + OWN * sizeof(struct ccs_sample)];
	} made;
	struct ccs_sample *samples = (struct ccs_sample *)(&made.batch + 1);

	make_header(&made.batch.record, sizeof(made.batch) + count * sizeof(*samples), CCS_SAMPLES);
	made.batch.record.process = process;
	made.batch.event = 1;
	made.batch.events = made.batch.fills = made.batch.count = count;
	made.batch.sample_size = sizeof(*samples);
	for (uint32_t i = 0; i < count; i++)
		samples[i] = (struct ccs_sample){ .time = i, .ip = ip, .address = i * 4096 };
	recording_write(writer, &made.batch.record);
}

static void write_counts(struct recording_writer *writer, uint32_t process, uint64_t loads, uint64_t stores)
{
	struct ccs_counts counts;
	struct ccs_level_counts outer;

	make_header(&counts.record, sizeof(counts), CCS_COUNTS);
	counts.record.process = process;
	counts.instructions = counts.loads = counts.stores = 1000;
	counts.load_misses = loads;
	counts.store_misses = stores;
	recording_write(writer, &counts.record);
	make_header(&outer.record, sizeof(outer), CCS_LEVEL_COUNTS);
	outer.record.process = process;
	outer.level = 2;
	outer.load_misses = loads / 2;
	recording_write(writer, &outer.record);
}

/* @told: it says that images have entries. @before: load misses up to that of the first one */
static void write_recording(const char *path, bool told, uint64_t before)
{
	struct recording_writer *writer = recording_create(path);
	struct ccs_entry entry;

	if (!writer)
		exit(1);
	if (told)
		recording_meta(writer, "entries", "yes", 3);
	make_cache(writer, (struct ccs_cache){ .level = 1, .ways = 8, .sets = 64 });
	make_event(writer, (struct ccs_event){ .id = 1, .level = 1, .period = 1, .burst = 1, .name = "l1-miss" });
	write_process(writer, 1, CCS_PROCESS_START);
	write_samples(writer, 1, 0x1000, LOADER);
	make_header(&entry.record, sizeof(entry), CCS_ENTRY);
	entry.instructions = entry.loads = entry.stores = 400;
	entry.load_misses[0] = before;
	entry.load_misses[1] = 3;
	entry.store_misses[0] = 2;
	recording_write(writer, &entry.record);
	write_samples(writer, 1, 0x2000, OWN);
	write_process(writer, 2, CCS_PROCESS_FORK);
	write_samples(writer, 2, 0x3000, CHILD);
	write_counts(writer, 1, LOADER + OWN, 5);
	write_counts(writer, 2, CHILD, 1);
	if (recording_finish(writer, 1))
		exit(1);
}

static void check_recording(const char *path, bool from_entry, uint64_t samples, uint64_t loads, uint64_t stores,
			    uint64_t outer, uint64_t instructions, const char *name)
{
	struct analysis_options options = { .from_entry = from_entry };
	struct findings *findings = analyze_recording(path, &options);
	bool loader = false;

	ok(findings && findings->events[0].samples == samples, "%s: samples", name);
	if (!findings)
		return;
	ok(findings->load_misses == loads && findings->store_misses == stores, "%s: misses of L1, %llu and %llu", name,
	   (unsigned long long)findings->load_misses, (unsigned long long)findings->store_misses);
	ok(findings->outer[0].load_misses == outer, "%s: of L2, %llu", name,
	   (unsigned long long)findings->outer[0].load_misses);
	ok(findings->instructions == instructions, "%s: instructions", name);
	for (size_t i = 0; i < findings->context_count; i++)
		loader |= findings->contexts[i].region.address == 0x1000 && findings->contexts[i].samples;
	ok(loader == (samples == LOADER + OWN + CHILD), "%s: the loader's code", name);
	findings_free(findings);
}

int main(void)
{
	const char *path;

	fixture_begin();
	path = fixture_path("recording");
	write_recording(path, true, LOADER);
	check_recording(path, false, LOADER + OWN + CHILD, LOADER + OWN + CHILD, 6, 15 + 3, 2000, "all");
	check_recording(path, true, OWN + CHILD, OWN + CHILD, 4, 12 + 3, 1600, "from the entry on");
	write_recording(path, false, LOADER);
	check_recording(path, true, LOADER + OWN + CHILD, LOADER + OWN + CHILD, 6, 15 + 3, 2000, "not told");
	write_recording(path, true, 1ull << 60);
	check_recording(path, true, OWN + CHILD, CHILD, 4, 12 + 3, 1600, "more than there are");
	return done();
}
