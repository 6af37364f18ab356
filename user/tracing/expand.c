// SPDX-License-Identifier: GPL-2.0-only
/* A trace's references one by one, for what reads streams. */
#include <stdlib.h>
#include <string.h>

#include "tracing/internal.h"
#include "tracing/members.h"
#include "tracing/traced.h"
#include "base/fail.h"
#include "base/map.h"
#include "base/memory.h"
#include "format/pass.h"
#include "prsd/decode.h"
#include "prsd/expand.h"

struct expansion {
	int (*reference)(void *context, uint64_t thread, uint64_t ip, uint64_t address,
			 uint32_t size, bool store);
	void *context;
	const char *path;
	struct map decoders;		/* thread -> struct trace_decoder * */
	struct trace_members members;
	uint64_t thread;		/* of the current node: process << 32 | number */
	uint32_t process;		/* of the current piece */
	bool any;			/* there was one */
	int result;
	uint64_t addresses[TRACE_SLOTS_MAX];
};

static int give(void *context, const struct trace_slot *slot, uint64_t address)
{
	const struct expansion *x = context;

	return x->reference(x->context, x->thread, slot->ip, address, slot->size, slot->store);
}

static int give_node(void *context, const struct trace_shapes *shapes, uint32_t shape,
		     const uint64_t *addresses)
{
	struct expansion *x = context;
	struct trace_expander expander = { give, x };

	memcpy(x->addresses, addresses, shape_slots(shapes, shape) * sizeof(*addresses));
	return expand(&expander, shapes, shape, x->addresses);
}

static int give_of_member(void *context, uint32_t process, uint32_t thread,
			  const struct trace_shapes *shapes, uint32_t shape,
			  const uint64_t *addresses)
{
	struct expansion *x = context;

	x->thread = (uint64_t)process << 32 | thread;
	return give_node(x, shapes, shape, addresses);
}

static int give_merged(void *context, const struct trace_shapes *shapes, uint32_t shape,
		       const uint64_t *addresses)
{
	struct expansion *x = context;

	return members_node(&x->members, x->process, shapes, shape, addresses, give_of_member, x);
}

static int forget(void *context)
{
	return 0;
}

/* Pieces of a merged trace have one in common, under a number that no thread has. */
static struct trace_decoder *decoder_of(struct expansion *x, const struct ccs_record *record)
{
	uint64_t *decoder = map_at(&x->decoders, x->members.merged ? UINT64_MAX : x->thread);
	struct trace_sink sink = { x->members.merged ? give_merged : give_node, forget, x };

	if (!*decoder) {
		*decoder = (uintptr_t)xcalloc(1, sizeof(struct trace_decoder));
		if (!decoder_open((void *)(uintptr_t)*decoder, &sink))
			exit(-fail("out of memory for the trace of a thread"));
	}
	return (void *)(uintptr_t)*decoder;
}

static void end_decoder(void *decoder)
{
	decoder_close(decoder);
	free(decoder);
}

static void take_references(void *context, const struct ccs_record *record)
{
	const struct ccs_references *r = (const void *)record;
	struct expansion *x = context;
	struct trace_decoder *decoder;
	const char *wrong;

	x->any = true;
	x->process = record->process;
	x->thread = (uint64_t)record->process << 32 | record->tid;
	decoder = decoder_of(x, record);
	wrong = decode(decoder, (const uint8_t *)(r + 1), r->bytes_size);

	if (wrong)
		x->result = decoder->error ? -1 : fail("%s holds %s: trace the program again",
						       x->path, wrong);
}

static void take_members(void *context, const struct ccs_record *record)
{
	members_take(&((struct expansion *)context)->members, (const void *)record);
}

static void take_other(void *context, const struct ccs_record *record)
{
	struct expansion *x = context;

	x->result = trace_refuses(x->path, record->type);
}

static int after(void *context, const struct recording *recording)
{
	return ((struct expansion *)context)->result;
}

int traced_expand(const char *path,
		  int (*reference)(void *context, uint64_t thread, uint64_t ip, uint64_t address,
				   uint32_t size, bool store),
		  void *context)
{
	static const struct record_consumer consumer = {
		.take = { [CCS_REFERENCES] = take_references, [CCS_MEMBERS] = take_members },
		.other = take_other, .after = after,
	};
	struct expansion *x = xcalloc(1, sizeof(*x));
	struct recording *recording = recording_open(path);
	int result = -1;

	x->reference = reference;
	x->context = context;
	x->path = path;
	if (recording) {
		result = recording_pass(recording, &consumer, x);
		if (!result && !x->any)
			result = trace_is_empty(path, recording);
		recording_close(recording);
	}
	map_free_values(&x->decoders, end_decoder);
	members_end(&x->members);
	free(x);
	return result;
}

enum look { LOOKS, IS_TRACE, IS_OTHER };

static void found(void *context, const struct ccs_record *record)
{
	*(enum look *)context = IS_TRACE;
}

static void look_at(void *context, const struct ccs_record *record)
{
	if (trace_refusal(record->type))
		*(enum look *)context = IS_OTHER;
}

static int is_found(void *context, const struct recording *recording)
{
	return *(const enum look *)context;
}

bool traced_is(const char *path)
{
	static const struct record_consumer consumer = {
		.take = { [CCS_REFERENCES] = found }, .other = look_at, .after = is_found,
	};
	struct recording *recording = recording_is(path) ? recording_open(path) : NULL;
	enum look look = LOOKS;
	bool damaged;

	if (!recording)
		return false;
	recording_quiet(recording);
	recording_pass(recording, &consumer, &look);
	damaged = recording_end(recording) != RECORDING_WHOLE;
	recording_close(recording);
	return look == IS_TRACE || (look == LOOKS && damaged);
}
