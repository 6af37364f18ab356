// SPDX-License-Identifier: GPL-2.0-only
/* The files of a trace: pieces to nodes of each thread, what they say of images and objects. */
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "base/progress.h"
#include "format/pass.h"
#include "tracing/internal.h"

/* Return: NULL with run->traced->error. */
static struct traced_stream *stream_of(struct traced_run *run, uint32_t process, uint32_t tid)
{
	uint64_t *stream = map_at(&run->streams, (uint64_t)process << 32 | tid);

	if (!*stream && run->count == TRACED_THREADS) {
		traced_stop(run, "more than 4096 threads");
		return NULL;
	}
	if (!*stream)
		*stream = (uintptr_t)traced_stream_new(run, process);
	return (void *)(uintptr_t)*stream;
}

static int take_of_member(void *context, uint32_t process, uint32_t thread,
			  const struct trace_shapes *shapes, uint32_t shape,
			  const uint64_t *addresses)
{
	struct traced_stream *s = stream_of(context, process, thread);

	return s ? traced_node(s, shapes, shape, addresses) : -1;
}

static int take_merged(void *context, const struct trace_shapes *shapes, uint32_t shape,
		       const uint64_t *addresses)
{
	struct traced_run *run = context;

	return members_node(&run->members, run->process, shapes, shape, addresses, take_of_member,
			    run);
}

static int forget_merged(void *context)
{
	struct traced_run *run = context;
	size_t i;

	for (i = 0; i < run->count; i++)
		traced_forget(run->all[i]);
	return 0;
}

static struct trace_decoder *merged_decoder(struct traced_run *run)
{
	struct trace_sink sink = { take_merged, forget_merged, run };

	if (!run->merged) {
		run->merged = xcalloc(1, sizeof(*run->merged));
		if (!decoder_open(run->merged, &sink))
			exit(-fail("out of memory for a merged trace"));
	}
	return run->merged;
}

/* Sets run->stopped with the error. */
static void take_references(void *context, const struct ccs_record *record)
{
	const struct ccs_references *r = (const void *)record;
	struct traced_run *run = context;
	const struct trace_members *members = &run->members;
	struct traced_stream *s = NULL;
	struct trace_decoder *decoder;
	const char *wrong;

	run->pieces++;
	run->process = record->process;
	if (!members->merged)
		s = stream_of(run, members_process(members, record->process, 0), record->tid);
	run->stopped = s || members->merged ? 0 : -1;
	if (run->stopped)
		return;
	decoder = s ? &s->decoder : merged_decoder(run);
	wrong = decode(decoder, (const uint8_t *)(r + 1), r->bytes_size);
	run->stopped = wrong ? traced_stop(run, wrong) : 0;
}

static void take_members(void *context, const struct ccs_record *record)
{
	struct traced_run *run = context;

	if (run->path_count > 1)
		run->stopped = traced_stop(run, "one of several traces is merged: analyze it by "
					"itself");
	else if (run->count && !run->members.merged)
		run->stopped = traced_stop(run, "it is merged from its middle on: trace the "
					"program again");
	members_take(&run->members, (const void *)record);
}

static void take_lost(void *context, const struct ccs_record *record)
{
	const struct ccs_lost *lost = (const void *)record;
	struct traced_run *run = context;

	if (!run->measuring &&
	    (lost->kind == CCS_LOST_KILLED || lost->kind == CCS_LOST_UNRECORDED))
		run->traced->lost += lost->count * run->members.rank_count;
}

static void take_meta(void *context, const struct ccs_record *record)
{
	static const char key[] = "option.function";
	const struct ccs_meta *meta = (const void *)record;
	const char *text = (const char *)(meta + 1);
	struct traced_run *run = context;

	if (!run->traced->function && meta->key_size == strlen(key) &&
	    !memcmp(text, key, meta->key_size))
		run->traced->function = xstrndup(text + meta->key_size, meta->value_size);
}

const char *trace_refusal(uint16_t type)
{
	if (type == CCS_EVENT || type == CCS_BURST || type == CCS_LONG_BURST)
		return "%s is a recording, not a trace: ccsample report reads it";
	return record_type_find(type)->result ?
	       "%s is a simulation, not a trace: ccsample sim -i reads it" : NULL;
}

int trace_refuses(const char *path, uint16_t type)
{
	const char *refusal = trace_refusal(type);

	return refusal ? fail(refusal, path) : 0;
}

int trace_is_empty(const char *path, const struct recording *recording)
{
	return recording_end(recording) == RECORDING_WHOLE ? 0 :
	       fail("%s: nothing can be read before the damage: trace the program again", path);
}

static void replay(void *spaces, const struct ccs_record *record)
{
	spaces_replay(spaces, record);
}

static void take_other(void *context, const struct ccs_record *record)
{
	struct traced_run *run = context;

	run->refused = run->stopped = trace_refuses(run->path, record->type);
	members_replay(&run->members, record, replay, run->traced->spaces);
}

static int after(void *context, const struct recording *recording)
{
	struct traced_run *run = context;

	if (!run->stopped && run->options->interrupted && run->options->interrupted()) {
		run->traced->error = "interrupted";
		run->stopped = -1;
	}
	return run->stopped;
}

/* A trace of its own, the @i-th of all. */
static int read_file(struct traced_run *run, uint32_t i)
{
	static const struct record_consumer consumer = {
		.take = { [CCS_REFERENCES] = take_references, [CCS_LOST] = take_lost,
			  [CCS_META] = take_meta, [CCS_MEMBERS] = take_members },
		.other = take_other, .after = after,
	};
	struct recording *recording = recording_open(run->paths[i]);
	uint64_t pieces = run->pieces;
	int result;

	if (!recording)
		return -1;
	run->path = run->paths[i];
	run->stopped = 0;
	members_begin(&run->members, i, run->path_count);
	progress_start();
	result = recording_pass(recording, &consumer, run);
	progress_clear();
	if (!result && run->pieces == pieces)
		run->refused = trace_is_empty(run->path, recording);
	run->traced->whole &= !result && recording_end(recording) == RECORDING_WHOLE;
	recording_close(recording);
	return run->refused;
}

int traced_read(struct traced_run *run)
{
	uint32_t i;
	int result = 0;

	run->traced->whole = true;
	for (i = 0; i < run->path_count && !result && !run->stopped; i++)
		result = read_file(run, i);
	run->traced->whole &= i == run->path_count;
	return result;
}
