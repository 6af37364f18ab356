// SPDX-License-Identifier: GPL-2.0-only
/*
 * keep-classes FROM TO [PACKING]: a recording of bursts of references, as if it had been recorded
 * with `record --keep classes` in the same moments; its pieces may say that another version did.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "burst-source/classes.h"
#include "bursts/outcomes-pack.h"
#include "cachesim/geometry.h"
#include "format/pass.h"

#define PIECE_MOST 60000u

static struct recording_writer *writer;
static struct hierarchy_plan caches;
static struct burst_classes *classes;
static struct ccs_long_burst *head;	/* whose pieces come, with all that follows its fields */
static uint8_t *bytes;
static size_t size;
static uint32_t packing = BURST_OUTCOMES;

static void copy(void *context, const struct ccs_record *record)
{
	recording_write(writer, record);
}

static void take_cache(void *context, const struct ccs_record *record)
{
	const struct ccs_cache *cache = (const void *)record;

	if (cache->level == caches.levels + 1 && cache->slices == 1)
		cache_geometry_init(&caches.level[caches.levels++].geometry,
				    (uint64_t)cache->sets * cache->ways * cache->line,
				    cache->ways, cache->line);
	copy(context, record);
}

static void write_pieces(const uint8_t *from, size_t left)
{
	static union {
		struct ccs_burst_piece piece;
		uint8_t bytes[sizeof(struct ccs_burst_piece) + PIECE_MOST + 8];
	} to;
	size_t part;

	for (; left; left -= part, from += part) {
		part = left < PIECE_MOST ? left : PIECE_MOST;
		memset(&to, 0, sizeof(to));
		to.piece.record = head->burst.record;
		to.piece.record.type = CCS_BURST_PIECE;
		to.piece.record.size = sizeof(to.piece) + (part + 7) / 8 * 8;
		to.piece.bytes = part;
		to.piece.packing = packing;
		memcpy(&to.piece + 1, from, part);
		recording_write(writer, &to.piece.record);
	}
}

static void finish(void)
{
	const uint8_t *outcomes;

	if (!classes)
		classes = burst_classes_new(&caches);
	outcomes = burst_classes_of(classes, &head->burst, head->burst.record.process, bytes,
				    &size);
	if (!outcomes)
		exit(1);
	head->burst.bytes = size;
	recording_write(writer, &head->burst.record);
	write_pieces(outcomes, size);
}

static void take_burst(void *context, const struct ccs_record *record)
{
	free(head);
	head = xmalloc(record->size);
	memcpy(head, record, record->size);
	bytes = xrealloc(bytes, head->burst.bytes + 1);
	size = 0;
	if (!head->burst.bytes)
		finish();
}

static void take_piece(void *context, const struct ccs_record *record)
{
	const struct ccs_burst_piece *piece = (const void *)record;

	memcpy(bytes + size, piece + 1, piece->bytes);
	size += piece->bytes;
	if (size == head->burst.bytes)
		finish();
}

static void take_end(void *context, const struct ccs_record *record)
{
	uint64_t *duration = context;

	*duration = ((const struct ccs_end *)record)->duration_ns;
}

int main(int argc, char **argv)
{
	static const struct record_consumer consumer = {
		.take = {
			[CCS_CACHE] = take_cache, [CCS_BURST] = take_burst,
			[CCS_LONG_BURST] = take_burst, [CCS_BURST_PIECE] = take_piece,
			[CCS_END] = take_end,
		},
		.other = copy,
	};
	struct recording *recording = argc >= 3 ? recording_open(argv[1]) : NULL;
	uint64_t duration = 0;

	if (!recording)
		return 2;
	if (argc == 4)
		packing = atoi(argv[3]);
	writer = recording_create(argv[2]);
	if (!writer || recording_pass(recording, &consumer, &duration))
		return 1;
	recording_close(recording);
	burst_classes_free(classes);
	free(head);
	free(bytes);
	return recording_finish(writer, duration) ? 1 : 0;
}
