// SPDX-License-Identifier: GPL-2.0-only
/*
 * What is added to the program's code. For each reference a test in line: is
 * its line the most recently used one of its set? Most are, and then nothing
 * changes in an LRU cache. Only the others call a helper of l1.c.
 *
 * The set is taken from the reference's first byte and the tag from its last
 * one, so a reference over two lines never passes: its last line belongs to
 * another set, whose lines never stand in this row.
 *
 * Counters and the address of the running thread's rows live in the first
 * shadow of the guest state, which generated code reaches as fast as the
 * program's registers, and which changes hands with the thread.
 */
#include "pub_tool_basics.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_machine.h"
#include "pub_tool_tooliface.h"

#include "tracee/valgrind/code.h"
#include "tracee/valgrind/engine.h"
#include "tracee/valgrind/simulate.h"
#include "tracee/valgrind/tracing.h"

/* What is known at start about the test in line. */
static struct {
	Bool usable;		/* sets are a power of two, at least two */
	ULong mask;		/* of an address: the bits that choose its set */
	Int shift;		/* from there to the row's offset, negative = right */
} test;

void instrument_init(void)
{
	const struct cache_geometry *g = &engine_options.l1;

	test.usable = g->sets >= 2 && !(g->sets & (g->sets - 1));
	test.mask = (ULong)(g->sets - 1) << g->line_bits;
	test.shift = (Int)l1_plan.row_shift - (Int)g->line_bits;
}

void shadow_load(struct engine_thread *t)
{
	struct engine_shadow s = {
		.rows = (Addr)t->rows, .sites = sim_sites, .instructions = t->clock,
		.trace = tracing_cursor(t),
	};

	if (phases_sampled())
		phases_limits(t, &s);

	VG_(set_shadow_regs_area)(t->id, 1, SHADOW, sizeof(s), (const UChar *)&s);
}

void shadow_drain(struct engine_thread *t)
{
	struct engine_shadow s;

	VG_(get_shadow_regs_area)(t->id, (UChar *)&s, 1, SHADOW, sizeof(s));
	if (engine_options.simulate)
		sim_drain(t, &s);
	else
		t->counts.instructions += s.instructions;
	t->counts.loads += s.references & 0xffffffff;
	t->counts.stores += s.references >> 32;
	tracing_moved(t, s.trace);
	shadow_load(t);
}

/* --- counting --- */

/* Before every way out of the superblock. */
static void flush_counts(struct builder *b)
{
	tracing_end_segment(b);
	if (engine_options.simulate) {
		sim_code_flush(b);
		return;
	}
	if (b->instructions)
		add_to_shadow(b, SHADOW_FIELD(instructions), word(b->instructions));
	if (b->loads || b->stores)
		add_to_shadow(b, SHADOW_FIELD(references), word(b->loads | (ULong)b->stores << 32));
	b->instructions = b->loads = b->stores = 0;
}

static void count(struct builder *b, Bool is_store, IRExpr *guard)
{
	IRExpr *one;

	if (!guard) {
		b->stores += is_store;
		b->loads += !is_store;
		return;
	}
	one = named(b, Ity_I64, IRExpr_Unop(Iop_1Uto64, guard));
	add_to_shadow(b, SHADOW_FIELD(references), shifted(b, one, is_store ? 32 : 0));
}

/* --- references --- */

/* True where the line of the last byte is not the most recent one of the first byte's set. */
static IRExpr *not_most_recent(struct builder *b, IRExpr *first, IRExpr *last)
{
	IRExpr *set = binary(b, Iop_And64, first, word(test.mask));
	IRExpr *rows = named(b, Ity_I64, IRExpr_Get(SHADOW_FIELD(rows), Ity_I64));
	IRExpr *row = binary(b, Iop_Add64, shifted(b, set, test.shift), rows);
	IRExpr *tag = named(b, Ity_I64, IRExpr_Load(Iend_LE, Ity_I64, row));
	IRExpr *line = shifted(b, last, -(Int)engine_options.l1.line_bits);

	return named(b, Ity_I1, IRExpr_Binop(Iop_CmpNE64, tag, line));
}

static void call_helper(struct builder *b, Bool is_store, IRExpr *first, IRExpr *last,
			IRExpr *guard)
{
	IRDirty *d;

	if (is_store)
		d = unsafeIRDirty_0_N(2, "l1_store", l1_plan.store, mkIRExprVec_2(first, last));
	else
		d = unsafeIRDirty_0_N(3, "l1_load", l1_plan.load,
				      mkIRExprVec_3(first, last, word(b->ip)));

	if (guard)
		d->guard = guard;
	if (outer_on())
		keep_behind(d, first);
	addStmtToIRSB(b->out, IRStmt_Dirty(d));
}

/* The same bytes as just before are in most recently used lines, whatever these were. */
static Bool repeats(const struct builder *b, IRExpr *address, Int size)
{
	return b->last_address && b->last_size == size && eqIRAtom(b->last_address, address);
}

static void reference(struct builder *b, Bool is_store, IRExpr *address, Int size, IRExpr *guard)
{
	Bool testable = test.usable && size <= (Int)engine_options.l1.line;
	IRExpr *last, *call = guard;

	if (engine_options.simulate) {
		sim_code_refer(b, is_store, address, size, guard);
		return;
	}
	count(b, is_store, guard);
	if (engine_options.trace) {
		if (!chosen(b->ip))
			return;
		tracing_reference(b, is_store, address, size, guard);
		return;
	}
	if (testable && repeats(b, address, size))
		return;
	last = size > 1 ? binary(b, Iop_Add64, address, word(size - 1)) : address;
	if (testable)
		call = not_most_recent(b, address, last);
	if (testable && guard)
		call = named(b, Ity_I1, IRExpr_Binop(Iop_And1, call, guard));
	call_helper(b, is_store, address, last, call);
	b->last_address = guard ? NULL : address;
	b->last_size = size;
}

/* --- statements --- */

static Bool is_certain(const IRExpr *guard)
{
	return guard->tag == Iex_Const && guard->Iex.Const.con->Ico.U1;
}

static void after_dirty(struct builder *b, const IRDirty *d)
{
	IRExpr *guard = is_certain(d->guard) ? NULL : d->guard;

	if (d->mFx == Ifx_Read || d->mFx == Ifx_Modify)
		reference(b, False, d->mAddr, d->mSize, guard);
	if (d->mFx == Ifx_Write || d->mFx == Ifx_Modify)
		reference(b, True, d->mAddr, d->mSize, guard);
}

static void after_cas(struct builder *b, const IRCAS *cas)
{
	Int size = sizeofIRType(typeOfIRExpr(b->out->tyenv, cas->dataLo));

	if (cas->dataHi)
		size *= 2;
	reference(b, False, cas->addr, size, NULL);
	reference(b, True, cas->addr, size, NULL);
}

static void after_load_guarded(struct builder *b, const IRLoadG *g)
{
	IRType wide, loaded;

	typeOfIRLoadGOp(g->cvt, &wide, &loaded);
	reference(b, False, g->addr, sizeofIRType(loaded), is_certain(g->guard) ? NULL : g->guard);
}

static void after_store_guarded(struct builder *b, const IRStoreG *g)
{
	Int size = sizeofIRType(typeOfIRExpr(b->out->tyenv, g->data));

	reference(b, True, g->addr, size, is_certain(g->guard) ? NULL : g->guard);
}

static void after_linked(struct builder *b, const IRStmt *st)
{
	const IRTypeEnv *types = b->out->tyenv;
	IRExpr *data = st->Ist.LLSC.storedata;
	IRType type = data ? typeOfIRExpr(types, data) : typeOfIRTemp(types, st->Ist.LLSC.result);

	reference(b, data != NULL, st->Ist.LLSC.addr, sizeofIRType(type), NULL);
}

/* The references of a statement that was just added. */
static void after(struct builder *b, const IRStmt *st)
{
	const IRExpr *e;

	switch (st->tag) {
	case Ist_WrTmp:
		e = st->Ist.WrTmp.data;
		if (e->tag == Iex_Load)
			reference(b, False, e->Iex.Load.addr, sizeofIRType(e->Iex.Load.ty), NULL);
		break;
	case Ist_Store:
		e = st->Ist.Store.data;
		reference(b, True, st->Ist.Store.addr,
			  sizeofIRType(typeOfIRExpr(b->out->tyenv, e)), NULL);
		break;
	case Ist_LoadG:
		after_load_guarded(b, st->Ist.LoadG.details);
		break;
	case Ist_StoreG:
		after_store_guarded(b, st->Ist.StoreG.details);
		break;
	case Ist_CAS:
		after_cas(b, st->Ist.CAS.details);
		break;
	case Ist_LLSC:
		after_linked(b, st);
		break;
	case Ist_Dirty:
		after_dirty(b, st->Ist.Dirty.details);
		break;
	default:
		break;
	}
}

static void statement(struct builder *b, IRStmt *st)
{
	if (st->tag == Ist_IMark) {
		b->ip = st->Ist.IMark.addr + st->Ist.IMark.delta;
		b->instructions++;
		b->slots = 0;
	}
	if (st->tag == Ist_Exit) {
		flush_counts(b);
		st = variant_exit(b, st);
	}
	addStmtToIRSB(b->out, st);
	after(b, st);
}

/* --- what Valgrind cannot run --- */

/* ud0, ud1, ud2: programs that mean to be killed. */
static Bool meant(const UChar *bytes)
{
	return bytes[0] == 0x0f && (bytes[1] == 0x0b || bytes[1] == 0xb9 || bytes[1] == 0xff);
}

static VG_REGPARM(1) void unsupported(Addr ip)
{
	struct ccs_unsupported *r;
	UChar bytes[sizeof(r->bytes)];
	UInt i;

	for (i = 0; i < sizeof(bytes); i++)
		bytes[i] = VG_(am_is_valid_for_client)(ip + i, 1, VKI_PROT_EXEC) ?
			((const UChar *)ip)[i] : 0;
	if (meant(bytes) || !records_on())
		return;
	process_cut();
	r = record_add(CCS_UNSUPPORTED, engine_now->kernel_tid, sizeof(*r), 0);
	r->time = process_time();
	r->ip = ip;
	VG_(memcpy)(r->bytes, bytes, sizeof(bytes));
	records_flush();
}

static void before_end(struct builder *b, const IRSB *in)
{
	IRExpr **args;

	flush_counts(b);
	variant_end(b);
	if (in->jumpkind != Ijk_NoDecode)
		return;
	args = mkIRExprVec_1(in->next);
	addStmtToIRSB(b->out, IRStmt_Dirty(unsafeIRDirty_0_N(1, "unsupported", unsupported, args)));
}

/* --- the wrappers of preload.c: not the program's code, so neither counted nor simulated --- */

static void call_heap(IRSB *out, const HChar *name, VG_REGPARM(1) void (*f)(Addr))
{
	IRTemp sp = newIRTemp(out->tyenv, Ity_I64);
	IRExpr **args = mkIRExprVec_1(IRExpr_RdTmp(sp));

	addStmtToIRSB(out, IRStmt_WrTmp(sp, IRExpr_Get(offsetof(VexGuestAMD64State, guest_RSP),
							Ity_I64)));
	addStmtToIRSB(out, IRStmt_Dirty(unsafeIRDirty_0_N(1, name, f, args)));
}

static IRSB *instrument_preload(IRSB *in, IRSB *out, Int i, Bool entry)
{
	if (entry)
		call_heap(out, "heap_enter", heap_enter);
	for (; i < in->stmts_used; i++)
		addStmtToIRSB(out, in->stmts[i]);
	if (in->jumpkind == Ijk_Ret)
		call_heap(out, "heap_leave", heap_leave);
	return out;
}

IRSB *instrument(VgCallbackClosure *closure, IRSB *in, const VexGuestLayout *layout,
		 const VexGuestExtents *extents, const VexArchInfo *host, IRType guest_word,
		 IRType host_word)
{
	struct builder b = { .out = deepCopyIRSBExceptStmts(in), .variant = variant_of(closure) };
	Int i = 0;

	tl_assert(layout->total_sizeB == sizeof(VexGuestAMD64State));
	if (b.variant == VARIANT_LEAVES)
		return variant_leave(closure, b.out);
	for (; i < in->stmts_used && in->stmts[i]->tag != Ist_IMark; i++)
		if (variant_keeps(&b, in->stmts[i]))
			addStmtToIRSB(b.out, in->stmts[i]);
	if (maps_is_preload(closure->readdr))
		return instrument_preload(in, b.out, i, closure->nraddr != closure->readdr);
	variant_begin(&b, closure->readdr);
	for (; i < in->stmts_used; i++)
		statement(&b, in->stmts[i]);
	before_end(&b, in);
	return b.out;
}
