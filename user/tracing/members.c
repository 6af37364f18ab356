// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "tracing/members.h"

void members_begin(struct trace_members *m, uint32_t rank, uint32_t ranks)
{
	members_end(m);
	m->ranks = ranks;
	m->rank = xcalloc(1, sizeof(*m->rank));
	m->rank[0] = rank;
	m->rank_count = 1;
}

void members_end(struct trace_members *m)
{
	free(m->rank);
	free(m->thread);
	m->rank = m->thread = NULL;
	m->rank_count = m->thread_count = 0;
	m->merged = false;
}

static uint32_t *list(const struct ccs_run *runs, uint32_t run_count, uint32_t *count)
{
	uint32_t *all, i, n;

	*count = 0;
	for (i = 0; i < run_count; i++)
		*count += runs[i].count;
	all = xcalloc(*count + 1ull, sizeof(*all));
	*count = 0;
	for (i = 0; i < run_count; i++)
		for (n = 0; n < runs[i].count; n++)
			all[(*count)++] = runs[i].first + n * runs[i].step;
	return all;
}

void members_take(struct trace_members *m, const struct ccs_members *record)
{
	const struct ccs_run *runs = (const void *)(record + 1);

	members_end(m);
	m->ranks = record->ranks;
	m->rank = list(runs, record->rank_runs, &m->rank_count);
	m->thread = list(runs + record->rank_runs, record->thread_runs, &m->thread_count);
	m->merged = true;
}

uint32_t members_process(const struct trace_members *m, uint32_t process, uint32_t i)
{
	return process ? (process - 1) * m->ranks + m->rank[i] + 1 : 0;
}

void members_replay(const struct trace_members *m, const struct ccs_record *record,
		    void (*take)(void *context, const struct ccs_record *record), void *context)
{
	struct ccs_process *copy = xmalloc(record->size);
	const struct ccs_process *process = (const void *)record;
	uint32_t i;

	memcpy(copy, record, record->size);
	for (i = 0; i < m->rank_count; i++) {
		copy->record.process = members_process(m, record->process, i);
		if (record->type == CCS_PROCESS)
			copy->parent = members_process(m, process->parent, i);
		take(context, &copy->record);
	}
	free(copy);
}

/* The body of a loop over so many members; *strides: by slot, NULL for one member. */
static bool peel(const struct trace_shapes *shapes, uint32_t *shape, uint32_t members,
		 const uint64_t **strides)
{
	const struct trace_loop *loop;

	*strides = NULL;
	if (members < 2)
		return members;
	if (!shape_is_loop(*shape))
		return false;
	loop = &shapes->loops[shape_number(*shape)];
	*shape = loop->children[0];
	*strides = loop->strides;
	return loop->count == members && loop->child_count == 1;
}

int members_node(struct trace_members *m, uint32_t process, const struct trace_shapes *shapes,
		 uint32_t shape, const uint64_t *addresses, member_node take, void *context)
{
	const uint64_t *ranks, *threads;
	uint32_t slots = shape_slots(shapes, shape), i, j, n;
	int result = 0;

	if (!peel(shapes, &shape, m->rank_count, &ranks) ||
	    !peel(shapes, &shape, m->thread_count, &threads))
		return -1;
	for (i = 0; i < m->rank_count; i++)
		for (j = 0; j < m->thread_count && !result; j++) {
			for (n = 0; n < slots; n++)
				m->addresses[n] = addresses[n] + (ranks ? i * ranks[n] : 0) +
						  (threads ? j * threads[n] : 0);
			result = take(context, members_process(m, process, i), m->thread[j],
				      shapes, shape, m->addresses);
		}
	return result;
}
