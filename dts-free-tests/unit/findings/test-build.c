// SPDX-License-Identifier: GPL-2.0-only
/*
 * What has equal shares is shown in one order, whichever of it missed first. Geometry 64 sets, 8
 * ways; addresses as they are; seed 64.
 */
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "findings/findings.h"
#include "format/recording.h"
#include "fixture.h"
#include "recording-maker.h"
#include "tap.h"

#define SEED	64u
#define SETS	64
#define PAIRS	(FINDINGS_OBJECTS / 2 + 4)	/* more objects and pairs than are shown */

/* Of block number @number: two on each of the first sets. */
static uint64_t address_of(uint32_t number)
{
	return (1000 * SETS + number % 2 * SETS + number / 2) * 64;
}

/* Code of a file that is not there: its places are told apart by their offsets. */
static void write_map(struct recording_writer *writer)
{
	static const char path[8] = "/absent";
	struct {
		struct ccs_map map;
		char path[8];
	} code;

	make_header(&code.map.record, sizeof(code), CCS_MAP);
	code.map.start = 0x1000;
	code.map.end = 0x10000;
	code.map.protection = CCS_MAP_READ | CCS_MAP_EXEC;
	code.map.path_size = sizeof(path) - 1;
	memcpy(code.path, path, sizeof(path));
	recording_write(writer, &code.map.record);
}

/* Each from a place of its own. */
static void write_block(struct recording_writer *writer, uint32_t number)
{
	struct {
		struct ccs_stack stack;
		uint64_t ip;
	} place;
	struct ccs_alloc alloc;

	make_header(&place.stack.record, sizeof(place), CCS_STACK);
	place.stack.id = number + 1;
	place.stack.depth = 1;
	place.ip = 0x4000 + number * 16;
	recording_write(writer, &place.stack.record);
	make_header(&alloc.record, sizeof(alloc), CCS_ALLOC);
	alloc.address = address_of(number);
	alloc.size = 64;
	alloc.stack = number + 1;
	recording_write(writer, &alloc.record);
}

/* The blocks of each set evict one another once. */
static void write_misses(struct recording_writer *writer, const uint32_t *order)
{
	struct {
		struct ccs_samples batch;
		struct ccs_sample samples[4 * PAIRS];
	} burst;

	make_header(&burst.batch.record, sizeof(burst), CCS_SAMPLES);
	burst.batch.event = 7;
	burst.batch.flags = CCS_BATCH_BURST;
	burst.batch.events = burst.batch.fills = burst.batch.count = 4 * PAIRS;
	burst.batch.sample_size = sizeof(*burst.samples);
	for (uint32_t i = 0; i < 4 * PAIRS; i++)
		burst.samples[i] = (struct ccs_sample){
			.time = i, .ip = 0x1000, .physical = CCS_UNKNOWN,
			.address = address_of(2 * order[i / 4] + i % 2),
		};
	recording_write(writer, &burst.batch.record);
}

static struct findings *findings_of(const char *path, const uint32_t *order)
{
	struct recording_writer *writer = recording_create(path);
	struct findings *findings;
	const struct context *context;

	if (!writer)
		exit(1);
	make_cache(writer, (struct ccs_cache){ .level = 1, .ways = 8, .sets = SETS });
	make_event(writer, (struct ccs_event){
		.id = 7, .level = 1, .period = 1, .burst = 4 * PAIRS, .name = "l1-miss" });
	write_map(writer);
	for (uint32_t i = 0; i < 2 * PAIRS; i++)
		write_block(writer, i);
	write_misses(writer, order);
	if (recording_finish(writer, 1))
		exit(1);
	findings = analyze_recording(path, NULL);
	context = findings ? findings->contexts : NULL;
	if (!context || findings->context_count != 1 || context->level_count != 1 ||
	    context->object_count != FINDINGS_OBJECTS ||
	    context->levels->object_count != FINDINGS_OBJECTS ||
	    context->levels->pair_count != FINDINGS_PAIRS)
		exit(1);
	return findings;
}

/* Of equal shares, objects that were there first come first. */
static bool ordered(const struct object_share *objects)
{
	bool is = true;

	for (size_t i = 1; is && i < FINDINGS_OBJECTS; i++)
		is = objects[i - 1].share == objects[i].share &&
		     objects[i - 1].object->id < objects[i].object->id;
	return is;
}

static bool same_pairs(const struct pair_share *a, const struct pair_share *b, size_t count)
{
	bool same = true;

	for (size_t i = 0; same && i < count; i++)
		same = a[i].share == b[i].share &&
		       !strcmp(a[i].a->where, b[i].a->where) && !strcmp(a[i].b->where, b[i].b->where);
	return same;
}

static void shuffle(uint32_t *order, uint64_t *state)
{
	for (uint32_t i = PAIRS - 1; i; i--) {
		uint32_t other = random_below(state, i + 1), kept = order[i];

		order[i] = order[other];
		order[other] = kept;
	}
}

int main(void)
{
	bool objects = true, levels = true, pairs = true;
	uint32_t order[PAIRS];
	uint64_t state = SEED;
	struct findings *first;
	const char *path;

	fixture_begin();
	path = fixture_path("recording");
	for (uint32_t i = 0; i < PAIRS; i++)
		order[i] = i;
	first = findings_of(path, order);
	for (int i = 0; i < 20; i++) {
		struct findings *findings;

		shuffle(order, &state);
		findings = findings_of(path, order);
		objects &= ordered(findings->contexts->objects);
		levels &= ordered(findings->contexts->levels->objects);
		pairs &= same_pairs(first->contexts->levels->pairs,
				    findings->contexts->levels->pairs, FINDINGS_PAIRS);
		findings_free(findings);
	}
	ok(objects, "objects of equal shares: in one order, whichever missed first");
	ok(levels, "those of a level");
	ok(pairs, "pairs of objects");
	findings_free(first);
	return done();
}
