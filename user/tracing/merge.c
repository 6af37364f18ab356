// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/fail.h"
#include "base/memory.h"
#include "format/pass.h"
#include "prsd/decode.h"
#include "tracing/internal.h"
#include "tracing/merge.h"
#include "tracing/merge-internal.h"

/* --- a rank: its items, one after the other --- */

/* A thread's nodes since the last record about images or objects. */
struct thread {
	struct rank *rank;
	struct trace_decoder decoder;
	uint32_t process, number;
	struct merge_item *items;
	size_t count, capacity;
};

struct rank {
	struct trace_merger *merger;
	const char *path;
	struct map processes;		/* image -> 1, 2, .. */
	struct map numbers;		/* image << 32 | tid -> 1, 2, .. */
	struct map counts;		/* image -> threads */
	struct map by_number;		/* image << 32 | number -> struct thread * */
	struct thread **threads;
	size_t thread_count, thread_capacity;
	struct merge_item *items;
	size_t count, capacity;
	uint64_t *addresses;		/* of threads' nodes and items */
	size_t address_count, address_room;
	int result;
};

static uint64_t keep_addresses(struct rank *rank, const uint64_t *addresses, uint32_t slots)
{
	uint64_t at = rank->address_count;

	if (at + slots > rank->address_room) {
		rank->address_room = 2 * (at + slots);
		rank->addresses = xrealloc(rank->addresses,
					   rank->address_room * sizeof(*addresses));
	}
	memcpy(rank->addresses + at, addresses, slots * sizeof(*addresses));
	rank->address_count += slots;
	return at;
}

static void add_item(struct rank *rank, const struct merge_item *item)
{
	rank->items = grow(rank->items, rank->count, &rank->capacity, sizeof(*rank->items));
	rank->items[rank->count++] = *item;
}

static int take_node(void *context, const struct trace_shapes *shapes, uint32_t shape,
		     const uint64_t *addresses)
{
	struct thread *thread = context;
	struct rank *rank = thread->rank;
	struct merge_item item = { .slots = shape_slots(shapes, shape) };

	item.key = dictionary_adopt(&rank->merger->dictionary, shapes, shape);
	if (item.key == SHAPE_NONE)
		return fail("%s: the traces have too many different loops to be merged",
			    rank->path);
	rank->merger->references += shape_references(shapes, shape);
	item.at = keep_addresses(rank, addresses, item.slots);
	thread->items = grow(thread->items, thread->count, &thread->capacity,
			     sizeof(*thread->items));
	thread->items[thread->count++] = item;
	return 0;
}

static int take_forget(void *context)
{
	return 0;
}

/* What a process's threads did, as items of the rank. */
static int add_groups(struct rank *rank, const struct merge *m, uint32_t process)
{
	struct trace_merger *merger = rank->merger;
	const struct merge_group *group;
	struct merge_item item;
	uint32_t i, number, shape;

	for (i = 0; i < m->step_count; i++)
		for (number = m->steps[i].groups; number; number = group->next) {
			group = &m->groups[number - 1];
			shape = merger_wrap(merger, &m->steps[i], group);
			if (shape == SHAPE_NONE)
				return fail("%s: its threads cannot be merged", rank->path);
			item = (struct merge_item){
				merger_key(merger, process, group->set, shape),
				keep_addresses(rank, group->first, m->steps[i].slots),
				m->steps[i].slots
			};
			add_item(rank, &item);
		}
	return 0;
}

/* The threads of a process, from the @first. */
static int merge_threads(struct rank *rank, size_t first)
{
	uint32_t process = rank->threads[first]->process;
	struct merge m;
	int result = 0;
	size_t i;

	merge_open(&m, &rank->merger->sets);
	for (i = first; i < rank->thread_count && !result; i++) {
		struct thread *thread = rank->threads[i];

		if (thread->process != process || !thread->count)
			continue;
		result = merge_add(&m, thread->number, thread->items, thread->count,
				   rank->addresses);
		thread->count = 0;
	}
	result = result ? fail("out of memory for threads") : add_groups(rank, &m, process);
	merge_close(&m);
	return result;
}

static int by_number(const void *a, const void *b)
{
	const struct thread *x = *(struct thread *const *)a, *y = *(struct thread *const *)b;

	return x->number < y->number ? -1 : x->number > y->number;
}

/* A record about images or objects follows, or the end. Sets are written in their order. */
static int end_segment(struct rank *rank)
{
	int result = 0;
	size_t i;

	if (rank->thread_count)
		qsort(rank->threads, rank->thread_count, sizeof(*rank->threads), by_number);
	for (i = 0; i < rank->thread_count && !result; i++)
		if (rank->threads[i]->count)
			result = merge_threads(rank, i);
	return result;
}

/* --- a rank's records --- */

/* Images and threads are numbered in the order in which they come; 0 stays 0. */
static uint32_t process_of(struct rank *rank, uint32_t process)
{
	uint64_t next = rank->processes.count + 1, *number;

	if (!process)
		return 0;
	number = map_at(&rank->processes, process);
	if (!*number)
		*number = next;
	return *number;
}

static uint32_t tid_of(struct rank *rank, uint32_t process, uint32_t tid)
{
	uint64_t *number;

	if (!tid)
		return 0;
	number = map_at(&rank->numbers, (uint64_t)process << 32 | tid);
	if (!*number)
		*number = ++*map_at(&rank->counts, process);
	return *number;
}

static struct thread *thread_of(struct rank *rank, const struct ccs_record *record)
{
	uint32_t process = process_of(rank, record->process);
	uint32_t number = tid_of(rank, process, record->tid);
	uint64_t *known = map_at(&rank->by_number, (uint64_t)process << 32 | number);
	struct trace_sink sink = { take_node, take_forget, NULL };
	struct thread *thread = (void *)(uintptr_t)*known;

	if (thread)
		return thread;
	thread = sink.context = xcalloc(1, sizeof(*thread));
	*known = (uintptr_t)thread;
	thread->rank = rank;
	thread->process = process;
	thread->number = number;
	if (!decoder_open(&thread->decoder, &sink))
		exit(-fail("out of memory for the trace of a thread"));
	rank->threads = grow(rank->threads, rank->thread_count, &rank->thread_capacity,
			     sizeof(*rank->threads));
	rank->threads[rank->thread_count++] = thread;
	return thread;
}

static void take_references(void *context, const struct ccs_record *record)
{
	const struct ccs_references *r = (const void *)record;
	struct rank *rank = context;
	struct thread *thread = thread_of(rank, record);
	const char *wrong = decode(&thread->decoder, (const uint8_t *)(r + 1), r->bytes_size);

	if (wrong)
		rank->result = thread->decoder.error ? -1 :
			       fail("%s holds %s: trace the program again", rank->path, wrong);
}

static void take_meta(void *context, const struct ccs_record *record)
{
	struct rank *rank = context;

	if (rank->merger->rank || meta_is((const void *)record, "rank"))
		return;
	recording_write(rank->merger->out, record);
}

static void take_members(void *context, const struct ccs_record *record)
{
	struct rank *rank = context;

	rank->result = fail("%s is merged already: merge the traces that it was made of",
			    rank->path);
}

/* Without what differs from run to run and says nothing of objects: times, process ids. */
static void take_other(void *context, const struct ccs_record *record)
{
	struct rank *rank = context;
	struct ccs_process *copy;
	struct merge_item item = { .slots = 0 };

	rank->result = trace_refuses(rank->path, record->type);
	if (rank->result || !merger_keeps(record->type))
		return;
	rank->result = end_segment(rank);
	copy = xmalloc(record->size);
	memcpy(copy, record, record->size);
	if (record_type_find(record->type)->timed)
		copy->time = 0;
	copy->record.process = process_of(rank, record->process);
	copy->record.tid = tid_of(rank, copy->record.process, record->tid);
	if (record->type == CCS_PROCESS) {
		copy->pid = copy->ppid = 0;
		copy->parent = process_of(rank, copy->parent);
	}
	item.key = merger_record(rank->merger, &copy->record);
	add_item(rank, &item);
	free(copy);
}

static int after(void *context, const struct recording *recording)
{
	return ((struct rank *)context)->result;
}

static void rank_free(struct rank *rank)
{
	size_t i;

	for (i = 0; i < rank->thread_count; i++) {
		decoder_close(&rank->threads[i]->decoder);
		free(rank->threads[i]->items);
		free(rank->threads[i]);
	}
	free(rank->threads);
	free(rank->items);
	free(rank->addresses);
	map_free(&rank->processes);
	map_free(&rank->numbers);
	map_free(&rank->counts);
	map_free(&rank->by_number);
}

static int read_rank(struct trace_merger *merger, const char *path)
{
	static const struct record_consumer consumer = {
		.take = { [CCS_REFERENCES] = take_references, [CCS_META] = take_meta,
			  [CCS_MEMBERS] = take_members },
		.other = take_other, .after = after,
	};
	struct rank rank = { .merger = merger, .path = path };
	struct recording *recording = recording_open(path);
	int result;

	if (!recording)
		return -1;
	result = recording_pass(recording, &consumer, &rank);
	if (!result && recording_end(recording) != RECORDING_WHOLE)
		result = fail("%s was cut off: only whole traces are merged", path);
	recording_close(recording);
	if (!result)
		result = end_segment(&rank);
	if (!result && merge_add(&merger->merge, merger->rank, rank.items, rank.count,
				 rank.addresses))
		result = fail("out of memory for %s", path);
	rank_free(&rank);
	return result;
}

static uint64_t size_of(const char *path)
{
	struct stat status;

	return stat(path, &status) ? 0 : status.st_size;
}

int traces_merge(const char *const *paths, uint32_t count, const char *out,
		 struct traces_merged *merged)
{
	struct trace_merger merger;
	int result = merger_open(&merger, out, count);

	*merged = (struct traces_merged){ 0 };
	for (; !result && merger.rank < count; merger.rank++) {
		result = read_rank(&merger, paths[merger.rank]);
		merged->read += size_of(paths[merger.rank]);
	}
	if (!result)
		result = merger_write(&merger);
	merged->references = merger.references;
	if (merger_close(&merger, result))
		result = -1;
	merged->written = size_of(out);
	return result;
}
