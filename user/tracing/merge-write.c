// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "base/allocator.h"
#include "base/fail.h"
#include "base/memory.h"
#include "tracing/merge-internal.h"

static int write_piece(void *context, const uint8_t *bytes, uint32_t size, uint64_t references)
{
	struct trace_merger *merger = context;
	struct ccs_references *r = xcalloc(1, sizeof(*r) + size + 7);
	int result;

	r->record = (struct ccs_record){
		.size = (sizeof(*r) + size + 7) & ~7u, .type = CCS_REFERENCES,
		.process = merger->team.process,
	};
	r->references = references;
	r->bytes_size = size;
	memcpy(r + 1, bytes, size);
	result = recording_write(merger->out, &r->record);
	free(r);
	return result;
}

int merger_open(struct trace_merger *merger, const char *out, uint32_t ranks)
{
	*merger = (struct trace_merger){ .ranks = ranks, .out = recording_create(out) };
	merge_open(&merger->merge, &merger->sets);
	if (!merger->out)
		return -1;
	if (!dictionary_open(&merger->dictionary) ||
	    !encoder_open(&merger->encoder, write_piece, merger, &libc_allocator))
		return fail("out of memory to merge traces");
	return 0;
}

int merger_close(struct trace_merger *merger, int failed)
{
	int result = 0;
	size_t i;

	if (merger->out && failed)
		recording_discard(merger->out);
	else if (merger->out)
		result = recording_finish(merger->out, 0);
	for (i = 0; i < merger->record_count; i++)
		free(merger->records[i]);
	free(merger->records);
	free(merger->teams);
	map_free(&merger->record_numbers);
	map_free(&merger->team_numbers);
	merge_close(&merger->merge);
	member_sets_free(&merger->sets);
	if (merger->encoder.bytes)
		encoder_close(&merger->encoder);
	if (merger->dictionary.shapes.memory)
		dictionary_close(&merger->dictionary);
	return result;
}

bool merger_keeps(uint16_t type)
{
	switch (type) {
	case CCS_PROCESS:
	case CCS_THREAD:
	case CCS_MAP:
	case CCS_UNMAP:
	case CCS_STACK:
	case CCS_ALLOC:
	case CCS_FREE:
	case CCS_FORGET:
	case CCS_FORGET_MAPS:
	case CCS_EXIT:
	case CCS_LOST:
		return true;
	default:
		return false;
	}
}

/* --- keys --- */

uint64_t merger_key(struct trace_merger *merger, uint32_t process, uint32_t threads,
		    uint32_t shape)
{
	uint64_t *number = map_at(&merger->team_numbers, (uint64_t)process << 32 | threads);

	if (!*number) {
		merger->teams = grow(merger->teams, merger->team_count, &merger->team_capacity,
				     sizeof(*merger->teams));
		merger->teams[merger->team_count] = (struct trace_team){ process, threads };
		*number = ++merger->team_count;
	}
	return (*number - 1) << 32 | shape;
}

static uint64_t hash_record(const struct ccs_record *record)
{
	const uint64_t *words = (const void *)record;
	uint64_t hash = 0;
	uint32_t i;

	for (i = 0; i < record->size / sizeof(*words); i++) {
		hash = (hash ^ words[i]) * 0x9e3779b97f4a7c15u;
		hash ^= hash >> 32;
	}
	return hash;
}

uint64_t merger_record(struct trace_merger *merger, const struct ccs_record *record)
{
	uint64_t hash = hash_record(record), *number = map_at(&merger->record_numbers, hash);
	const struct ccs_record *known;

	for (; *number; number = map_at(&merger->record_numbers, ++hash)) {
		known = merger->records[*number - 1];
		if (known->size == record->size && !memcmp(known, record, record->size))
			break;
	}
	if (!*number) {
		merger->records = grow(merger->records, merger->record_count,
				       &merger->record_capacity, sizeof(*merger->records));
		merger->records[merger->record_count] = xmalloc(record->size);
		memcpy(merger->records[merger->record_count], record, record->size);
		*number = ++merger->record_count;
	}
	return merger_key(merger, record->process, 0, *number - 1);
}

uint32_t merger_wrap(struct trace_merger *merger, const struct merge_step *step,
		     const struct merge_group *group)
{
	uint32_t shape = step->key, members = merger->sets.all[group->set].count;

	if (members < 2)
		return shape;
	return shapes_loop(&merger->dictionary.shapes, members, &shape, 1,
			   merge_strides(group, step->slots));
}

/* --- the file --- */

/* A set as runs. Return: how many. */
static uint32_t put_runs(const struct trace_merger *merger, uint32_t set, struct ccs_run *runs)
{
	uint32_t count = set ? merger->sets.all[set].count : 0, i, run_count = 0;
	uint32_t *members = xcalloc(count + 1ull, sizeof(*members));
	struct ccs_run *run = NULL;

	member_sets_list(&merger->sets, set, members);
	for (i = 0; i < count; i++) {
		if (run && run->count == 1)
			run->step = members[i] - run->first;
		if (run && members[i] == run->first + run->count * run->step) {
			run->count++;
			continue;
		}
		run = &runs[run_count++];
		*run = (struct ccs_run){ members[i], 0, 1 };
	}
	free(members);
	return run_count;
}

static uint32_t set_size(const struct trace_merger *merger, uint32_t set)
{
	return set ? merger->sets.all[set].count : 0;
}

/* What follows is of this team in these ranks. */
static int move_to(struct trace_merger *merger, const struct trace_team *team, uint32_t set)
{
	uint32_t runs = set_size(merger, set) + set_size(merger, team->threads);
	struct ccs_members *record;
	struct ccs_run *at;
	int result;

	if (team->process == merger->team.process && team->threads == merger->team.threads &&
	    set == merger->set)
		return 0;
	if (encoder_flush(&merger->encoder))
		return -1;
	record = xcalloc(1, sizeof(*record) + runs * sizeof(*at) + 7);
	at = (void *)(record + 1);
	record->ranks = merger->ranks;
	record->rank_runs = put_runs(merger, set, at);
	record->thread_runs = put_runs(merger, team->threads, at + record->rank_runs);
	runs = record->rank_runs + record->thread_runs;
	record->record = (struct ccs_record){
		.size = (sizeof(*record) + runs * sizeof(*at) + 7) & ~7u, .type = CCS_MEMBERS,
	};
	merger->team = *team;
	merger->set = set;
	result = record->record.size > CCS_RECORD_MAX ?
		 fail("the ranks of a loop cannot be listed: too many of them, in no order") :
		 recording_write(merger->out, &record->record);
	free(record);
	return result;
}

static int write_group(struct trace_merger *merger, const struct merge_step *step,
		       const struct merge_group *group)
{
	const struct trace_team *team = &merger->teams[step->key >> 32];
	struct trace_sink sink = encoder_sink(&merger->encoder);
	uint32_t shape;

	if (move_to(merger, team, group->set))
		return -1;
	if (!team->threads)
		return recording_write(merger->out, merger->records[(uint32_t)step->key]);
	if (encoder_is_full(&merger->encoder) && sink.forget(sink.context))
		return -1;
	shape = merger_wrap(merger, step, group);
	if (shape == SHAPE_NONE)
		return fail("a loop has too many references to be one over all ranks");
	return sink.node(sink.context, &merger->dictionary.shapes, shape, group->first);
}

int merger_write(struct trace_merger *merger)
{
	const struct merge *m = &merger->merge;
	uint32_t i, number;
	int result = 0;

	for (i = 0; i < m->step_count; i++)
		for (number = m->steps[i].groups; number && !result;
		     number = m->groups[number - 1].next)
			result = write_group(merger, &m->steps[i], &m->groups[number - 1]);
	return result || encoder_flush(&merger->encoder) ? -1 : 0;
}
