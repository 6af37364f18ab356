// SPDX-License-Identifier: GPL-2.0-only
#include "perf/cursor.h"
#include "perf/sample.h"

/* struct read_format, of one counter or of a group. */
static void skip_read(struct perf_cursor *cursor, uint64_t format)
{
	bool group = format & PERF_FORMAT_GROUP;
	size_t times = !!(format & PERF_FORMAT_TOTAL_TIME_ENABLED) +
		       !!(format & PERF_FORMAT_TOTAL_TIME_RUNNING);
	size_t each = 1 + !!(format & PERF_FORMAT_ID) + !!(format & PERF_READ_LOST);
	uint64_t counters = group ? perf_u64(cursor) : 1;

	perf_skip(cursor, times, 8);
	perf_skip(cursor, counters, 8 * each);
}

static void skip_branches(struct perf_cursor *cursor, uint64_t type)
{
	uint64_t count = perf_u64(cursor);

	if (type & PERF_SAMPLE_BRANCH_HW_INDEX)
		perf_u64(cursor);
	perf_skip(cursor, count, 24);
	if (type & PERF_BRANCH_COUNTERS)
		perf_skip(cursor, count, 8);
}

static void skip_registers(struct perf_cursor *cursor, uint64_t mask)
{
	if (perf_u64(cursor) != PERF_SAMPLE_REGS_ABI_NONE)
		perf_skip(cursor, __builtin_popcountll(mask), 8);
}

static void skip_stack(struct perf_cursor *cursor)
{
	uint64_t size = perf_u64(cursor);

	perf_skip(cursor, size, 1);
	if (size)
		perf_u64(cursor);	/* how much of it was used */
}

/* Fields that are not asked for but stand before those that are. */
static void skip_middle(struct perf_cursor *cursor, const struct perf_event_attr *attr)
{
	uint64_t type = attr->sample_type;

	if (type & PERF_SAMPLE_READ)
		skip_read(cursor, attr->read_format);
	if (type & PERF_SAMPLE_CALLCHAIN)
		perf_skip(cursor, perf_u64(cursor), 8);
	if (type & PERF_SAMPLE_RAW)
		perf_skip(cursor, perf_u32(cursor), 1);
	if (type & PERF_SAMPLE_BRANCH_STACK)
		skip_branches(cursor, attr->branch_sample_type);
	if (type & PERF_SAMPLE_REGS_USER)
		skip_registers(cursor, attr->sample_regs_user);
	if (type & PERF_SAMPLE_STACK_USER)
		skip_stack(cursor);
}

static uint32_t read_weight(struct perf_cursor *cursor, uint64_t type)
{
	uint64_t weight = perf_u64(cursor);

	if (type & PERF_SAMPLE_WEIGHT_STRUCT)
		return (uint32_t)weight;
	return weight < UINT32_MAX ? weight : UINT32_MAX;
}

static void read_end(struct perf_cursor *cursor, const struct perf_event_attr *attr,
		     struct perf_sample *sample)
{
	uint64_t type = attr->sample_type;

	if (type & PERF_SAMPLE_WEIGHT_TYPE)
		sample->weight = read_weight(cursor, type);
	if (type & PERF_SAMPLE_DATA_SRC)
		sample->data_source = perf_u64(cursor);
	if (type & PERF_SAMPLE_TRANSACTION)
		perf_u64(cursor);
	if (type & PERF_SAMPLE_REGS_INTR)
		skip_registers(cursor, attr->sample_regs_intr);
	if (type & PERF_SAMPLE_PHYS_ADDR)
		sample->physical = perf_u64(cursor);
}

static void read_start(struct perf_cursor *cursor, uint64_t type, struct perf_sample *sample)
{
	if (type & PERF_SAMPLE_IDENTIFIER)
		perf_u64(cursor);
	if (type & PERF_SAMPLE_IP)
		sample->ip = perf_u64(cursor);
	if (type & PERF_SAMPLE_TID) {
		sample->pid = perf_u32(cursor);
		sample->tid = perf_u32(cursor);
	}
	if (type & PERF_SAMPLE_TIME)
		sample->time = perf_u64(cursor);
	if (type & PERF_SAMPLE_ADDR)
		sample->address = perf_u64(cursor);
	if (type & PERF_SAMPLE_ID)
		perf_u64(cursor);
	if (type & PERF_SAMPLE_STREAM_ID)
		perf_u64(cursor);
	if (type & PERF_SAMPLE_CPU) {
		sample->cpu = perf_u32(cursor);
		perf_u32(cursor);
	}
	if (type & PERF_SAMPLE_PERIOD)
		sample->period = perf_u64(cursor);
}

const char *perf_sample_read(const struct perf_event *event, const uint8_t *record, size_t size,
			     struct perf_sample *sample)
{
	const struct perf_event_attr *attr = &event->attr;
	struct perf_cursor cursor = perf_cursor(record + PERF_RECORD_HEADER,
						size - PERF_RECORD_HEADER);

	*sample = (struct perf_sample){
		.fields = attr->sample_type,
		.misc = perf_header_of(record).misc,
		.period = attr->freq ? 0 : attr->sample_period,
	};
	read_start(&cursor, attr->sample_type, sample);
	skip_middle(&cursor, attr);
	read_end(&cursor, attr, sample);
	return cursor.cut ? "a sample is shorter than its event's fields" : NULL;
}
