// SPDX-License-Identifier: GPL-2.0-only
/*
 * What is added to the program's code. For each reference the test in line of lookup.h; where it
 * fails a helper of caches.c is called.
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

#include "tracee/valgrind/caches.h"
#include "tracee/valgrind/code.h"
#include "tracee/valgrind/lookup.h"
#include "tracee/valgrind/simulate.h"
#include "tracee/valgrind/tracing.h"
#include "tracee/valgrind-lib/chosen.h"
#include "tracee/valgrind-lib/counting.h"

static Bool usable;		/* the test in line */

void instrument_init(void)
{
	if (!engine_options.simulate)
		usable = lookup_init(&engine_options.l1);
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

	/* A handler that has returned has put back what the shadow was when its signal came. */
	if (!t->runs)
		return;
	VG_(get_shadow_regs_area)(t->id, (UChar *)&s, 1, SHADOW, sizeof(s));
	if (engine_options.trace) {
		t->counts.instructions += s.instructions;
	} else {
		t->counts.instructions += (s.instructions - t->clock) >> CLOCK_BITS;
		t->clock = s.instructions;
	}
	if (engine_options.simulate)
		sim_drain(t, &s);
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
		add_to_shadow(b, SHADOW_FIELD(instructions),
			      word((ULong)b->instructions <<
				   (engine_options.trace ? 0 : CLOCK_BITS)));
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

/*
 * Does the instruction also write there? The address then has the same name in what follows of it.
 */
static Bool writes_back(const struct builder *b, const IRExpr *address)
{
	IRStmt *const *st = b->rest;

	for (; st < b->end && (*st)->tag != Ist_IMark; st++) {
		if ((*st)->tag == Ist_Store && eqIRAtom((*st)->Ist.Store.addr, address))
			return True;
		if ((*st)->tag == Ist_CAS && eqIRAtom((*st)->Ist.CAS.details->addr, address))
			return True;
	}
	return False;
}

/*
 * Has the instruction read there? Of `lock add` and `xchg` VEX makes a load, then a
 * compare-and-swap (VEX/priv/guest_amd64_toIR.c, casLE()).
 */
static Bool read_before(const struct builder *b, const IRExpr *address)
{
	IRStmt *const *st = b->rest - 2;
	const IRExpr *e;

	for (; (*st)->tag != Ist_IMark; st--) {
		if ((*st)->tag != Ist_WrTmp)
			continue;
		e = (*st)->Ist.WrTmp.data;
		if (e->tag == Iex_Load && eqIRAtom(e->Iex.Load.addr, address))
			return True;
	}
	return False;
}

/* Who refers, for the helpers. */
static IRExpr *who(const struct builder *b, Bool is_store, const IRExpr *first, Int size)
{
	UInt flags = is_store ? CCS_SAMPLE_STORE : CCS_SAMPLE_LOAD;

	if (!is_store && (b->both || writes_back(b, first)))
		flags |= CCS_SAMPLE_STORE;
	return word(who_refers(b->ip, size < WHO_SIZE_MOST ? size : WHO_SIZE_MOST, flags));
}

static void call_helper(struct builder *b, IRDirty *d, IRExpr *first, IRExpr *guard)
{
	if (guard)
		d->guard = guard;
	if (caches_outer())
		keep_behind(d, first);
	addStmtToIRSB(b->out, IRStmt_Dirty(d));
}

/* Is the line the newest one of its set? Else a helper makes it that. Then it gets its time. */
static void use_line(struct builder *b, Bool is_store, IRExpr *first, Int size, IRExpr *time)
{
	IRExpr *last = size > 1 ? binary(b, Iop_Add64, first, word(size - 1)) : first;
	IRExpr *way = lookup_newest(b, first), *node;
	IRExpr *tag = named(b, Ity_I64, IRExpr_Load(Iend_LE, Ity_I64, way));
	/* In place of the tag's last bit the line has one of the address. */
	IRExpr *line = shifted(b, last, 1 - (Int)engine_options.l1.line_bits);
	IRExpr *absent = lookup_exceeds(b, binary(b, Iop_Xor64, tag, line), TAG_DIRTY);
	IRExpr **args = mkIRExprVec_4(first, who(b, is_store, first, size), time, way);
	UInt ways = engine_options.l1.ways;

	call_helper(b, caches_outer() ?
		    unsafeIRDirty_0_N(0, "caches_use_outer", caches_use_outer, args) :
		    ways == 8 ? unsafeIRDirty_0_N(0, "caches_use_8", caches_use_8, args) :
		    ways == 12 ? unsafeIRDirty_0_N(0, "caches_use_12", caches_use_12, args) :
		    unsafeIRDirty_0_N(0, "caches_use", caches_use, args), first, absent);
	node = named(b, Ity_I64, IRExpr_Load(Iend_LE, Ity_I64,
					     binary(b, Iop_Add64, way, word(sizeof(uint64_t)))));
	addStmtToIRSB(b->out, IRStmt_Store(Iend_LE, node, time));
}

/* The same bytes as just before are in most recently used lines, whatever these were. */
static Bool repeats(const struct builder *b, IRExpr *address, Int size)
{
	return b->last_address && b->last_size == size && eqIRAtom(b->last_address, address);
}

static void reference(struct builder *b, Bool is_store, IRExpr *address, Int size, IRExpr *guard)
{
	IRExpr *time, **args;

	if (engine_options.simulate) {
		sim_code_refer(b, is_store, address, size, guard);
		return;
	}
	count(b, is_store, guard);
	if (engine_options.trace) {
		if (!chosen(engine_options.function, b->ip))
			return;
		tracing_reference(b, is_store, address, size, guard);
		return;
	}
	if (usable && repeats(b, address, size))
		return;
	b->last_address = guard ? NULL : address;
	b->last_size = size;
	time = lookup_time(b, size);
	if (usable && !guard && size <= (Int)engine_options.l1.line) {
		use_line(b, is_store, address, size, time);
		return;
	}
	args = mkIRExprVec_3(address, who(b, is_store, address, size), time);
	call_helper(b, unsafeIRDirty_0_N(0, "caches_refer", caches_refer, args), address, guard);
}

/* --- statements --- */

static Bool is_certain(const IRExpr *guard)
{
	return guard->tag == Iex_Const && guard->Iex.Const.con->Ico.U1;
}

static void after_dirty(struct builder *b, const IRDirty *d)
{
	IRExpr *guard = is_certain(d->guard) ? NULL : d->guard;

	b->both = d->mFx == Ifx_Modify;
	if (d->mFx == Ifx_Read || d->mFx == Ifx_Modify)
		reference(b, False, d->mAddr, d->mSize, guard);
	if (d->mFx == Ifx_Write || d->mFx == Ifx_Modify)
		reference(b, True, d->mAddr, d->mSize, guard);
	b->both = False;
}

static void after_cas(struct builder *b, const IRCAS *cas)
{
	Int size = sizeofIRType(typeOfIRExpr(b->out->tyenv, cas->dataLo));

	if (cas->dataHi)
		size *= 2;
	b->both = True;
	if (!read_before(b, cas->addr))
		reference(b, False, cas->addr, size, NULL);
	reference(b, True, cas->addr, size, NULL);
	b->both = False;
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

/*
 * Does it test a bit of a register by a register? Valgrind does that in memory below the stack
 * (VEX/priv/guest_amd64_toIR.c, dis_bt_G_E()), to which the program does not refer.
 */
static Bool is_bit_test(const IRStmt *mark)
{
	const UChar *at = (const UChar *)(mark->Ist.IMark.addr + mark->Ist.IMark.delta);
	const UChar *end = at + mark->Ist.IMark.len;

	/* The operand's size, and REX. */
	while (at < end && (*at == 0x66 || (*at & 0xf0) == 0x40))
		at++;
	return end - at == 3 && at[0] == 0x0f && (at[1] & 0xe7) == 0xa3 && at[2] >= 0xc0;
}

static void statement(struct builder *b, IRStmt *st)
{
	if (st->tag == Ist_IMark) {
		counting_branch(b->ip, st->Ist.IMark.addr);	/* VEX follows jumps */
		b->ip = st->Ist.IMark.addr + st->Ist.IMark.delta;
		b->instructions++;
		b->slots = 0;
		b->bit_test = is_bit_test(st);
	}
	if (st->tag == Ist_Exit) {
		counting_branch(b->ip, st->Ist.Exit.dst->Ico.U64);
		flush_counts(b);
		st = variant_exit(b, st);
	}
	addStmtToIRSB(b->out, st);
	if (!b->bit_test)
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

	if (in->jumpkind == Ijk_Boring && in->next->tag == Iex_Const)
		counting_branch(b->ip, in->next->Iex.Const.con->Ico.U64);
	flush_counts(b);
	tracing_jump(b, in->jumpkind);
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
	struct builder b = { .out = out };

	if (entry)
		call_heap(out, "heap_enter", heap_enter);
	for (; i < in->stmts_used; i++)
		addStmtToIRSB(out, in->stmts[i]);
	/* What they call is followed, too: so the program's calls of them end. */
	tracing_jump(&b, in->jumpkind);
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
	start_reaches(closure->nraddr);
	if (b.variant == VARIANT_LEAVES)
		return variant_leave(closure, b.out);
	for (; i < in->stmts_used && in->stmts[i]->tag != Ist_IMark; i++)
		if (variant_keeps(&b, in->stmts[i]))
			addStmtToIRSB(b.out, in->stmts[i]);
	if (maps_is_preload(closure->readdr))
		return instrument_preload(in, b.out, i, closure->nraddr != closure->readdr);
	variant_begin(&b, closure->readdr);
	b.end = in->stmts + in->stmts_used;
	for (; i < in->stmts_used; i++) {
		b.rest = in->stmts + i + 1;
		statement(&b, in->stmts[i]);
	}
	before_end(&b, in);
	if (counting_due())
		caches_count_again();
	return b.out;
}
