/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Makes perf.data files by the rules of linux/perf_event.h and perf's own
 * documentation, apart from the reader, with random fields that are known.
 */
#ifndef CCSAMPLE_PERF_MAKER_H
#define CCSAMPLE_PERF_MAKER_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "base/random.h"

struct bytes {
	uint8_t *data;
	size_t size, room;
};

static inline void put(struct bytes *bytes, const void *data, size_t size)
{
	if (bytes->size + size > bytes->room) {
		bytes->room = 2 * (bytes->size + size) + 64;
		bytes->data = realloc(bytes->data, bytes->room);
	}
	if (size)
		memcpy(bytes->data + bytes->size, data, size);
	bytes->size += size;
}

static inline void put_u64(struct bytes *bytes, uint64_t value)
{
	put(bytes, &value, 8);
}

static inline void put_u32(struct bytes *bytes, uint32_t value)
{
	put(bytes, &value, 4);
}

static inline void put_zeros(struct bytes *bytes, size_t size)
{
	while (size--)
		put(bytes, "", 1);
}

static uint64_t maker_state;

static inline uint64_t chance(void)
{
	return random_next(&maker_state);
}

static inline uint64_t below(uint64_t limit)
{
	return chance() % limit;
}

static inline void put_noise(struct bytes *bytes, size_t words)
{
	while (words--)
		put_u64(bytes, chance());
}

/* What a record should be read as. */
struct truth {
	uint64_t time;
	bool sample;
	uint32_t event;			/* a sample's */
	uint64_t ip, address, period, data_source, physical;
	uint32_t pid, tid, cpu, weight, type;
	uint16_t misc;
	uint64_t start, length, offset, count;
	uint32_t parent, protection, build_id_size;
	uint8_t build_id[20];
	char name[40];
	struct bytes record;
};

struct maker_event {
	struct perf_event_attr attr;
	uint64_t ids[3];
	uint32_t id_count;
};

static inline void begin_record(struct bytes *bytes, uint32_t type, uint16_t misc)
{
	struct perf_event_header header = { type, misc, 0 };

	put(bytes, &header, sizeof(header));
}

static inline void end_record(struct bytes *bytes, size_t from)
{
	uint16_t size = bytes->size - from;

	memcpy(bytes->data + from + 6, &size, 2);
}

/* A text with its zero byte, padded to 8 bytes. */
static inline void put_name(struct bytes *bytes, const char *name)
{
	size_t size = strlen(name) + 1;

	put(bytes, name, size);
	put_zeros(bytes, -size & 7);
}

static inline void put_read_format(struct bytes *bytes, uint64_t format)
{
	bool group = format & PERF_FORMAT_GROUP;
	uint64_t counters = group ? below(4) : 1;
	size_t times = !!(format & PERF_FORMAT_TOTAL_TIME_ENABLED) +
		       !!(format & PERF_FORMAT_TOTAL_TIME_RUNNING);
	size_t each = 1 + !!(format & PERF_FORMAT_ID) + !!(format & PERF_FORMAT_LOST);

	if (group)
		put_u64(bytes, counters);
	put_noise(bytes, times + counters * each);
}

static inline void put_registers(struct bytes *bytes, uint64_t mask)
{
	uint64_t abi = below(3);

	put_u64(bytes, abi);
	if (abi)
		put_noise(bytes, __builtin_popcountll(mask));
}

static inline void put_counted(struct bytes *bytes, size_t words, bool index)
{
	uint64_t count = below(4);

	put_u64(bytes, count);
	if (index)
		put_u64(bytes, chance());
	put_noise(bytes, count * words);
}

static inline void put_middle(struct bytes *bytes, const struct perf_event_attr *attr)
{
	uint64_t type = attr->sample_type, size;

	if (type & PERF_SAMPLE_READ)
		put_read_format(bytes, attr->read_format);
	if (type & PERF_SAMPLE_CALLCHAIN)
		put_counted(bytes, 1, false);
	if (type & PERF_SAMPLE_RAW) {
		size = 4 + 8 * below(5);
		put_u32(bytes, size);
		put_zeros(bytes, size);
	}
	if (type & PERF_SAMPLE_BRANCH_STACK)
		put_counted(bytes, attr->branch_sample_type & (1u << 19) ? 4 : 3,
			    attr->branch_sample_type & PERF_SAMPLE_BRANCH_HW_INDEX);
	if (type & PERF_SAMPLE_REGS_USER)
		put_registers(bytes, attr->sample_regs_user);
	if (type & PERF_SAMPLE_STACK_USER) {
		size = 8 * below(4);
		put_u64(bytes, size);
		put_noise(bytes, size / 8 + !!size);
	}
}

static inline void put_sample(struct truth *truth, const struct maker_event *event)
{
	const struct perf_event_attr *attr = &event->attr;
	uint64_t type = attr->sample_type, id = event->ids[below(event->id_count)];
	struct bytes *bytes = &truth->record;

	begin_record(bytes, PERF_RECORD_SAMPLE, truth->misc);
	if (type & PERF_SAMPLE_IDENTIFIER)
		put_u64(bytes, id);
	if (type & PERF_SAMPLE_IP)
		put_u64(bytes, truth->ip);
	if (type & PERF_SAMPLE_TID) {
		put_u32(bytes, truth->pid);
		put_u32(bytes, truth->tid);
	}
	if (type & PERF_SAMPLE_TIME)
		put_u64(bytes, truth->time);
	if (type & PERF_SAMPLE_ADDR)
		put_u64(bytes, truth->address);
	if (type & PERF_SAMPLE_ID)
		put_u64(bytes, id);
	if (type & PERF_SAMPLE_STREAM_ID)
		put_u64(bytes, chance());
	if (type & PERF_SAMPLE_CPU)
		put_u64(bytes, truth->cpu);
	if (type & PERF_SAMPLE_PERIOD)
		put_u64(bytes, truth->period);
	put_middle(bytes, attr);
	if (type & PERF_SAMPLE_WEIGHT_STRUCT)
		put_u64(bytes, truth->weight | chance() << 32);
	else if (type & PERF_SAMPLE_WEIGHT)
		put_u64(bytes, truth->weight);
	if (type & PERF_SAMPLE_DATA_SRC)
		put_u64(bytes, truth->data_source);
	if (type & PERF_SAMPLE_TRANSACTION)
		put_u64(bytes, chance());
	if (type & PERF_SAMPLE_REGS_INTR)
		put_registers(bytes, attr->sample_regs_intr);
	if (type & PERF_SAMPLE_PHYS_ADDR)
		put_u64(bytes, truth->physical);
	put_noise(bytes, !!(type & PERF_SAMPLE_CGROUP) + !!(type & PERF_SAMPLE_DATA_PAGE_SIZE) +
			 !!(type & PERF_SAMPLE_CODE_PAGE_SIZE));
	if (type & PERF_SAMPLE_AUX)
		put_counted(bytes, 0, false);
	end_record(bytes, 0);
}

/* What each record that is no sample ends with. */
static inline void put_sample_id(struct truth *truth, const struct maker_event *event)
{
	uint64_t type = event->attr.sample_type, id = event->ids[0];
	struct bytes *bytes = &truth->record;

	if (type & PERF_SAMPLE_TID)
		put_u64(bytes, (uint64_t)truth->tid << 32 | truth->pid);
	if (type & PERF_SAMPLE_TIME)
		put_u64(bytes, truth->time);
	if (type & PERF_SAMPLE_ID)
		put_u64(bytes, id);
	if (type & PERF_SAMPLE_STREAM_ID)
		put_u64(bytes, chance());
	if (type & PERF_SAMPLE_CPU)
		put_u64(bytes, truth->cpu);
	if (type & PERF_SAMPLE_IDENTIFIER)
		put_u64(bytes, id);
	end_record(bytes, 0);
}

static inline void put_told(struct truth *truth, const struct maker_event *event)
{
	struct bytes *bytes = &truth->record;
	bool map2 = truth->type == PERF_RECORD_MMAP2;

	begin_record(bytes, truth->type, truth->misc);
	switch (truth->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		put_u32(bytes, truth->pid);
		put_u32(bytes, truth->tid);
		put_u64(bytes, truth->start);
		put_u64(bytes, truth->length);
		put_u64(bytes, truth->offset);
		if (map2 && truth->misc & PERF_RECORD_MISC_MMAP_BUILD_ID) {
			put_u32(bytes, truth->build_id_size);
			put(bytes, truth->build_id, 20);
		} else if (map2) {
			put_noise(bytes, 3);
		}
		if (map2) {
			put_u32(bytes, truth->protection);
			put_u32(bytes, 2);
		}
		put_name(bytes, truth->name);
		break;
	case PERF_RECORD_COMM:
		put_u32(bytes, truth->pid);
		put_u32(bytes, truth->tid);
		put_name(bytes, truth->name);
		break;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		put_u32(bytes, truth->pid);
		put_u32(bytes, truth->parent);
		put_u32(bytes, truth->tid);
		put_u32(bytes, truth->parent);
		put_u64(bytes, truth->time);
		break;
	case PERF_RECORD_LOST:
		put_u64(bytes, event->ids[0]);
		put_u64(bytes, truth->count);
		break;
	case PERF_RECORD_LOST_SAMPLES:
		put_u64(bytes, truth->count);
		break;
	case PERF_RECORD_THROTTLE:
		put_noise(bytes, 3);
		break;
	}
	put_sample_id(truth, event);
}

/* --- whole files --- */

static inline void put_round(struct bytes *bytes)
{
	begin_record(bytes, 68, 0);
	end_record(bytes, bytes->size - 8);
}

/* u32 size, the text, zeros to 64 bytes as perf pads it. */
static inline void put_text(struct bytes *bytes, const char *text)
{
	size_t size = strlen(text) + 1, padded = (size + 63) & ~(size_t)63;

	put_u32(bytes, padded);
	put(bytes, text, size);
	put_zeros(bytes, padded - size);
}

/* An attribute of any size: what is cut off must be 0, what is added nobody knows. */
static inline void put_attr(struct bytes *bytes, const struct maker_event *event, uint32_t size)
{
	struct perf_event_attr attr = event->attr;
	size_t own = size < sizeof(attr) ? size : sizeof(attr);

	attr.size = size;
	put(bytes, &attr, own);
	while (own++ < size)
		put(bytes, "\x5a", 1);
}

struct section {
	uint64_t offset, size;
};

struct feature {
	uint32_t number;
	struct bytes bytes;
};

/* perf record -o FILE */
static inline struct bytes make_file(const struct maker_event *events, uint32_t count,
				     uint32_t attr_size, const struct bytes *records,
				     const struct feature *features, size_t feature_count)
{
	struct section attrs = { 104, count * (attr_size + 16ull) }, place, data;
	struct bytes file = { NULL };
	uint64_t bits[4] = { 0 }, ids;
	size_t i;

	for (i = 0; i < feature_count; i++)
		bits[features[i].number / 64] |= 1ull << features[i].number % 64;
	ids = attrs.offset + attrs.size;
	data.offset = ids;
	for (i = 0; i < count; i++)
		data.offset += 8ull * events[i].id_count;
	data.size = records->size;
	put(&file, "PERFILE2", 8);
	put_u64(&file, 104);
	put_u64(&file, attr_size + 16);
	put(&file, &attrs, 16);
	put(&file, &data, 16);
	put_zeros(&file, 16);
	put(&file, bits, 32);
	for (i = 0; i < count; i++) {
		put_attr(&file, &events[i], attr_size);
		place = (struct section){ ids, 8ull * events[i].id_count };
		put(&file, &place, 16);
		ids += place.size;
	}
	for (i = 0; i < count; i++)
		put(&file, events[i].ids, 8ull * events[i].id_count);
	put(&file, records->data, records->size);
	place.offset = file.size + 16 * feature_count;
	for (i = 0; i < feature_count; i++) {
		place.size = features[i].bytes.size;
		put(&file, &place, 16);
		place.offset += place.size;
	}
	for (i = 0; i < feature_count; i++)
		put(&file, features[i].bytes.data, features[i].bytes.size);
	return file;
}

/* perf record -o - */
static inline struct bytes make_pipe(const struct maker_event *events, uint32_t count,
				     uint32_t attr_size, const struct bytes *records,
				     const struct feature *features, size_t feature_count)
{
	struct bytes pipe = { NULL };
	size_t i, from;

	put(&pipe, "PERFILE2", 8);
	put_u64(&pipe, 16);
	for (i = 0; i < count; i++) {
		from = pipe.size;
		begin_record(&pipe, 64, 0);
		put_attr(&pipe, &events[i], attr_size);
		put(&pipe, events[i].ids, 8ull * events[i].id_count);
		end_record(&pipe, from);
	}
	for (i = 0; i < feature_count; i++) {
		from = pipe.size;
		begin_record(&pipe, 80, 0);
		put_u64(&pipe, features[i].number);
		put(&pipe, features[i].bytes.data, features[i].bytes.size);
		end_record(&pipe, from);
	}
	put(&pipe, records->data, records->size);
	return pipe;
}

/* perf record -z: one zstd stream, flushed at places that are no records' ends. */
static inline struct bytes pack(const struct bytes *records, bool padded)
{
	ZSTD_CStream *stream = ZSTD_createCStream();
	struct bytes packed = { NULL };
	uint8_t out[40000];
	size_t at = 0, piece, from;

	ZSTD_initCStream(stream, 1);
	while (at < records->size) {
		ZSTD_inBuffer in = { records->data + at, 0, 0 };
		ZSTD_outBuffer to = { out, sizeof(out), 0 };

		piece = 1 + below(3000);
		in.size = piece < records->size - at ? piece : records->size - at;
		ZSTD_compressStream(stream, &to, &in);
		ZSTD_flushStream(stream, &to);
		from = packed.size;
		begin_record(&packed, padded ? 83 : 81, 0);
		if (padded)
			put_u64(&packed, to.pos);
		put(&packed, out, to.pos);
		if (padded)
			put_zeros(&packed, -to.pos & 7);
		end_record(&packed, from);
		at += in.size;
	}
	ZSTD_freeCStream(stream);
	return packed;
}

#endif /* CCSAMPLE_PERF_MAKER_H */
