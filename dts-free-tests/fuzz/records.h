/* SPDX-License-Identifier: GPL-2.0-only */
/* Records of recipe.h's kind: of a recording of samples, of bursts, or of both. */
#ifndef CCSAMPLE_FUZZ_RECORDS_H
#define CCSAMPLE_FUZZ_RECORDS_H

#include "base/array.h"
#include "bursts/outcomes-pack.h"
#include "image.h"
#include "recipe.h"
#include "reference-packer.h"

#define FRAMES_MOST	32	/* of one record */
#define PIECE_MOST	8192	/* bytes */

static void make_samples(struct recipe *recipe, struct ccs_samples *r)
{
	struct ccs_sample *samples = (void *)(r + 1);
	uint32_t i;

	r->event = byte(recipe) & 3;
	r->flags = byte(recipe) & 3;
	r->gap = word(recipe);
	r->events = word(recipe);
	r->fills = word(recipe);
	r->count = byte(recipe);
	r->sample_size = sizeof(*samples);
	for (i = 0; i < r->count; i++) {
		samples[i].time = word(recipe);
		samples[i].ip = word(recipe);
		samples[i].address = word(recipe);
		samples[i].physical = word(recipe);
	}
}

static void make_stack(struct recipe *recipe, struct ccs_stack *r)
{
	uint64_t *frames = (void *)(r + 1);
	uint32_t i;

	r->id = byte(recipe) & 7;
	r->depth = byte(recipe) & 15;
	for (i = 0; i < r->depth; i++)
		frames[i] = word(recipe);
}

/* Frames of the samples that come next; some are out of order, or of samples that never come. */
static void make_frames(struct recipe *recipe, struct ccs_frames *r)
{
	struct ccs_frame *frames = (void *)(r + 1);
	uint32_t i;

	r->count = byte(recipe) & (FRAMES_MOST - 1);
	for (i = 0; i < r->count; i++) {
		frames[i].sample = byte(recipe);
		frames[i].ip = word(recipe);
		frames[i].sp = word(recipe);
		frames[i].bp = word(recipe);
	}
}

static void make_times(struct recipe *recipe, struct ccs_times *r)
{
	r->wall_ns = word(recipe);
	r->user_ns = word(recipe);
	r->system_ns = word(recipe);
	r->runs = byte(recipe);
}

static void make_machine(struct recipe *recipe, struct ccs_record *record)
{
	struct ccs_cache *cache = (void *)record;
	struct ccs_event *event = (void *)record;

	static const uint8_t slices[] = { 1, 2, 6, 8 };

	if (record->type == CCS_CACHE) {
		cache->level = byte(recipe) & 3;
		cache->ways = byte(recipe) & 31;
		cache->sets = byte(recipe);
		cache->line = 8u << (byte(recipe) & 15);
		cache->flags = byte(recipe);
		cache->slices = slices[byte(recipe) & 3];
		return;
	}
	event->id = byte(recipe) & 3;
	event->level = byte(recipe) & 3;
	event->period = word(recipe);
	event->burst = byte(recipe);
	put_text(event->name, "l1-miss");
}

static void make_meta(struct recipe *recipe, struct ccs_meta *meta)
{
	static const char *const keys[] = { "command", "pages", "L2.hash", "L3.hash",
					    "source", "entries" };
	static const char *const hashes[] = { "intel-2", "client-6", "intel-8", "none" };
	const char *key = keys[byte(recipe) % ARRAY_SIZE(keys)];

	meta->key_size = put_text(meta + 1, key);
	if (*key == 's') {
		meta->value_size = put_text((char *)(meta + 1) + meta->key_size, "bursts");
		return;
	}
	meta->value_size = *key == 'L' ?
			   put_text((char *)(meta + 1) + meta->key_size, hashes[byte(recipe) & 3]) :
			   byte(recipe);
}

#define BURST_IPS	4	/* where the timer met the thread */

/* A burst of which one piece or none follows; its bytes are the recipe's own, packed or not. */
static void make_burst(struct recipe *recipe, struct ccs_burst *r)
{
	r->time = word(recipe);
	r->end = word(recipe);
	r->interval_ns = word(recipe);
	r->references = byte(recipe) & 1 ? byte(recipe) : word(recipe) & 0xffff;
	r->bytes = byte(recipe);
	r->timed_ns = byte(recipe);
	r->timed_instructions = byte(recipe) & 1 ? word(recipe) : 0;
	r->missing_ns = r->timed_ns;
	for (int i = 0; i < BURST_IPS; i++)
		((uint64_t *)(r + 1))[i] = word(recipe);
}

static void make_burst_piece(struct recipe *recipe, struct ccs_burst_piece *r)
{
	uint8_t *bytes = (void *)(r + 1);
	uint32_t i;

	r->bytes = byte(recipe);
	r->packing = byte(recipe) % (BURST_OUTCOMES + 1);
	for (i = 0; i < r->bytes; i++)
		bytes[i] = byte(recipe);
}

/* A burst of one piece. */
static void put_burst(struct image *image, struct ccs_burst *burst, const uint8_t *bytes,
		      size_t size, uint32_t packing)
{
	static uint64_t record[(sizeof(struct ccs_burst_piece) + PIECE_MOST) / 8];
	struct ccs_burst_piece *piece = (void *)record;

	if (!size || size > PIECE_MOST)
		return;
	memset(record, 0, sizeof(record));
	piece->record = burst->record;
	piece->record.type = CCS_BURST_PIECE;
	piece->record.size = sizeof(*piece) + (size + 7) / 8 * 8;
	piece->bytes = burst->bytes = size;
	piece->packing = packing;
	memcpy(piece + 1, bytes, size);
	image_put(image, &burst->record);
	image_put(image, &piece->record);
}

/* What unpacks: some references, by the packer itself, or what an L1 makes of them. */
static void make_whole_burst(struct recipe *recipe, struct image *image)
{
	static struct burst_reference all[256];
	const struct cache_geometry l1 = { 1 + (byte(recipe) & 7), 2, 64, 6 };
	struct reference_packer packer = reference_packer_begin();
	struct burst_outcomes outcomes = { .misses = NULL };
	struct packed_outcomes packed = { .bytes = NULL };
	struct burst_levels levels = { .pages = { 0 } };
	struct ccs_burst burst = {
		.record = { sizeof(burst), CCS_BURST, 0, byte(recipe) & 3, byte(recipe) & 3 },
		.time = word(recipe), .end = word(recipe), .references = byte(recipe),
	};
	const uint8_t *bytes;
	size_t size;

	for (uint64_t i = 0; i < burst.references; i++) {
		all[i] = (struct burst_reference){
			word(recipe), word(recipe), 1 + byte(recipe), 1 + (byte(recipe) & 1) };
		reference_packer_add(&packer, &all[i]);
	}
	bytes = reference_packer_end(&packer, &size);
	if (byte(recipe) & 1) {
		put_burst(image, &burst, bytes, size, BURST_PACKING);
	} else {
		burst_outcomes_l1(&outcomes, &levels, &l1, all, burst.references);
		burst_outcomes_pack(&packed, 1, &outcomes);
		put_burst(image, &burst, packed.bytes, packed.size, BURST_OUTCOMES);
	}
	burst_levels_close(&levels);
	burst_outcomes_free(&outcomes);
	free(packed.bytes);
	reference_packer_free(&packer);
}

/* Fields of the record beyond its header, by type. */
static void make_body(struct recipe *recipe, struct ccs_record *record)
{
	uint64_t *words = (uint64_t *)(record + 1);
	struct ccs_level_counts *counts = (void *)record;
	struct ccs_entry *entry = (void *)record;
	size_t i;

	switch (record->type) {
	case CCS_META:
		make_meta(recipe, (void *)record);
		break;
	case CCS_ENTRY:
		entry->load_misses[0] = word(recipe);
		break;
	case CCS_LEVEL_COUNTS:
		counts->level = byte(recipe) & 3;
		counts->load_misses = word(recipe);
		counts->unresolved = word(recipe);
		break;
	case CCS_CACHE:
	case CCS_EVENT:
		make_machine(recipe, record);
		break;
	case CCS_PROCESS:
	case CCS_MAP:
	case CCS_ALLOC:
		make_place(recipe, record);
		break;
	case CCS_STACK:
		make_stack(recipe, (void *)record);
		break;
	case CCS_SAMPLES:
		make_samples(recipe, (void *)record);
		break;
	case CCS_FRAMES:
		make_frames(recipe, (void *)record);
		break;
	case CCS_BURST:
		make_burst(recipe, (void *)record);
		break;
	case CCS_BURST_PIECE:
		make_burst_piece(recipe, (void *)record);
		break;
	case CCS_TIMES:
		make_times(recipe, (void *)record);
		break;
	default:
		for (i = 0; i < 8; i++)
			words[i] = word(recipe);
	}
}

static void make_record(struct recipe *recipe, struct image *image)
{
	static const uint16_t sizes[] = {
		[CCS_META] = sizeof(struct ccs_meta) + 264,
		[CCS_CACHE] = sizeof(struct ccs_cache),
		[CCS_EVENT] = sizeof(struct ccs_event),
		[CCS_PROCESS] = sizeof(struct ccs_process) + PATH_ROOM,
		[CCS_THREAD] = sizeof(struct ccs_thread),
		[CCS_MAP] = sizeof(struct ccs_map) + PATH_ROOM,
		[CCS_UNMAP] = sizeof(struct ccs_unmap),
		[CCS_STACK] = sizeof(struct ccs_stack) + 15 * 8,
		[CCS_ALLOC] = sizeof(struct ccs_alloc),
		[CCS_FREE] = sizeof(struct ccs_free),
		[CCS_SAMPLES] = sizeof(struct ccs_samples) + 255 * sizeof(struct ccs_sample),
		[CCS_COUNTS] = sizeof(struct ccs_counts),
		[CCS_LOST] = sizeof(struct ccs_lost),
		[CCS_UNSUPPORTED] = sizeof(struct ccs_unsupported),
		[CCS_EXIT] = sizeof(struct ccs_exit),
		[CCS_LEVEL_COUNTS] = sizeof(struct ccs_level_counts),
		[CCS_FRAMES] = sizeof(struct ccs_frames) + FRAMES_MOST * sizeof(struct ccs_frame),
		[CCS_TIMES] = sizeof(struct ccs_times),
		[CCS_ENTRY] = sizeof(struct ccs_entry),
		[CCS_ACCESSES] = sizeof(struct ccs_accesses),
		[CCS_BURST] = sizeof(struct ccs_burst) + BURST_IPS * sizeof(uint64_t),
		[CCS_BURST_PIECE] = sizeof(struct ccs_burst_piece) + 256,
	};
	static uint64_t buffer[2048];
	struct ccs_record *record = (void *)buffer;

	memset(buffer, 0, sizeof(buffer));
	record->type = CCS_META + byte(recipe) % (CCS_BURST_PIECE - CCS_META + 2);
	if (record->type > CCS_BURST_PIECE) {
		make_whole_burst(recipe, image);
		return;
	}
	if (record->type == CCS_END)	/* the writer's own */
		record->type = byte(recipe) & 1 ? CCS_ENTRY : CCS_LEVEL_COUNTS;
	record->process = byte(recipe) & 3;
	record->tid = byte(recipe) & 3;
	make_body(recipe, record);
	record->size = sizes[record->type];
	image_put(image, record);
}

/* A recording: with a machine that makes sense, where the first byte says so. */
static void make_recording(struct recipe *recipe, struct image *image)
{
	static const uint8_t usual[] = {
		CCS_CACHE - 1, 0, 0, 1, 8, 64, 3, 0, 0,
		CCS_EVENT - 1, 0, 0, 1, 1, 8, 19, 64,
	};
	struct recipe machine = { usual, usual + sizeof(usual) };

	image_begin(image);
	if (byte(recipe) & 1)
		while (machine.at < machine.end)
			make_record(&machine, image);
	while (recipe->at < recipe->end)
		make_record(recipe, image);
	image_end(image);
}

#endif /* CCSAMPLE_FUZZ_RECORDS_H */
