// SPDX-License-Identifier: GPL-2.0-only
/*
 * All references of a thread, compressed here and sent as pieces of its trace.
 *
 * Generated code writes down addresses only: a segment is known by its number,
 * and each of its references by its place in it. Its addresses go behind the
 * cursor, and at its end the number before them and the cursor past them; where
 * a signal or a fault leaves a segment early, what it had noted is not handed
 * over. The thread's buffer lies at a multiple of its size, so the cursor alone
 * shows whether it is full.
 */
#include "pub_tool_basics.h"
#include "pub_tool_hashtable.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_tooliface.h"

#include "tracee/valgrind/engine.h"
#include "tracee/valgrind-lib/memory.h"
#include "tracee/valgrind/tracing.h"
#include "prsd/callers.h"
#include "prsd/encode.h"

#define BUFFER_SIZE	(64u << 10)
#define BUFFER_FULL	(BUFFER_SIZE - (SEGMENT_MAX + 1) * sizeof(ULong))
#define BUCKETS		4096u

/* A segment as it was translated; the same code translated again is the same one. */
struct known_segment {
	struct trace_slot *slots;
	UInt count;
	UInt chain;			/* of its bucket: number + 1 */
};

static struct known_segment *segments;
static UInt segment_count, segment_room;
static UInt buckets[BUCKETS];

/* What was called by the same callers, and in which shapes it is sent. */
struct called {
	struct called *chain;		/* Valgrind's hash: next, key */
	UWord signature;		/* 0 = not known */
	UInt *shapes;			/* by segment: its shape + 1, 0 = not sent yet */
	UInt shape_room;
};

struct tracing {
	struct engine_thread *thread;
	struct callers callers;		/* with --stacks */
	VgHashTable *known;		/* struct called */
	struct called *called;		/* the current one */
	struct trace_compressor compressor;
	struct trace_encoder encoder;
	void *block;			/* what to free */
	ULong start;			/* of the buffer */
	ULong cursor;
	Bool lost;			/* it was said that the trace ends here */
};

/* --- segments --- */

static Bool same_segment(const struct known_segment *known, const struct segment *s)
{
	UInt i;

	if (known->count != s->count)
		return False;
	for (i = 0; i < s->count; i++)
		if (known->slots[i].ip != s->ips[i] || known->slots[i].size != s->sizes[i] ||
		    known->slots[i].store != s->stores[i])
			return False;
	return True;
}

static UInt bucket_of(const struct segment *s)
{
	ULong hash = s->count;
	UInt i;

	for (i = 0; i < s->count; i++)
		hash = (hash ^ s->ips[i] ^ (ULong)s->sizes[i] << 48) * 0x9e3779b97f4a7c15ull;
	return hash >> 52;
}

/* Return: the segment's number. */
static UInt know(const struct segment *s)
{
	UInt *bucket = &buckets[bucket_of(s)], at, i;
	struct known_segment *known;

	for (at = *bucket; at; at = segments[at - 1].chain)
		if (same_segment(&segments[at - 1], s))
			return at - 1;
	if (segment_count == segment_room) {
		segment_room = segment_room ? 2 * segment_room : 1024;
		segments = VG_(realloc)("ccsample.segments", segments,
					segment_room * sizeof(*segments));
	}
	known = &segments[segment_count++];
	known->slots = VG_(malloc)("ccsample.slots", s->count * sizeof(*known->slots));
	known->count = s->count;
	known->chain = *bucket;
	for (i = 0; i < s->count; i++)
		known->slots[i] = (struct trace_slot){
			.ip = s->ips[i], .size = s->sizes[i], .store = s->stores[i],
		};
	*bucket = segment_count;
	return segment_count - 1;
}

/* --- what generated code calls --- */

static void say_lost(struct tracing *tracing)
{
	if (!tracing->lost)
		VG_(umsg)("ccsample: the trace of thread %u ends here: %s\n",
			  tracing->thread->kernel_tid,
			  records_on() ? "too much code" : "the recorder has gone");
	tracing->lost = True;
}

static UInt shape_for(struct tracing *tracing, UInt number)
{
	struct called *called = tracing->called;
	struct known_segment *segment = &segments[number];
	UInt old = called->shape_room, i;

	if (number >= old) {
		called->shape_room = segment_room;
		called->shapes = VG_(realloc)("ccsample.shapes", called->shapes,
					      segment_room * sizeof(*called->shapes));
		VG_(memset)(called->shapes + old, 0,
			    (segment_room - old) * sizeof(*called->shapes));
	}
	if (!called->shapes[number]) {
		for (i = 0; i < segment->count; i++)
			segment->slots[i].stack = called->signature;
		called->shapes[number] = compress_define(&tracing->compressor, segment->slots,
							 segment->count) + 1;
	}
	return called->shapes[number] - 1;
}

/* Compresses what lies in the buffer up to @end. */
static void take_buffer(struct tracing *tracing, ULong end)
{
	const ULong *at = (const ULong *)tracing->start, *to = (const ULong *)end;
	Int error = 0;

	while (at < to && !error && !tracing->lost) {
		UInt number = *at, shape = SHAPE_NONE;

		if (number < tracing->called->shape_room && tracing->called->shapes[number])
			shape = tracing->called->shapes[number] - 1;
		else
			shape = shape_for(tracing, number);
		error = shape == SHAPE_NONE ||
			compress_block(&tracing->compressor, shape, (const uint64_t *)at + 1);
		at += 1 + segments[number].count;
	}
	if (error)
		say_lost(tracing);
}

static VG_REGPARM(1) void buffer_full(ULong end)
{
	take_buffer(engine_now->tracing, end);
}

/* --- callers --- */

static void select_called(struct tracing *tracing)
{
	UWord signature = callers_signature(&tracing->callers);

	if (tracing->called && tracing->called->signature == signature)
		return;
	tracing->called = VG_(HT_lookup)(tracing->known, signature);
	if (tracing->called)
		return;
	tracing->called = VG_(calloc)("ccsample.called", 1, sizeof(*tracing->called));
	tracing->called->signature = signature;
	VG_(HT_add_node)(tracing->known, tracing->called);
}

/* What the buffer holds was done by the callers that there were. @top: the stack pointer */
static VG_REGPARM(2) void called(ULong cursor, Addr top)
{
	struct tracing *tracing = engine_now->tracing;

	take_buffer(tracing, cursor);
	if (!callers_call(&tracing->callers, top, *(const Addr *)top, &engine_memory))
		say_lost(tracing);
	select_called(tracing);
}

static VG_REGPARM(2) void returned(ULong cursor, Addr top)
{
	struct tracing *tracing = engine_now->tracing;

	take_buffer(tracing, cursor);
	callers_return(&tracing->callers, top);
	select_called(tracing);
}

void tracing_jump(struct builder *b, IRJumpKind kind)
{
	IRExpr *cursor, *top, **args;

	if (!engine_options.stacks || (kind != Ijk_Call && kind != Ijk_Ret))
		return;
	cursor = named(b, Ity_I64, IRExpr_Get(SHADOW_FIELD(trace), Ity_I64));
	top = named(b, Ity_I64, IRExpr_Get(offsetof(VexGuestAMD64State, guest_RSP), Ity_I64));
	args = mkIRExprVec_2(cursor, top);
	addStmtToIRSB(b->out, IRStmt_Dirty(kind == Ijk_Call ?
		unsafeIRDirty_0_N(2, "called", called, args) :
		unsafeIRDirty_0_N(2, "returned", returned, args)));
	addStmtToIRSB(b->out, IRStmt_Put(SHADOW_FIELD(trace),
		binary(b, Iop_And64, cursor, word(~(ULong)(BUFFER_SIZE - 1)))));
}

/* --- generated code --- */

/* Hands the segment over; the cursor is at @end then. */
static void hand_over(struct builder *b, IRExpr *end)
{
	struct segment *s = &b->segment;
	IRExpr *number = word(know(s)), *rest, *full, *start, *cursor;
	IRDirty *d;

	addStmtToIRSB(b->out, IRStmt_Store(Iend_LE, s->base, number));
	rest = binary(b, Iop_And64, end, word(BUFFER_SIZE - 1));
	full = named(b, Ity_I1, IRExpr_Binop(Iop_CmpLE64U, word(BUFFER_FULL), rest));
	d = unsafeIRDirty_0_N(1, "buffer_full", buffer_full, mkIRExprVec_1(end));
	d->guard = full;
	addStmtToIRSB(b->out, IRStmt_Dirty(d));
	start = binary(b, Iop_And64, end, word(~(ULong)(BUFFER_SIZE - 1)));
	cursor = named(b, Ity_I64, IRExpr_ITE(full, start, end));
	addStmtToIRSB(b->out, IRStmt_Put(SHADOW_FIELD(trace), cursor));
	s->count = 0;
	s->base = NULL;
}

static void note(struct builder *b, Bool is_store, IRExpr *address, Int size)
{
	struct segment *s = &b->segment;
	IRExpr *to;

	if (!s->base)
		s->base = named(b, Ity_I64, IRExpr_Get(SHADOW_FIELD(trace), Ity_I64));
	s->ips[s->count] = b->ip;
	s->sizes[s->count] = size;
	s->stores[s->count] = is_store;
	s->count++;
	to = binary(b, Iop_Add64, s->base, word(s->count * sizeof(ULong)));
	addStmtToIRSB(b->out, IRStmt_Store(Iend_LE, to, address));
}

void tracing_end_segment(struct builder *b)
{
	const struct segment *s = &b->segment;

	if (s->count)
		hand_over(b, binary(b, Iop_Add64, s->base, word((s->count + 1) * sizeof(ULong))));
}

void tracing_reference(struct builder *b, Bool is_store, IRExpr *address, Int size, IRExpr *guard)
{
	IRExpr *step;

	if (b->segment.count == SEGMENT_MAX || guard)
		tracing_end_segment(b);
	note(b, is_store, address, size);
	if (!guard)
		return;
	step = named(b, Ity_I64, IRExpr_ITE(guard, word(2 * sizeof(ULong)), word(0)));
	hand_over(b, binary(b, Iop_Add64, b->segment.base, step));
}

/* --- a thread's trace --- */

static int send_piece(void *context, const uint8_t *bytes, uint32_t size, uint64_t references)
{
	struct tracing *tracing = context;
	struct ccs_references *r;

	if (!records_on())
		return 1;
	r = record_add(CCS_REFERENCES, tracing->thread->kernel_tid, sizeof(*r), size);
	r->references = references;
	r->bytes_size = size;
	VG_(memcpy)(r + 1, bytes, size);
	return 0;
}

void tracing_open(struct engine_thread *t)
{
	struct tracing *tracing;
	struct trace_sink sink;

	t->tracing = NULL;
	if (!engine_options.trace)
		return;
	tracing = VG_(calloc)("ccsample.tracing", 1, sizeof(*tracing));
	tracing->thread = t;
	tracing->block = VG_(malloc)("ccsample.references", 2 * BUFFER_SIZE);
	tracing->start = ((Addr)tracing->block + BUFFER_SIZE - 1) & ~(Addr)(BUFFER_SIZE - 1);
	tracing->cursor = tracing->start;
	encoder_open(&tracing->encoder, send_piece, tracing, &engine_memory);
	sink = encoder_sink(&tracing->encoder);
	compress_open(&tracing->compressor, &sink, &engine_memory);
	tracing->known = VG_(HT_construct)("ccsample.called");
	select_called(tracing);
	t->tracing = tracing;
}

static void drop_called(void *called)
{
	VG_(free)(((struct called *)called)->shapes);
	VG_(free)(called);
}

void tracing_close(struct engine_thread *t)
{
	struct tracing *tracing = t->tracing;

	if (!tracing)
		return;
	compress_close(&tracing->compressor);
	encoder_close(&tracing->encoder);
	engine_memory.put(tracing->callers.all);
	VG_(HT_destruct)(tracing->known, drop_called);
	VG_(free)(tracing->block);
	VG_(free)(tracing);
	t->tracing = NULL;
}

void tracing_cut(struct engine_thread *t)
{
	struct tracing *tracing = t->tracing;

	if (!tracing)
		return;
	if (t == engine_now)
		shadow_drain(t);
	take_buffer(tracing, tracing->cursor);
	tracing->cursor = tracing->start;
	if (t == engine_now)
		shadow_load(t);
	if (!tracing->lost && (compress_cut(&tracing->compressor) ||
			       encoder_flush(&tracing->encoder)))
		say_lost(tracing);
}

ULong tracing_cursor(const struct engine_thread *t)
{
	return t->tracing ? t->tracing->cursor : 0;
}

void tracing_moved(struct engine_thread *t, ULong cursor)
{
	if (t->tracing && cursor)
		t->tracing->cursor = cursor;
}
