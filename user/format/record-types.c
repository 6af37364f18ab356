// SPDX-License-Identifier: GPL-2.0-only
#include <stddef.h>

#include "format/record-types.h"

#define BOTH	(RECORD_OF_ENGINE | RECORD_OF_LIBRARY)
#define ENGINE	RECORD_OF_ENGINE

/* Columns: name, fixed size, has a time, is a result of a simulation, senders. */
static const struct record_type types[RECORD_TYPES] = {
	[CCS_META] = { "META", sizeof(struct ccs_meta), false, false, 0 },
	[CCS_CACHE] = { "CACHE", sizeof(struct ccs_cache), false, false, 0 },
	[CCS_EVENT] = { "EVENT", sizeof(struct ccs_event), false, false, 0 },
	[CCS_PROCESS] = { "PROCESS", sizeof(struct ccs_process), true, false, BOTH },
	[CCS_THREAD] = { "THREAD", sizeof(struct ccs_thread), true, false, BOTH },
	[CCS_MAP] = { "MAP", sizeof(struct ccs_map), true, false, BOTH },
	[CCS_UNMAP] = { "UNMAP", sizeof(struct ccs_unmap), true, false, BOTH },
	[CCS_STACK] = { "STACK", sizeof(struct ccs_stack), false, false, BOTH },
	[CCS_ALLOC] = { "ALLOC", sizeof(struct ccs_alloc), true, false, BOTH },
	[CCS_FREE] = { "FREE", sizeof(struct ccs_free), true, false, BOTH },
	[CCS_SAMPLES] = { "SAMPLES", sizeof(struct ccs_samples), false, false, ENGINE },
	[CCS_COUNTS] = { "COUNTS", sizeof(struct ccs_counts), true, false, ENGINE },
	[CCS_LOST] = { "LOST", sizeof(struct ccs_lost), false, false, ENGINE },
	[CCS_UNSUPPORTED] = { "UNSUPPORTED", sizeof(struct ccs_unsupported), true, false, ENGINE },
	[CCS_EXIT] = { "EXIT", sizeof(struct ccs_exit), true, false, BOTH },
	[CCS_END] = { "END", sizeof(struct ccs_end), false, false, 0 },
	[CCS_LEVEL_COUNTS] = { "LEVEL_COUNTS", sizeof(struct ccs_level_counts), true, false,
			       ENGINE },
	[CCS_ENTRY] = { "ENTRY", sizeof(struct ccs_entry), true, false, ENGINE },
	[CCS_FRAMES] = { "FRAMES", sizeof(struct ccs_frames), false, false, ENGINE },
	[CCS_SAVED] = { "SAVED", sizeof(struct ccs_saved), false, false, ENGINE },
	[CCS_CLASS_COUNTS] = { "CLASS_COUNTS", sizeof(struct ccs_class_counts), false, false,
			       ENGINE },
	[CCS_TIMES] = { "TIMES", sizeof(struct ccs_times), false, false, 0 },
	[CCS_ACCESSES] = { "ACCESSES", sizeof(struct ccs_accesses), false, false, ENGINE },
	[CCS_FORGET] = { "FORGET", sizeof(struct ccs_forget), true, false, RECORD_OF_LIBRARY },
	[CCS_FORGET_MAPS] = { "FORGET_MAPS", sizeof(struct ccs_forget), true, false,
			      RECORD_OF_LIBRARY },
	[CCS_BURST] = { "BURST", sizeof(struct ccs_burst), true, false, 0 },
	[CCS_BURST_PIECE] = { "BURST_PIECE", sizeof(struct ccs_burst_piece), false, false, 0 },
	/* Old ones end before .both. */
	[CCS_LONG_BURST] = { "LONG_BURST", offsetof(struct ccs_long_burst, both), true, false, 0 },
	[CCS_REFERENCES] = { "REFERENCES", sizeof(struct ccs_references), false, false, ENGINE },
	[CCS_MEMBERS] = { "MEMBERS", sizeof(struct ccs_members), false, false, 0 },
	[CCS_SIM_SITE] = { "SIM_SITE", sizeof(struct ccs_sim_site), true, false, ENGINE },
	[CCS_SIM_OBJECT] = { "SIM_OBJECT", sizeof(struct ccs_sim_object), true, false, ENGINE },
	[CCS_SIM_ASK] = { "SIM_ASK", sizeof(struct ccs_sim_ask), true, false, ENGINE },
	[CCS_SIM_ANSWER] = { "SIM_ANSWER", sizeof(struct ccs_sim_answer), false, false, 0 },
	[CCS_SIM_RUN] = { "SIM_RUN", sizeof(struct ccs_sim_run), true, true, ENGINE },
	[CCS_SIM_LEVEL] = { "SIM_LEVEL", sizeof(struct ccs_sim_level), false, true, ENGINE },
	[CCS_SIM_ROW] = { "SIM_ROW", sizeof(struct ccs_sim_row), false, true, ENGINE },
	[CCS_SIM_SETS] = { "SIM_SETS", sizeof(struct ccs_sim_sets), false, true, ENGINE },
	[CCS_SIM_DATA] = { "SIM_DATA", sizeof(struct ccs_sim_data), false, true, ENGINE },
	[CCS_SIM_PAIR] = { "SIM_PAIR", sizeof(struct ccs_sim_pair), false, true, ENGINE },
	[CCS_SIM_PHASE] = { "SIM_PHASE", sizeof(struct ccs_sim_phase), true, true, ENGINE },
	[CCS_SIM_REUSE] = { "SIM_REUSE", sizeof(struct ccs_sim_reuse), false, true, ENGINE },
	[CCS_SIM_SET_REUSE] = { "SIM_SET_REUSE", sizeof(struct ccs_sim_sets), false, true, ENGINE },
	[CCS_SIM_ALIAS] = { "SIM_ALIAS", sizeof(struct ccs_sim_pair), false, true, ENGINE },
	[CCS_SIM_DEPTHS] = { "SIM_DEPTHS", sizeof(struct ccs_sim_depths), false, true, ENGINE },
	[CCS_SIM_PREFETCH] = { "SIM_PREFETCH", sizeof(struct ccs_sim_prefetch), false, true,
			       ENGINE },
	[CCS_SIM_CORE] = { "SIM_CORE", sizeof(struct ccs_sim_core), false, true, ENGINE },
	[CCS_SIM_SHARING] = { "SIM_SHARING", sizeof(struct ccs_sim_pair), false, true, ENGINE },
	[CCS_SIM_EDGE] = { "SIM_EDGE", sizeof(struct ccs_sim_pair), false, true, ENGINE },
	[CCS_SIM_THREAD] = { "SIM_THREAD", sizeof(struct ccs_sim_thread), false, true, ENGINE },
};

const struct record_type *record_type_find(uint16_t type)
{
	return type < RECORD_TYPES && types[type].size ? &types[type] : NULL;
}

/* A record that begins with a time, of any type. */
struct timed {
	struct ccs_record record;
	uint64_t time;
};

uint64_t record_time(const struct ccs_record *record)
{
	const struct ccs_samples *samples = (const void *)record;
	const struct record_type *type = record_type_find(record->type);
	const struct ccs_sample *last;

	if (type && type->timed)
		return ((const struct timed *)record)->time;
	if (record->type != CCS_SAMPLES || !samples->count)
		return 0;
	last = (const void *)((const uint8_t *)(samples + 1) +
			      (samples->count - 1ull) * samples->sample_size);
	return last->time;
}
