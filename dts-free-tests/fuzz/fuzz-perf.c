// SPDX-License-Identifier: GPL-2.0-only
/*
 * libFuzzer on the reader of perf.data and on what makes records of it. The
 * first byte of an input says how the rest is taken:
 *
 *	0	as a file or a pipe, as it is
 *	1	as records in a pipe
 *	2	as records packed in a pipe, in pieces
 *
 * in memory of just its size, in two pieces. Whatever comes in: an end, nothing
 * read past it, samples of known events alone, and records that may be written.
 */
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "base/fail.h"
#include "perf/levels.h"
#include "perf/reader.h"
#include "import/perf-images.h"
#include "import/perf-samples.h"

#define PIECE	700

struct work {
	const struct perf_attrs *attrs;
	struct perf_images images;
	struct perf_batches batches;
	uint64_t told, samples;
};

static volatile uint8_t sink;

static void touch(const void *bytes, size_t size)
{
	size_t i;

	for (i = 0; i < size; i++)
		sink ^= ((const uint8_t *)bytes)[i];
}

static void begin(void *context, const struct perf_facts *facts, const struct perf_attrs *attrs)
{
	struct work *work = context;
	uint32_t level;
	char *name;
	size_t i;

	if (work->attrs)
		abort();
	work->attrs = attrs;
	work->images.facts = facts;
	for (i = 0; i < attrs->count; i++) {
		name = perf_event_name(facts, &attrs->events[i]);
		touch(name, strlen(name));
		if (perf_event_meaning(facts, &attrs->events[i], &level) == PERF_MEANING_MISSES &&
		    (level < 1 || level > 3))
			abort();
		free(name);
	}
}

static void take_sample(void *context, const struct perf_event *event,
			const struct perf_sample *sample)
{
	struct work *work = context;
	size_t number = event - work->attrs->events;
	const struct perf_source source = perf_source_of(sample->data_source);
	uint32_t image;

	if (number >= work->attrs->count || source.missed > 3)
		abort();
	image = perf_images_of(&work->images, sample->pid, sample->time);
	perf_batches_add(&work->batches, image, 1 + number % 8,
			   sample->period ? sample->period : 1,
			   sample->period ? sample->period : 1, source.store, sample);
	work->samples++;
}

static void take_told(void *context, const struct side_event *told)
{
	struct work *work = context;

	touch(told->name, told->name_size);
	perf_images_side_event(&work->images, told);
	work->told++;
}

static void settle(void *context, uint32_t image)
{
	struct work *work = context;

	perf_batches_settle(&work->batches, image);
}

/* --- inputs --- */

struct bytes {
	uint8_t *data;
	size_t size;
};

static void put(struct bytes *bytes, const void *data, size_t size)
{
	bytes->data = realloc(bytes->data, bytes->size + size + 1);
	memcpy(bytes->data + bytes->size, data, size);
	bytes->size += size;
}

static struct bytes begin_pipe(void)
{
	struct bytes bytes = { NULL };
	const uint64_t head[2] = { PERF_MAGIC, PERF_PIPE_HEADER };

	put(&bytes, head, sizeof(head));
	return bytes;
}

static struct bytes packed(const uint8_t *data, size_t size)
{
	struct bytes bytes = begin_pipe();
	size_t room = ZSTD_compressBound(size), done = 0, piece;
	uint8_t *all = malloc(room);

	room = ZSTD_compress(all, room, data, size, 1);
	for (; done < room; done += piece) {
		struct perf_event_header header = { .type = PERF_OWN_COMPRESSED };

		piece = room - done < PIECE ? room - done : PIECE;
		header.size = sizeof(header) + piece;
		put(&bytes, &header, sizeof(header));
		put(&bytes, all + done, piece);
	}
	free(all);
	return bytes;
}

static struct bytes dress(uint8_t how, const uint8_t *data, size_t size)
{
	struct bytes bytes;

	if (how % 3 == 2)
		return packed(data, size);
	bytes = how % 3 ? begin_pipe() : (struct bytes){ NULL };
	put(&bytes, data, size);
	return bytes;
}

/* In memory of its own: a byte too far is found. */
static size_t feed(struct perf_reader *reader, const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(size ? size : 1);
	size_t used;

	memcpy(copy, data, size);
	used = perf_reader_take(reader, copy, size);
	if (used > size)
		abort();
	free(copy);
	return used;
}

static void read_bytes(struct perf_reader *reader, const struct bytes *bytes)
{
	struct perf_extent records = {
		.offset = PERF_PIPE_HEADER, .size = bytes->size - PERF_PIPE_HEADER,
	};
	enum perf_kind kind;
	size_t used;

	if (perf_kind(bytes->data, bytes->size, &kind))
		return;
	if (kind == PERF_KIND_FILE &&
	    perf_reader_file(reader, bytes->data, bytes->size, &records))
		return;
	if (records.size && (records.offset > bytes->size ||
			     records.size > bytes->size - records.offset))
		abort();
	/* Where there is nothing, it may be said to lie anywhere. */
	if (!records.size)
		records.offset = 0;
	used = feed(reader, bytes->data + records.offset, records.size / 2);
	feed(reader, bytes->data + records.offset + used, records.size - used);
	perf_reader_end(reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct recording_writer *writer = recording_create("/dev/null");
	struct work work = {
		.images = { .writer = writer, .settle = settle, .context = &work },
		.batches = { .writer = writer },
	};
	const struct perf_listener listener = { &work, begin, take_sample, take_told };
	struct perf_reader *reader = perf_reader_new(&listener);
	struct bytes bytes = dress(size ? data[0] : 0, data + !!size, size - !!size);

	if (bytes.size >= PERF_PIPE_HEADER)
		read_bytes(reader, &bytes);
	perf_images_end(&work.images);
	perf_batches_settle(&work.batches, 0);
	if (perf_reader_totals(reader).samples > perf_reader_totals(reader).records)
		abort();
	perf_reader_free(reader);
	free(work.batches.all);
	free(bytes.data);
	/* A record that may not be written was one that may not come out. */
	if (recording_finish(writer, 0))
		abort();
	return 0;
}
