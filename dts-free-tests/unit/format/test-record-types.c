// SPDX-License-Identifier: GPL-2.0-only
/* The table of record types against the structs: every type once, its size, its time. */
#include <stddef.h>
#include <string.h>

#include "base/array.h"
#include "format/record-types.h"
#include "tap.h"

union any {
	struct ccs_record record;
	uint64_t words[CCS_RECORD_MAX / 8];
};

static union any any;
static bool listed[1u << 16];

/* Whatever lies behind the header of a type without a time is not read as one. */
static void check(uint16_t type, const char *name, size_t size, bool timed, bool result)
{
	const struct record_type *row = record_type_find(type);

	listed[type] = true;
	any.record.type = type;
	any.record.size = size;
	ok(row && !strcmp(row->name, name + strlen("CCS_")), "%s has its name", name);
	ok(row && row->size == size, "%s: %zu bytes", name, size);
	ok(row && row->timed == timed && row->result == result, "%s: a time, a result", name);
	ok(record_time(&any.record) == (timed ? 77 : 0), "%s: its time", name);
}

/* The compiler finds the field, or there is none. */
#define TIMED(type, structure, result)						\
	do {									\
		memset(&any, 0xee, sizeof(any));				\
		((struct structure *)&any)->time = 77;				\
		check(type, #type, sizeof(struct structure), true, result);	\
	} while (0)
#define UNTIMED(type, structure, result)					\
	do {									\
		memset(&any, 0xee, sizeof(any));				\
		check(type, #type, sizeof(struct structure), false, result);	\
	} while (0)

static void test_recording(void)
{
	UNTIMED(CCS_META, ccs_meta, false);
	UNTIMED(CCS_CACHE, ccs_cache, false);
	UNTIMED(CCS_EVENT, ccs_event, false);
	TIMED(CCS_PROCESS, ccs_process, false);
	TIMED(CCS_THREAD, ccs_thread, false);
	TIMED(CCS_MAP, ccs_map, false);
	TIMED(CCS_UNMAP, ccs_unmap, false);
	UNTIMED(CCS_STACK, ccs_stack, false);
	TIMED(CCS_ALLOC, ccs_alloc, false);
	TIMED(CCS_FREE, ccs_free, false);
	TIMED(CCS_COUNTS, ccs_counts, false);
	UNTIMED(CCS_LOST, ccs_lost, false);
	TIMED(CCS_UNSUPPORTED, ccs_unsupported, false);
	TIMED(CCS_EXIT, ccs_exit, false);
	UNTIMED(CCS_END, ccs_end, false);
	TIMED(CCS_LEVEL_COUNTS, ccs_level_counts, false);
	UNTIMED(CCS_FRAMES, ccs_frames, false);
	UNTIMED(CCS_SAVED, ccs_saved, false);
	UNTIMED(CCS_CLASS_COUNTS, ccs_class_counts, false);
	UNTIMED(CCS_TIMES, ccs_times, false);
	UNTIMED(CCS_ACCESSES, ccs_accesses, false);
	UNTIMED(CCS_REFERENCES, ccs_references, false);
	UNTIMED(CCS_MEMBERS, ccs_members, false);
	TIMED(CCS_ENTRY, ccs_entry, false);
	TIMED(CCS_FORGET, ccs_forget, false);
	TIMED(CCS_FORGET_MAPS, ccs_forget, false);
	TIMED(CCS_BURST, ccs_burst, false);
	UNTIMED(CCS_BURST_PIECE, ccs_burst_piece, false);
	/* Its time is that of the burst in it; old ones end before .both. */
	listed[CCS_LONG_BURST] = record_type_find(CCS_LONG_BURST)->size ==
				 offsetof(struct ccs_long_burst, both);
}

static void test_simulation(void)
{
	TIMED(CCS_SIM_SITE, ccs_sim_site, false);
	TIMED(CCS_SIM_OBJECT, ccs_sim_object, false);
	TIMED(CCS_SIM_ASK, ccs_sim_ask, false);
	UNTIMED(CCS_SIM_ANSWER, ccs_sim_answer, false);
	TIMED(CCS_SIM_RUN, ccs_sim_run, true);
	UNTIMED(CCS_SIM_LEVEL, ccs_sim_level, true);
	UNTIMED(CCS_SIM_ROW, ccs_sim_row, true);
	UNTIMED(CCS_SIM_SETS, ccs_sim_sets, true);
	UNTIMED(CCS_SIM_DATA, ccs_sim_data, true);
	UNTIMED(CCS_SIM_PAIR, ccs_sim_pair, true);
	TIMED(CCS_SIM_PHASE, ccs_sim_phase, true);
	UNTIMED(CCS_SIM_REUSE, ccs_sim_reuse, true);
	UNTIMED(CCS_SIM_SET_REUSE, ccs_sim_sets, true);
	UNTIMED(CCS_SIM_ALIAS, ccs_sim_pair, true);
	UNTIMED(CCS_SIM_DEPTHS, ccs_sim_depths, true);
	UNTIMED(CCS_SIM_THREAD, ccs_sim_thread, true);
	UNTIMED(CCS_SIM_PREFETCH, ccs_sim_prefetch, true);
	UNTIMED(CCS_SIM_CORE, ccs_sim_core, true);
	UNTIMED(CCS_SIM_SHARING, ccs_sim_pair, true);
	UNTIMED(CCS_SIM_EDGE, ccs_sim_pair, true);
}

/* SAMPLES have the time of the last one. */
static void test_samples(void)
{
	struct ccs_samples *samples = (void *)&any;
	struct ccs_sample *sample = (void *)(samples + 1);
	uint32_t count;

	for (count = 0; count < 4; count++) {
		memset(&any, 0, sizeof(any));
		samples->record.type = CCS_SAMPLES;
		samples->count = count;
		samples->sample_size = sizeof(*sample);
		for (uint32_t i = 0; i < 4; i++)
			sample[i].time = 100 + i;
		ok(record_time(&any.record) == (count ? 99 + count : 0), "%u samples", count);
	}
	listed[CCS_SAMPLES] = record_type_find(CCS_SAMPLES)->size == sizeof(*samples);
}

int main(void)
{
	uint32_t type, others = 0;

	test_recording();
	test_simulation();
	test_samples();
	for (type = 0; type < ARRAY_SIZE(listed); type++)
		others += !record_type_find(type) != !listed[type];
	ok(!others, "no other type is known");
	return done();
}
