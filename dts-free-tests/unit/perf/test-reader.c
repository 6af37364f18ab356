// SPDX-License-Identifier: GPL-2.0-only
/*
 * The reader of perf.data against files made field by field (perf-maker.h):
 * random fields, attributes of any size, files and pipes, packed and not, rounds
 * of several buffers; every cut; what data sources and names mean.
 */
#include <stdio.h>

#include "perf/levels.h"
#include "perf/reader.h"
#include "perf-maker.h"
#include "tap.h"

#define ROUNDS	12
#define CPUS	3

/* --- what is made --- */

struct made {
	struct maker_event events[3];
	uint32_t event_count, attr_size;
	struct truth *truths;		/* in the order of time */
	size_t count;
	struct bytes records;
};

static const uint64_t optional[] = {
	PERF_SAMPLE_IP, PERF_SAMPLE_TID, PERF_SAMPLE_ADDR, PERF_SAMPLE_READ, PERF_SAMPLE_CALLCHAIN,
	PERF_SAMPLE_ID, PERF_SAMPLE_CPU, PERF_SAMPLE_PERIOD, PERF_SAMPLE_STREAM_ID, PERF_SAMPLE_RAW,
	PERF_SAMPLE_BRANCH_STACK, PERF_SAMPLE_REGS_USER, PERF_SAMPLE_STACK_USER, PERF_SAMPLE_WEIGHT,
	PERF_SAMPLE_DATA_SRC, PERF_SAMPLE_TRANSACTION, PERF_SAMPLE_REGS_INTR, PERF_SAMPLE_PHYS_ADDR,
	PERF_SAMPLE_AUX, PERF_SAMPLE_CGROUP, PERF_SAMPLE_DATA_PAGE_SIZE, PERF_SAMPLE_CODE_PAGE_SIZE,
};

static void make_event(struct maker_event *event, uint32_t number, bool several, bool small)
{
	uint64_t type = PERF_SAMPLE_TIME | (several ? PERF_SAMPLE_IDENTIFIER : 0);
	size_t i;

	memset(event, 0, sizeof(*event));
	for (i = 0; i < sizeof(optional) / sizeof(optional[0]); i++)
		if (below(3))
			type |= optional[i];
	if (type & PERF_SAMPLE_WEIGHT && below(2))
		type ^= PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT;
	/* What tells more of these did not fit the first attributes. */
	if (small)
		type &= ~(uint64_t)(PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_REGS_USER |
				    PERF_SAMPLE_REGS_INTR);
	event->attr.sample_type = type;
	event->attr.type = PERF_TYPE_RAW;
	event->attr.config = 0x1000 + number;
	event->attr.sample_period = 1 + below(1000);
	event->attr.sample_id_all = 1;
	event->attr.read_format = below(32);
	event->attr.branch_sample_type = small ? 0 : (below(2) ? 1u << 17 : 0) |
							(below(2) ? 1u << 19 : 0);
	event->attr.sample_regs_user = small ? 0 : chance();
	event->attr.sample_regs_intr = small ? 0 : chance();
	event->id_count = 1 + below(3);
	for (i = 0; i < event->id_count; i++)
		event->ids[i] = 1000 * (number + 1) + i;
}

static void make_told(struct truth *truth)
{
	static const uint32_t types[] = {
		PERF_RECORD_MMAP, PERF_RECORD_MMAP2, PERF_RECORD_MMAP2, PERF_RECORD_COMM,
		PERF_RECORD_FORK, PERF_RECORD_EXIT, PERF_RECORD_LOST, PERF_RECORD_LOST_SAMPLES,
		PERF_RECORD_THROTTLE,
	};
	size_t i;

	truth->type = types[below(sizeof(types) / sizeof(types[0]))];
	truth->misc = PERF_RECORD_MISC_USER | (below(2) ? 1u << 13 : 0);
	if (truth->type == PERF_RECORD_MMAP2 && below(2)) {
		truth->misc |= PERF_RECORD_MISC_MMAP_BUILD_ID;
		truth->build_id_size = 1 + below(20);
		for (i = 0; i < 20; i++)
			truth->build_id[i] = chance();
	}
	snprintf(truth->name, sizeof(truth->name), "/a/name/%.*s",
		 (int)below(20), "of some twenty signs");
}

static void make_truth(struct truth *truth, const struct made *made, uint64_t time)
{
	*truth = (struct truth){
		.time = time,
		.sample = below(4) != 0,
		.event = below(made->event_count),
		.ip = chance(), .address = chance(), .period = chance(),
		.data_source = chance(), .physical = chance(),
		.pid = chance(), .tid = chance(), .cpu = chance(), .weight = chance(),
		.misc = 1 + below(5),
		.start = chance(), .length = chance(), .offset = chance(), .count = chance(),
		.parent = chance(), .protection = below(8),
	};
	if (truth->sample) {
		put_sample(truth, &made->events[truth->event]);
	} else {
		make_told(truth);
		put_told(truth, &made->events[truth->event]);
	}
}

/* Each CPU's buffer is emptied at a moment of its own in each round. */
static void write_rounds(struct made *made)
{
	size_t done[CPUS] = { 0 }, round, cpu, i;
	uint64_t moment;

	for (round = 1; round <= ROUNDS + 1; round++) {
		for (cpu = 0; cpu < CPUS; cpu++) {
			moment = round > ROUNDS ? UINT64_MAX : 1000 * round + below(1000);
			for (i = done[cpu]; i < made->count && made->truths[i].time <= moment; i++)
				if (made->truths[i].time % CPUS == cpu)
					put(&made->records, made->truths[i].record.data,
					    made->truths[i].record.size);
			done[cpu] = i;
		}
		put_round(&made->records);
	}
}

static void make(struct made *made, uint64_t seed)
{
	uint64_t time = 1;
	bool small;
	size_t i;

	memset(made, 0, sizeof(*made));
	maker_state = seed * 0x9e3779b97f4a7c15u + 1;
	made->event_count = 1 + below(3);
	small = below(3) == 0;
	made->attr_size = small ? 64 : sizeof(struct perf_event_attr) + 8 * below(4);
	for (i = 0; i < made->event_count; i++)
		make_event(&made->events[i], i, made->event_count > 1, small);
	made->count = 300;
	made->truths = calloc(made->count, sizeof(*made->truths));
	for (i = 0; i < made->count; i++) {
		time += 1 + below(2 * 1000 * ROUNDS / made->count);
		make_truth(&made->truths[i], made, time);
	}
	write_rounds(made);
}

static void unmake(struct made *made)
{
	size_t i;

	for (i = 0; i < made->count; i++)
		free(made->truths[i].record.data);
	free(made->truths);
	free(made->records.data);
}

/* --- what is read --- */

struct found {
	const struct made *made;
	size_t at, wrong;		/* records read; those unlike the truth */
	uint64_t last;			/* time */
	size_t disordered;
	const struct perf_attrs *attrs;
};

static void take_begin(void *context, const struct perf_facts *facts,
		       const struct perf_attrs *attrs)
{
	((struct found *)context)->attrs = attrs;
}

/* Fields that were not asked for are 0; the period is then the event's. */
static bool same_sample(const struct truth *truth, const struct maker_event *event,
			const struct perf_sample *sample)
{
	uint64_t type = event->attr.sample_type;

#define SAME(bit, field) (sample->field == (type & (bit) ? truth->field : 0))
	return SAME(PERF_SAMPLE_IP, ip) && SAME(PERF_SAMPLE_TID, pid) &&
	       SAME(PERF_SAMPLE_TID, tid) && SAME(PERF_SAMPLE_TIME, time) &&
	       SAME(PERF_SAMPLE_ADDR, address) && SAME(PERF_SAMPLE_CPU, cpu) &&
	       SAME(PERF_SAMPLE_WEIGHT_TYPE, weight) && SAME(PERF_SAMPLE_DATA_SRC, data_source) &&
	       SAME(PERF_SAMPLE_PHYS_ADDR, physical) && sample->misc == truth->misc &&
	       sample->fields == type &&
	       sample->period == (type & PERF_SAMPLE_PERIOD ? truth->period :
							      event->attr.sample_period);
#undef SAME
}

static struct truth *next_truth(struct found *found, uint64_t time)
{
	found->disordered += time < found->last;
	found->last = time;
	return found->at < found->made->count ? &found->made->truths[found->at++] : NULL;
}

static void take_sample(void *context, const struct perf_event *event,
			const struct perf_sample *sample)
{
	struct found *found = context;
	const struct truth *truth = next_truth(found, sample->time);

	found->wrong += !truth || !truth->sample ||
			event->attr.config != found->made->events[truth->event].attr.config ||
			!same_sample(truth, &found->made->events[truth->event], sample);
}

static bool same_map(const struct truth *truth, const struct side_event *told)
{
	bool data = truth->misc & PERF_RECORD_MISC_MMAP_DATA;
	uint32_t protection = truth->type == PERF_RECORD_MMAP2 ? truth->protection : data ? 1 : 5;

	return told->kind == SIDE_EVENT_MAP && told->start == truth->start &&
	       told->length == truth->length && told->offset == truth->offset &&
	       told->protection == protection && told->build_id_size == truth->build_id_size &&
	       !memcmp(told->build_id, truth->build_id, truth->build_id_size) && !told->kernel;
}

static bool same_task(const struct truth *truth, const struct side_event *told)
{
	enum side_event_kind kind = truth->type == PERF_RECORD_FORK ? SIDE_EVENT_FORK :
								     SIDE_EVENT_EXIT;

	return told->kind == kind && told->parent == truth->parent &&
	       told->found == !!(truth->misc & (1u << 13));
}

static bool same_told(const struct truth *truth, const struct side_event *told)
{
	bool named = strlen(truth->name) == told->name_size &&
		     !memcmp(truth->name, told->name, told->name_size);
	bool ids = told->pid == truth->pid && told->tid == truth->tid;

	switch (truth->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		return ids && named && same_map(truth, told);
	case PERF_RECORD_COMM:
		return ids && named && told->kind == (truth->misc & (1u << 13) ? SIDE_EVENT_EXEC :
									      SIDE_EVENT_NAME);
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		return ids && same_task(truth, told);
	case PERF_RECORD_LOST:
		return told->kind == SIDE_EVENT_LOST && told->count == truth->count;
	case PERF_RECORD_LOST_SAMPLES:
		return told->kind == SIDE_EVENT_LOST_SAMPLES && told->count == truth->count;
	default:
		return told->kind == SIDE_EVENT_THROTTLED;
	}
}

static void take_told(void *context, const struct side_event *told)
{
	struct found *found = context;
	const struct truth *truth = next_truth(found, told->time);

	found->wrong += !truth || truth->sample || told->time != truth->time ||
			!same_told(truth, told);
}

/* In pieces of up to @step bytes, each in memory of just its size. Return: what is wrong. */
static const char *read_pieces(struct perf_reader *reader, const uint8_t *data, size_t size,
			       size_t step)
{
	struct bytes left = { NULL };
	size_t at = 0, piece, used;

	while (at < size && !perf_reader_wrong(reader)) {
		piece = 1 + below(step);
		piece = piece < size - at ? piece : size - at;
		put(&left, data + at, piece);
		at += piece;
		used = perf_reader_take(reader, left.data, left.size);
		memmove(left.data, left.data + used, left.size - used);
		left.size -= used;
	}
	free(left.data);
	return perf_reader_wrong(reader);
}

static const char *read_all(struct found *found, const struct made *made, const struct bytes *bytes)
{
	const struct perf_listener listener = { found, take_begin, take_sample, take_told };
	struct perf_reader *reader = perf_reader_new(&listener);
	struct perf_extent records = { .offset = 16, .size = bytes->size - 16 };
	const char *wrong;
	enum perf_kind kind;

	*found = (struct found){ .made = made };
	wrong = perf_kind(bytes->data, bytes->size, &kind);
	if (!wrong && kind == PERF_KIND_FILE)
		wrong = perf_reader_file(reader, bytes->data, bytes->size, &records);
	if (!wrong)
		wrong = read_pieces(reader, bytes->data + records.offset, records.size, 5000);
	perf_reader_end(reader);
	perf_reader_free(reader);
	return wrong;
}

/* --- checks --- */

enum dress { FILE_PLAIN, FILE_PACKED, FILE_PADDED, PIPE_PLAIN, PIPE_PACKED, DRESSES };

static struct bytes dress(const struct made *made, enum dress how)
{
	bool packed = how == FILE_PACKED || how == FILE_PADDED || how == PIPE_PACKED;
	struct bytes inside = packed ? pack(&made->records, how == FILE_PADDED) : made->records;
	struct bytes whole;

	if (how >= PIPE_PLAIN)
		whole = make_pipe(made->events, made->event_count, made->attr_size, &inside, NULL,
				  0);
	else
		whole = make_file(made->events, made->event_count, made->attr_size, &inside, NULL,
				  0);
	if (packed)
		free(inside.data);
	return whole;
}

static void test_fields(void)
{
	static const char *const names[DRESSES] = {
		"files", "packed files", "packed and padded files", "pipes", "packed pipes",
	};
	size_t wrong[DRESSES] = { 0 }, short_of[DRESSES] = { 0 }, disordered = 0;
	struct found found;
	struct bytes bytes;
	struct made made;
	uint64_t seed;
	int how;

	for (seed = 1; seed <= 60; seed++) {
		make(&made, seed);
		for (how = 0; how < DRESSES; how++) {
			bytes = dress(&made, how);
			wrong[how] += read_all(&found, &made, &bytes) != NULL;
			wrong[how] += found.wrong;
			short_of[how] += found.at != made.count;
			disordered += found.disordered;
			free(bytes.data);
		}
		unmake(&made);
	}
	for (how = 0; how < DRESSES; how++)
		ok(!wrong[how] && !short_of[how], "60 %s of 300 records of random fields: %zu "
		   "records otherwise, %zu not to the end", names[how], wrong[how], short_of[how]);
	ok(!disordered, "rounds of three buffers: all in the order of time");
}

/* A cut at any byte: what is read is how the whole begins, once in order. */
static void test_cuts(void)
{
	size_t wrong = 0, crashes = 0, before = 0, shrunk = 0, cut;
	struct bytes whole, bytes;
	struct found found;
	struct made made;

	make(&made, 7);
	whole = dress(&made, PIPE_PACKED);
	for (cut = 16; cut <= whole.size; cut += 1 + below(40)) {
		bytes = (struct bytes){ memcpy(malloc(cut), whole.data, cut), cut, cut };
		wrong += read_all(&found, &made, &bytes) != NULL;
		crashes += found.disordered;
		shrunk += found.at < before;
		before = found.at > before ? found.at : before;
		free(bytes.data);
	}
	ok(!wrong && !crashes, "a cut anywhere is no damage, and order holds");
	ok(!shrunk, "... and less cut is never less read");
	free(whole.data);
	unmake(&made);
}

static void test_damage(void)
{
	uint8_t swapped[16] = "2ELIFREP", other[16] = "#!/bin/sh\nls -l", tiny[8] = "PERFILE2";
	struct bytes whole, bytes;
	struct found found;
	struct made made;
	size_t i, ended = 0;
	enum perf_kind kind;
	const char *wrong;

	wrong = perf_kind(swapped, sizeof(swapped), &kind);
	ok(wrong && strstr(wrong, "big-endian"), "a big-endian file is told as that");
	ok(perf_kind(other, sizeof(other), &kind) != NULL, "what is no perf.data is refused");
	ok(perf_kind(tiny, sizeof(tiny), &kind) != NULL, "8 bytes are refused");
	make(&made, 3);
	whole = dress(&made, FILE_PACKED);
	for (i = 0; i < 4000; i++) {
		bytes = (struct bytes){ memcpy(malloc(whole.size), whole.data, whole.size),
					whole.size, whole.size };
		bytes.data[below(whole.size)] ^= 1 << below(8);
		read_all(&found, &made, &bytes);
		ended++;
		free(bytes.data);
	}
	ok(ended == 4000, "4000 flipped bits: each read comes to an end");
	free(whole.data);
	unmake(&made);
}

/* --- facts --- */


static void take_facts(void *context, const struct perf_facts *facts,
		       const struct perf_attrs *attrs)
{
	const struct perf_build_id *id = perf_facts_find(facts, "/bin/app", 8);
	bool *right = context;

	right[0] = facts->kernel && !strcmp(facts->kernel, "6.1.0") && facts->processor &&
		   !strcmp(facts->processor, "A processor") && facts->cpuid &&
		   !strcmp(facts->cpuid, "GenuineIntel,6,94,3");
	right[1] = facts->command && facts->command[0] && !strcmp(facts->command[0], "perf") &&
		   facts->command[1] && !strcmp(facts->command[1], "a word") && !facts->command[2];
	right[2] = facts->cache_count == 2 && facts->caches[0].level == 1 &&
		   facts->caches[0].ways == 8 && facts->caches[0].sets == 64 &&
		   facts->caches[0].line == 64 && facts->caches[1].level == 2 &&
		   facts->caches[1].ways == 4;
	right[3] = id && id->size == 16 && id->bytes[0] == 'i' && id->bytes[15] == 'x' &&
		   !perf_facts_find(facts, "/bin/ap", 7);
	right[4] = attrs->count == 1 && attrs->events[0].name &&
		   !strcmp(attrs->events[0].name, "an event");
	right[5] = facts->pmu_count == 1 && facts->pmus[0].type == 11 &&
		   !strcmp(facts->pmus[0].name, "ibs_op");
	right[6] = !facts->bad;
}

static void ignore_sample(void *context, const struct perf_event *event,
			  const struct perf_sample *sample)
{
}

static void ignore_told(void *context, const struct side_event *told)
{
}

static void put_cache(struct bytes *bytes, uint32_t level, uint32_t sets, uint32_t ways,
		      const char *type)
{
	put_u32(bytes, level);
	put_u32(bytes, 64);
	put_u32(bytes, sets);
	put_u32(bytes, ways);
	put_text(bytes, type);
	put_text(bytes, "32K");
	put_text(bytes, "0");
}

static size_t make_features(struct feature *features, const struct maker_event *event)
{
	struct bytes *bytes = &features[0].bytes;

	features[0].number = 2;
	put(bytes, "\x43\0\0\0\2\x80\x30\0", 8);
	put_u32(bytes, -1);
	put(bytes, "iiiiiiiiiiiiiiix\0\0\0\0\x10\0\0\0", 24);
	put(bytes, "/bin/app\0\0\0\0", 12);
	features[1].number = 4;
	put_text(&features[1].bytes, "6.1.0");
	features[2].number = 8;
	put_text(&features[2].bytes, "A processor");
	features[3].number = 9;
	put_text(&features[3].bytes, "GenuineIntel,6,94,3");
	features[4].number = 11;
	put_u32(&features[4].bytes, 2);
	put_text(&features[4].bytes, "perf");
	put_text(&features[4].bytes, "a word");
	bytes = &features[5].bytes;
	features[5].number = 12;
	put_u32(bytes, 1);
	put_u32(bytes, 64);
	put_attr(bytes, event, 64);
	put_u32(bytes, event->id_count);
	put_text(bytes, "an event");
	put(bytes, event->ids, 8ull * event->id_count);
	features[6].number = 16;
	put_u32(&features[6].bytes, 1);
	put_u32(&features[6].bytes, 11);
	put_text(&features[6].bytes, "ibs_op");
	bytes = &features[7].bytes;
	features[7].number = 20;
	put_u32(bytes, 1);
	put_u32(bytes, 4);
	put_cache(bytes, 1, 64, 8, "Data");
	put_cache(bytes, 1, 128, 16, "Instruction");
	put_cache(bytes, 2, 1024, 4, "Unified");
	put_cache(bytes, 2, 2048, 16, "Unified");
	return 8;
}

static void test_facts(void)
{
	static const char *const what[] = {
		"kernel, processor, cpuid", "the command", "data caches, of the first CPU",
		"build-ids", "the event's name", "the PMUs", "no feature is cut",
	};
	struct feature features[8] = { { 0 } };
	struct bytes none = { NULL }, bytes;
	struct maker_event event;
	struct perf_reader *reader;
	struct perf_extent records;
	bool right[7];
	int pipe;
	size_t i;

	const struct perf_listener listener = { right, take_facts, ignore_sample, ignore_told };

	maker_state = 99;
	make_event(&event, 0, false, false);
	make_features(features, &event);
	put_round(&none);
	for (pipe = 0; pipe < 2; pipe++) {
		memset(right, 0, sizeof(right));
		bytes = (pipe ? make_pipe : make_file)(&event, 1, 128, &none, features, 8);
		reader = perf_reader_new(&listener);
		if (pipe)
			perf_reader_take(reader, bytes.data + 16, bytes.size - 16);
		else
			perf_reader_file(reader, bytes.data, bytes.size, &records);
		perf_reader_end(reader);
		for (i = 0; i < 7; i++)
			ok(right[i], "%s: %s", pipe ? "pipe" : "file", what[i]);
		perf_reader_free(reader);
		free(bytes.data);
	}
	for (i = 0; i < 8; i++)
		free(features[i].bytes.data);
	free(none.data);
}

/* Counts that nothing stands behind cost no time and no memory. */
static void test_hollow_facts(void)
{
	static const uint32_t numbers[] = { 2, 4, 9, 11, 12, 16, 20 };
	struct perf_attrs attrs = { .count = 0 };
	struct perf_facts facts = { .host = NULL };
	size_t i;

	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		perf_facts_take(&facts, &attrs, numbers[i], "\xff\xff\xff\xff", 4);
	ok(facts.bad == sizeof(numbers) / sizeof(numbers[0]) - 1 && !facts.pmu_count &&
	   !facts.cache_count && !facts.kernel && (!facts.command || !facts.command[0]),
	   "features that are but a count: %u are counted as bad, and hold nothing",
	   (unsigned int)facts.bad);
	perf_facts_drop(&facts);
	perf_attrs_drop(&attrs);
}

/* --- meanings --- */

static enum perf_meaning meaning(const char *cpuid, char *name, uint32_t type, uint64_t config,
				 uint64_t fields, uint32_t *level)
{
	struct perf_event event = { .name = name };
	const struct perf_facts facts = { .cpuid = (char *)cpuid };

	event.attr.type = type;
	event.attr.config = config;
	event.attr.sample_type = fields;
	return perf_event_meaning(&facts, &event, level);
}

static void test_meanings(void)
{
	static const char skl[] = "GenuineIntel,6,94,3", zen[] = "AuthenticAMD,25,17,1",
			  atom[] = "GenuineIntel,6,95,1";
	static const struct {
		const char *cpuid, *name;
		uint32_t type;
		uint64_t config, fields;
		enum perf_meaning meaning;
		uint32_t level;
	} rows[] = {
		{ skl, NULL, 4, 0x08d1, 0, PERF_MEANING_MISSES, 1 },
		{ skl, NULL, 4, 0x10d1, 0, PERF_MEANING_MISSES, 2 },
		{ skl, NULL, 4, 0x20d1, 0, PERF_MEANING_MISSES, 3 },
		{ skl, NULL, 4, 0x01d1, 0, PERF_MEANING_OTHER, 0 },	/* L1 hits */
		{ skl, NULL, 4, 0x10008d1, 0, PERF_MEANING_OTHER, 0 },	/* with a counter mask */
		{ zen, NULL, 4, 0x08d1, 0, PERF_MEANING_OTHER, 0 },
		{ atom, NULL, 4, 0x08d1, 0, PERF_MEANING_OTHER, 0 },	/* no model of the table */
		{ NULL, NULL, 4, 0x08d1, 0, PERF_MEANING_OTHER, 0 },
		{ atom, "MEM_LOAD_RETIRED.L1_MISS", 4, 1, 0, PERF_MEANING_MISSES, 1 },
		{ NULL, "mem_load_retired.l3_miss:upp", 4, 1, 0, PERF_MEANING_MISSES, 3 },
		{ NULL, "cpu/mem_load_uops_retired.l2_miss/pp", 4, 1, 0, PERF_MEANING_MISSES, 2 },
		{ NULL, "MEM_LOAD_RETIRED.L1_MISSES_OF_OTHERS", 4, 1, 0, PERF_MEANING_OTHER, 0 },
		{ NULL, "MEM_LOAD_RETIRED.L1_HIT", 4, 1, 0, PERF_MEANING_OTHER, 0 },
		{ NULL, "l2-miss", 4, 1, 0, PERF_MEANING_MISSES, 2 },
		{ NULL, "L1-dcache-load-misses", 3, 0x10000, 0, PERF_MEANING_OTHER, 0 },
		{ zen, "ibs_op//", 11, 0, PERF_SAMPLE_DATA_SRC, PERF_MEANING_SOURCES, 0 },
		{ zen, "page-faults", 1, 2, PERF_SAMPLE_DATA_SRC, PERF_MEANING_OTHER, 0 },
	};
	uint32_t level;
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		ok(meaning(rows[i].cpuid, (char *)rows[i].name, rows[i].type, rows[i].config,
			   rows[i].fields, &level) == rows[i].meaning && level == rows[i].level,
		   "%s %s %#llx on %s: meaning %d, level %u", rows[i].name ? rows[i].name : "raw",
		   "code", (unsigned long long)rows[i].config,
		   rows[i].cpuid ? rows[i].cpuid : "?", rows[i].meaning, rows[i].level);
}

static void test_sources(void)
{
	const uint64_t load = PERF_MEM_S(OP, LOAD), na = PERF_MEM_S(LVL, NA);
	const struct {
		uint64_t source;
		enum perf_source_kind kind;
		uint32_t missed;
		const char *name;
	} rows[] = {
		{ load | PERF_MEM_S(LVL, HIT) | PERF_MEM_S(LVL, L1), PERF_SOURCE_LOAD, 0,
		  "L1 hit" },
		{ load | PERF_MEM_S(LVL, HIT) | PERF_MEM_S(LVL, LFB), PERF_SOURCE_LOAD, 0,
		  "LFB hit" },
		{ load | PERF_MEM_S(LVL, HIT) | PERF_MEM_S(LVL, L2), PERF_SOURCE_LOAD, 1,
		  "L2 hit" },
		{ load | PERF_MEM_S(LVL, HIT) | PERF_MEM_S(LVL, L3), PERF_SOURCE_LOAD, 2,
		  "L3 hit" },
		{ load | PERF_MEM_S(LVL, HIT) | PERF_MEM_S(LVL, LOC_RAM), PERF_SOURCE_LOAD, 3,
		  "RAM" },
		{ load | PERF_MEM_S(LVL, HIT) | PERF_MEM_S(LVL, REM_CCE1), PERF_SOURCE_LOAD, 3,
		  "another socket's cache" },
		{ load | PERF_MEM_S(LVL, MISS) | PERF_MEM_S(LVL, L3), PERF_SOURCE_LOAD, 3,
		  "L3 miss" },
		{ load | PERF_MEM_S(LVL, MISS) | PERF_MEM_S(LVL, L1), PERF_SOURCE_LOAD, 1,
		  "L1 miss" },
		{ load | PERF_MEM_S(LVL, HIT) | PERF_MEM_S(LVL, IO), PERF_SOURCE_UNKNOWN, 0,
		  "I/O" },
		{ load | na | PERF_MEM_S(LVLNUM, L2), PERF_SOURCE_LOAD, 1, "number: L2" },
		{ load | na | PERF_MEM_S(LVLNUM, RAM), PERF_SOURCE_LOAD, 3, "number: RAM" },
		{ load | na | PERF_MEM_S(LVLNUM, NA), PERF_SOURCE_UNKNOWN, 0,
		  "load, nobody knows" },
		{ load | na | PERF_MEM_S(LVLNUM, ANY_CACHE), PERF_SOURCE_UNKNOWN, 0, "any cache" },
		{ PERF_MEM_S(OP, STORE) | PERF_MEM_S(LVL, MISS) | PERF_MEM_S(LVL, L1),
		  PERF_SOURCE_OTHER, 0, "a store" },
		{ PERF_MEM_S(OP, NA) | na, PERF_SOURCE_UNKNOWN, 0, "nothing" },
		{ 0, PERF_SOURCE_UNKNOWN, 0, "zero" },
	};
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct perf_source found = perf_source_of(rows[i].source);

		ok(found.kind == rows[i].kind &&
		   (found.kind != PERF_SOURCE_LOAD || found.missed == rows[i].missed),
		   "data source %s: kind %d, missed %u", rows[i].name, rows[i].kind,
		   rows[i].missed);
	}
}

int main(void)
{
	test_fields();
	test_cuts();
	test_damage();
	test_facts();
	test_hollow_facts();
	test_meanings();
	test_sources();
	return done();
}
