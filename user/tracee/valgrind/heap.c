// SPDX-License-Identifier: GPL-2.0-only
/*
 * Blocks, as the wrappers of preload.c report them.
 *
 * Allocators call one another (new -> malloc -> mmap), and each is wrapped; only
 * the outermost call counts. Generated code notes when a wrapper is entered and
 * left; what is noted is the stack pointer, so that a wrapper left by longjmp
 * or an exception is forgotten as soon as an outer frame allocates again.
 *
 * A free may name an address without a live block: what operator new allocated
 * within itself (its exception), and what the C library's per-thread cache holds
 * when a thread ends.
 */
#include "pub_tool_basics.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_execontext.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_stacktrace.h"
#include "pub_tool_tooliface.h"

#include "tracee/valgrind/engine.h"
#include "tracee/valgrind/places.h"
#include "tracee/valgrind-lib/requests.h"
#include "tracee/valgrind/simulate.h"

#define STACK_DEPTH	64

/* Valgrind's core: --num-callers, the most frames that it stores; 12 by default. */
extern Int VG_(clo_backtrace_size);

/* Stacks sent, a bit each by ECU / 4. */
static UChar *sent;
static UInt sent_size;

static void forget_below(struct engine_thread *t, Addr sp)
{
	while (t->guard_depth && t->guard[t->guard_depth - 1] <= sp)
		t->guard_depth--;
}

VG_REGPARM(1) void heap_enter(Addr sp)
{
	struct engine_thread *t = engine_now;

	forget_below(t, sp);
	if (t->guard_depth < GUARD_DEPTH)
		t->guard[t->guard_depth++] = sp;
}

VG_REGPARM(1) void heap_leave(Addr sp)
{
	forget_below(engine_now, sp);
}

/* Marks a stack as sent; False if it was already. */
static Bool mark_sent(UInt ecu)
{
	UInt bit = ecu / 4, byte = bit / 8;
	UInt size = sent_size ? sent_size : 1024;

	while (size <= byte)
		size *= 2;
	if (size != sent_size) {
		sent = VG_(realloc)("ccsample.stacks", sent, size);
		VG_(memset)(sent + sent_size, 0, size - sent_size);
		sent_size = size;
	}
	if (sent[byte] & 1u << bit % 8)
		return False;
	sent[byte] |= 1u << bit % 8;
	return True;
}

/* The calls that led to a wrapper, the wrapper itself left out. */
struct trace {
	Addr ips[STACK_DEPTH];
	UInt depth;
	const Addr *callers;
};

static void take_trace(struct trace *trace, ThreadId id)
{
	UInt most = VG_(clo_backtrace_size) + 1, own = 0, all;

	if (most > STACK_DEPTH)
		most = STACK_DEPTH;
	all = VG_(get_StackTrace)(id, trace->ips, most, NULL, NULL, 0);

	while (own < all && maps_is_preload(trace->ips[own]))
		own++;
	trace->callers = trace->ips + own;
	trace->depth = all - own < most ? all - own : most - 1;
}

/* Sends a stack unless it was sent. Returns its id, 0 if there is none. */
static UInt stack_id(const struct trace *trace, UInt tid)
{
	UInt ecu, depth = 0;
	struct ccs_stack *r;

	if (!trace->depth)
		return 0;
	ecu = VG_(get_ECU_from_ExeContext)(
		VG_(make_ExeContext_from_StackTrace)(trace->callers, trace->depth));
	if (!mark_sent(ecu))
		return ecu;
	while (depth < trace->depth && maps_is_code(trace->callers[depth]))
		depth++;	/* the unwinder may run past the outermost frame */
	r = record_add(CCS_STACK, tid, sizeof(*r), depth * sizeof(Addr));
	r->id = ecu;
	r->depth = depth;
	VG_(memcpy)(r + 1, trace->callers, depth * sizeof(Addr));
	return ecu;
}

static void alloc_record(struct engine_thread *t, const struct trace *trace, Addr address,
			 SizeT size, UInt kind)
{
	UInt stack = stack_id(trace, t->kernel_tid);
	struct ccs_alloc *r;

	if (engine_options.simulate) {
		places_alloc(address, size, stack, kind);
		return;
	}
	r = record_add(CCS_ALLOC, t->kernel_tid, sizeof(*r), 0);
	r->time = process_time();
	r->address = address;
	r->size = size;
	r->stack = stack;
	r->kind = kind;
}

static void free_record(struct engine_thread *t, Addr address)
{
	struct ccs_free *r;

	if (!address)
		return;
	if (engine_options.simulate) {
		places_free(address);
		return;
	}
	r = record_add(CCS_FREE, t->kernel_tid, sizeof(*r), 0);
	r->time = process_time();
	r->address = address;
}

static void alloc_here(struct engine_thread *t, Addr address, SizeT size, UInt kind)
{
	struct trace trace;

	if (!address)
		return;
	take_trace(&trace, t->id);
	alloc_record(t, &trace, address, size, kind);
}

/* The C library maps memory for its own ends (thread stacks, say): that is not the program's. */
static Bool same_object(Addr a, Addr b)
{
	const NSegment *x = VG_(am_find_nsegment)(a), *y = VG_(am_find_nsegment)(b);

	return x && y && x->kind == SkFileC && y->kind == SkFileC && x->dev == y->dev &&
	       x->ino == y->ino;
}

static void mapping_here(struct engine_thread *t, Addr address, SizeT size, Addr function)
{
	struct trace trace;

	take_trace(&trace, t->id);
	if (!trace.depth || !same_object(trace.callers[0], function))
		alloc_record(t, &trace, address, size, CCS_ALLOC_MAPPING);
}

static void handle(struct engine_thread *t, const UWord *args)
{
	switch (args[0]) {
	case REQUEST_ALLOC:
		alloc_here(t, args[1], args[2], CCS_ALLOC_HEAP);
		break;
	case REQUEST_FREE:
	case REQUEST_UNMAPPING:
		free_record(t, args[1]);
		break;
	case REQUEST_REALLOC:
		free_record(t, args[1]);
		alloc_here(t, args[2], args[3], CCS_ALLOC_HEAP);
		break;
	case REQUEST_MAPPING:
		mapping_here(t, args[1], args[2], args[3]);
		break;
	case REQUEST_REMAPPING:
		free_record(t, args[1]);
		alloc_here(t, args[2], args[3], CCS_ALLOC_MAPPING);
		break;
	}
}

static Bool mark_request(UWord *args, UWord *result)
{
	*result = engine_options.simulate && engine_options.marked;
	if (*result && (args[0] == REQUEST_MARK_BEGIN || args[0] == REQUEST_MARK_END))
		phases_mark(args[0] == REQUEST_MARK_BEGIN);
	return True;
}

static Bool client_request(ThreadId id, UWord *args, UWord *result)
{
	struct engine_thread *t = process_thread(id);

	if (VG_IS_TOOL_USERREQ('C', 'M', args[0]))
		return mark_request(args, result);
	if (!VG_IS_TOOL_USERREQ('C', 'S', args[0]))
		return False;
	*result = 0;
	if (!t || t->guard_depth != 1 || !records_on())
		return True;
	process_cut();
	handle(t, args);
	return True;
}

void heap_init(void)
{
	VG_(needs_client_requests)(client_request);
}
