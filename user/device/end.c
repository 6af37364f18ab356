// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <x86intrin.h>

#include "base/fail.h"
#include "device/inside.h"

/* What the counters counted, on all CPUs, for all that the filter let through. */
static void write_counts(struct device *device)
{
	const struct record_request *record = device->run->request;
	uint64_t time = __rdtsc(), total;
	size_t event, i;

	for (event = 0; event < record->event_count; event++) {
		struct ccs_counts counts = {
			.record = { .size = sizeof(counts), .type = CCS_COUNTS },
			.time = time,
		};
		struct ccs_level_counts outer = {
			.record = { .size = sizeof(outer), .type = CCS_LEVEL_COUNTS },
			.time = time,
			.level = record->events[event].level,
		};

		if (!device->sampled[0].session.how.event[event].plain)
			continue;	/* no counter counted it */
		if (device->plan.kinds[0].stores >> event & 1)
			continue;	/* stores were counted, not their misses */
		for (total = 0, i = 0; i < device->count; i++) {
			struct ccsample_read read;

			device_session_read(&device->sampled[i].session, &read);
			total += read.events[event];
		}
		counts.load_misses = outer.load_misses = total;
		if (outer.level == 1)
			recording_write(device->run->writer, &counts.record);
		else if (outer.level)
			recording_write(device->run->writer, &outer.record);
		if (outer.level == 1)
			device->run->load_misses = total;
	}
}

static void lose(struct device *device, enum ccs_lost_kind kind, uint64_t count)
{
	if (count)
		images_lost(device->run->images, 0, kind, count);
}

static void write_losses(struct device *device)
{
	uint64_t samples = 0, foreign = device->merge.unattributed, no_address = 0, marks = 0;
	uint64_t short_gaps = 0, rearmed = 0, tasks = 0, no_accesses = 0, full = 0, strays = 0;
	size_t i;

	for (i = 0; i < device->count; i++) {
		const struct device_drain *drain = &device->drains[i];
		const struct ccsample_control *control = drain->session->control;

		samples += control->overrun_records + control->full_records + drain->damaged +
			   drain->unowned + drain->strays;
		strays += drain->strays;
		full += control->full_slots;
		foreign += drain->foreign;
		no_address += drain->no_address;
		marks += drain->marks.lost;
		short_gaps += control->short_gaps;
		rearmed += control->rearmed;
		/* Sessions that follow one process have one filter. */
		if (tasks < control->lost_tasks)
			tasks = control->lost_tasks;
		no_accesses += drain->no_accesses;
	}
	lose(device, CCS_LOST_SAMPLES, samples);
	lose(device, CCS_LOST_FOREIGN, foreign);
	lose(device, CCS_LOST_NO_ADDRESS, no_address);
	lose(device, CCS_LOST_EVENTS, marks);
	lose(device, CCS_LOST_UNRECORDED, tasks);
	if (strays)
		note("%" PRIu64 " records were dropped: of another program's precise event (perf "
		     "record -e EVENT:pp), or made while perf moved ours to another counter",
		     strays);
	if (no_accesses)
		note("cache accesses were not counted in %" PRIu64 " bursts: the counters were in "
		     "use", no_accesses);
	if (short_gaps)
		note("%" PRIu64 " bursts came before their gap had passed", short_gaps);
	if (full)
		note("%" PRIu64 " bursts filled their buffer: what came behind them is counted, "
		     "not sampled", full);
	if (rearmed)
		note("a counter recorded nothing and was set again %" PRIu64 " times: what it "
		     "missed is counted, not sampled", rearmed);
}

void device_write_end(struct device *device)
{
	write_counts(device);
	write_losses(device);
}
