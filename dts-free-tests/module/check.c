// SPDX-License-Identifier: GPL-2.0-only
/*
 * Holds recordings made on the virtual core against the oracle's file.
 *
 *	check TRUTH MARK=RECORDING...
 *
 * A recording is held against what lies between its mark and the next one.
 * Every sample must be a record that the core wrote: its CPU, instruction,
 * address, time and physical address; none may be there twice for an event; the samples of a
 * process are of one address space. Prints what it found as lines
 * MARK NAME NUMBER:
 *
 *	records, samples	the core's, the recording's
 *	missed			the core's records of accesses that missed L1
 *	strangers		samples that are no record
 *	shared			samples of a record that is another event's, too
 *	misowned		samples of another address space than their process's first
 *	moved, unplaced		samples with another physical address, with none
 *	events, counted		the core's, those of the recording's COUNTS
 *	innermost		the core's of the innermost of several levels
 *	own			the core's in address spaces that have records
 *	before			the core's, until the first record of each CPU
 *	after			the core's, behind the last record of each CPU and event that
 *				the recording has
 *	weight			events that batches and gaps stand for
 *	lost, foreign		told in the recording
 *	bursts-N, sought-N	batches of bursts of event N; of them: with lines sought
 *	exact-N			of those: of just as many as the core counted accesses by them, where all
 *				that it counted is in its file (truth-references=on)
 *	cut			batches behind a switch or an interrupt in their burst
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../vcore/qemu/vcore-truth.h"
#include "format/pass.h"

#define CPUS		64
#define COUNTERS	16
#define EVENTS		4	/* of a recording, from 1 */
#define SPACE(cr3)	((cr3) & ~0x1fffull)	/* without PCID and the half that PTI tells */

struct record {
	uint64_t ip, va, tsc, pa, space;
	uint32_t cpu;
	uint32_t taken;			/* by the recording's events, a bit each */
	uint16_t counters;		/* that made it */
	uint64_t event;			/* of its CPU's events: the number of its own, from 1 */
};

/* One CPU's events in their order: the counters that counted each. */
struct course {
	uint16_t *counters;
	size_t count, room;
};

/* What the core did between two marks. */
static struct record *records;
static size_t count, room, missed;
static uint64_t events[CPUS][1 << COUNTERS];	/* by the counters that counted them */
static uint64_t early[CPUS][1 << COUNTERS];	/* of them: before the CPU's first record */
static uint16_t recorders[CPUS];		/* counters that made records */
static struct course courses[CPUS];
static uint64_t *spaces;			/* by process, 0 = not known yet */
static size_t processes, spaces_room;

/* The same events by address space. */
struct share {
	uint64_t space, count;
	uint16_t counters;
	uint8_t cpu;
	bool recorded;			/* the space has records */
};

static struct share *shares;
static size_t share_count, share_room;

/* What was recorded of it. */
static struct {
	uint64_t samples, strangers, shared, misowned, moved, unplaced;
	uint64_t weight, counted, lost, foreign, cut;
	uint64_t bursts[EVENTS], accesses[EVENTS], exact[EVENTS];
	const struct ccs_accesses *accessed;	/* of the next batch */
	uint64_t last[EVENTS];		/* of the core's events, that of the last sample */
} found;

static int compare(const void *a, const void *b)
{
	const struct record *one = a, *other = b;

	if (one->ip != other->ip)
		return one->ip < other->ip ? -1 : 1;
	if (one->va != other->va)
		return one->va < other->va ? -1 : 1;
	return one->tsc < other->tsc ? -1 : one->tsc > other->tsc;
}

static void *larger(void *memory, size_t needed, size_t *have, size_t size)
{
	if (needed <= *have)
		return memory;
	*have = needed < 4096 ? 4096 : 2 * needed;
	memory = realloc(memory, *have * size);
	if (!memory)
		exit(2);
	return memory;
}

static void begin(void)
{
	size_t cpu;

	count = missed = processes = share_count = 0;
	for (cpu = 0; cpu < CPUS; cpu++)
		courses[cpu].count = 0;
	memset(events, 0, sizeof(events));
	memset(recorders, 0, sizeof(recorders));
	memset(&found, 0, sizeof(found));
}

static void take_share(const struct vcore_truth *t)
{
	static size_t last;
	size_t i = last < share_count ? last : 0, looked;

	for (looked = 0; looked < share_count; looked++, i = (i + 1) % share_count)
		if (shares[i].space == SPACE(t->cr3) && shares[i].counters == t->counters &&
		    shares[i].cpu == t->cpu)
			break;
	if (looked == share_count) {
		shares = larger(shares, share_count + 1, &share_room, sizeof(*shares));
		i = share_count++;
		shares[i] = (struct share){ SPACE(t->cr3), 0, t->counters, t->cpu, false };
	}
	shares[i].count++;
	last = i;
}

static void mark_recorded(uint64_t space)
{
	size_t i;

	for (i = 0; i < share_count; i++)
		shares[i].recorded |= shares[i].space == space;
}

static void take_event(struct course *course, uint16_t counters)
{
	course->counters = larger(course->counters, course->count + 1, &course->room,
				  sizeof(*course->counters));
	course->counters[course->count++] = counters;
}

static void take_truth(const struct vcore_truth *t)
{
	size_t cpu = t->cpu % CPUS;

	if (t->kind == 'E') {
		events[cpu][t->counters]++;
		take_event(&courses[cpu], t->counters);
		take_share(t);
	} else if (t->kind == 'R') {
		if (!recorders[cpu])
			memcpy(early[cpu], events[cpu], sizeof(early[cpu]));
		recorders[cpu] |= t->counters;
		missed += t->level > 1;
		records = larger(records, count + 1, &room, sizeof(*records));
		records[count++] = (struct record){ t->ip, t->va, t->tsc, t->pa, SPACE(t->cr3),
						    t->cpu, 0, t->counters, courses[cpu].count };
	}
}

static size_t first_of(const struct ccs_sample *sample)
{
	const struct record wanted = { .ip = sample->ip, .va = sample->address };
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (compare(&records[middle], &wanted) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Of several alike, the one of that time: without times in records, any. */
static struct record *find(const struct ccs_sample *sample, uint32_t cpu, uint32_t event)
{
	struct record *other = NULL;
	size_t i;

	for (i = first_of(sample); i < count && records[i].ip == sample->ip &&
	     records[i].va == sample->address; i++) {
		if (records[i].taken & event || records[i].cpu != cpu)
			continue;
		if (records[i].tsc == sample->time)
			return &records[i];
		other = &records[i];
	}
	return other;
}

/* Return: the address space of a process, where it is known. */
static uint64_t *space_of(uint32_t process)
{
	spaces = larger(spaces, process + 1, &spaces_room, sizeof(*spaces));
	while (processes <= process)
		spaces[processes++] = 0;
	return &spaces[process];
}

/* Every access of the program is an event: who joins a batch goes on with its thread's last one. */
static bool is_exact(const struct ccs_samples *batch)
{
	const struct ccs_sample *sample = (const void *)(batch + 1);
	const struct record *first = find(sample, batch->cpu, 0);
	const struct record *last = find(sample + batch->count - 1, batch->cpu, 0);
	uint64_t from;

	if (!first || !last)
		return false;
	from = ccs_batch_joins(batch->flags) ? found.last[batch->event] : first->event;
	found.last[batch->event] = last->event;
	return found.accessed && found.accessed->lines == last->event - from;
}

static void take_samples(void *context, const struct ccs_record *recorded)
{
	const struct ccs_samples *batch = (const void *)recorded;
	const struct ccs_sample *sample = (const void *)(batch + 1);
	uint64_t *space = space_of(batch->record.process);
	struct record *record;
	uint32_t i;

	if (batch->flags & CCS_BATCH_BURST && batch->event < EVENTS) {
		found.bursts[batch->event]++;
		found.accesses[batch->event] += !!found.accessed;
		found.exact[batch->event] += is_exact(batch);
	}
	found.cut += !!(batch->flags & CCS_BATCH_CUT);
	found.accessed = NULL;
	found.weight += batch->events + (batch->gap == CCS_UNKNOWN ? 0 : batch->gap);
	for (i = 0; i < batch->count; i++, sample++) {
		found.samples++;
		record = find(sample, batch->cpu, 1u << batch->event % 32);
		if (!record) {
			if (found.strangers++ < 5)
				fprintf(stderr, "check: no record: cpu %u ip %" PRIx64 " address %"
					PRIx64 " time %" PRIu64 "\n", batch->cpu, sample->ip,
					sample->address, sample->time);
			continue;
		}
		found.shared += record->taken != 0;
		record->taken |= 1u << batch->event % 32;
		if (!*space)
			*space = record->space;
		found.misowned += *space != record->space;
		found.unplaced += sample->physical == CCS_UNKNOWN;
		found.moved += sample->physical != CCS_UNKNOWN && sample->physical != record->pa;
	}
}

static void take_accesses(void *context, const struct ccs_record *record)
{
	found.accessed = (const void *)record;
}

static void take_counts(void *context, const struct ccs_record *record)
{
	found.counted += ((const struct ccs_counts *)record)->load_misses;
}

static void take_level_counts(void *context, const struct ccs_record *record)
{
	found.counted += ((const struct ccs_level_counts *)record)->load_misses;
}

static void take_lost(void *context, const struct ccs_record *record)
{
	const struct ccs_lost *loss = (const void *)record;

	*(loss->kind == CCS_LOST_FOREIGN ? &found.foreign : &found.lost) += loss->count;
}

static void take_recording(const char *path)
{
	static const struct record_consumer consumer = {
		.take = {
			[CCS_SAMPLES] = take_samples, [CCS_ACCESSES] = take_accesses,
			[CCS_COUNTS] = take_counts, [CCS_LEVEL_COUNTS] = take_level_counts,
			[CCS_LOST] = take_lost,
		},
	};
	struct recording *recording = recording_open(path);

	if (!recording)
		exit(2);
	recording_pass(recording, &consumer, NULL);
	recording_close(recording);
}

/*
 * How many of the recording's events one event is that some counters counted: those
 * that made records. A CPU on which not all did is asked for those of another.
 */
static uint16_t asked(size_t cpu)
{
	uint16_t most = recorders[cpu];
	size_t i;

	for (i = 0; i < CPUS; i++)
		if (__builtin_popcount(recorders[i]) > __builtin_popcount(most))
			most = recorders[i];
	return most;
}

static uint64_t sampled(size_t cpu, uint16_t counters)
{
	return __builtin_popcount(counters & asked(cpu));
}

/* Who misses a level has missed those inside: so any of the recording's counters tells. */
static uint64_t innermost(void)
{
	uint64_t total = 0;
	size_t cpu, counters;

	for (cpu = 0; cpu < CPUS; cpu++)
		for (counters = 0; counters < 1 << COUNTERS; counters++)
			if (events[cpu][counters] && sampled(cpu, counters))
				total += events[cpu][counters];
	return total;
}

static uint64_t own(void)
{
	uint64_t total = 0;
	size_t i;

	for (i = 0; i < count; i++)
		if (!i || records[i].space != records[i - 1].space)
			mark_recorded(records[i].space);
	for (i = 0; i < share_count; i++)
		if (shares[i].recorded)
			total += shares[i].count * sampled(shares[i].cpu % CPUS,
							   shares[i].counters);
	return total;
}

static uint64_t all(uint64_t (*counts)[1 << COUNTERS], bool everywhere)
{
	uint64_t total = 0;
	size_t cpu, counters;

	for (cpu = 0; cpu < CPUS; cpu++)
		for (counters = 0;
		     (everywhere || recorders[cpu]) && counters < 1 << COUNTERS; counters++)
			if (counts[cpu][counters])
				total += counts[cpu][counters] * sampled(cpu, counters);
	return total;
}

/* What no batch can stand for: each counter's behind the last record that was taken of it. */
static uint64_t after(void)
{
	static uint64_t last[CPUS][COUNTERS];
	uint64_t total = 0;
	size_t cpu, counter, i;

	memset(last, 0, sizeof(last));
	for (i = 0; i < count; i++)
		for (counter = 0; counter < COUNTERS; counter++) {
			uint64_t *of = &last[records[i].cpu % CPUS][counter];

			if (records[i].taken && records[i].counters >> counter & 1 &&
			    *of < records[i].event)
				*of = records[i].event;
		}
	for (cpu = 0; cpu < CPUS; cpu++) {
		uint16_t counters = asked(cpu);

		for (counter = 0; counter < COUNTERS; counter++)
			for (i = last[cpu][counter]; i < courses[cpu].count; i++)
				total += (counters & courses[cpu].counters[i]) >> counter & 1;
	}
	return total;
}

static void say(const char *mark, const char *name, uint64_t value)
{
	printf("%s %s %" PRIu64 "\n", mark, name, value);
}

static void compare_with(const char *mark, const char *path)
{
	int event;

	if (count)
		qsort(records, count, sizeof(*records), compare);
	take_recording(path);
	say(mark, "records", count);
	say(mark, "missed", missed);
	say(mark, "samples", found.samples);
	say(mark, "strangers", found.strangers);
	say(mark, "shared", found.shared);
	say(mark, "misowned", found.misowned);
	say(mark, "moved", found.moved);
	say(mark, "unplaced", found.unplaced);
	say(mark, "events", all(events, true));
	say(mark, "own", own());
	say(mark, "innermost", innermost());
	say(mark, "counted", found.counted);
	say(mark, "before", all(early, false));
	say(mark, "after", after());
	say(mark, "weight", found.weight);
	say(mark, "lost", found.lost);
	say(mark, "foreign", found.foreign);
	say(mark, "cut", found.cut);
	for (event = 1; event < EVENTS; event++)
		printf("%s bursts-%d %" PRIu64 "\n%s sought-%d %" PRIu64 "\n%s exact-%d %" PRIu64
		       "\n", mark, event, found.bursts[event], mark, event, found.accesses[event],
		       mark, event, found.exact[event]);
}

/* Return: the argument MARK=RECORDING of a mark, or NULL. */
static char *wanted(char **arguments, uint64_t mark)
{
	for (; *arguments; arguments++)
		if (strtoull(*arguments, NULL, 10) == mark && strchr(*arguments, '='))
			return *arguments;
	return NULL;
}

static void finish(const char *argument)
{
	char mark[24];
	size_t size = strcspn(argument, "=");

	snprintf(mark, sizeof(mark), "%.*s", (int)size, argument);
	compare_with(mark, argument + size + 1);
}

int main(int argc, char **argv)
{
	FILE *file = argc > 2 ? fopen(argv[1], "rb") : NULL;
	const char *here = NULL;
	struct vcore_truth t;

	if (!file) {
		fprintf(stderr, "usage: check TRUTH MARK=RECORDING...\n");
		return 2;
	}
	while (fread(&t, sizeof(t), 1, file) == 1) {
		if (t.kind != 'M') {
			if (here)
				take_truth(&t);
			continue;
		}
		if (here)
			finish(here);
		here = wanted(argv + 2, t.extra);
		begin();
	}
	if (here)
		finish(here);
	fclose(file);
	return 0;
}
