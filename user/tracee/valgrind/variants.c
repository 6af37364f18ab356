// SPDX-License-Identifier: GPL-2.0-only
#include "pub_tool_basics.h"
#include "pub_tool_machine.h"
#include "pub_tool_tooliface.h"

#include "tracee/valgrind/code.h"
#include "tracee/valgrind/engine.h"
#include "tracee/valgrind/simulate.h"
#include "tracee/valgrind/variants.h"

/* In the address of simulated code; no program's has any of these bits. */
#define SIMULATED	(1ull << 62)
#define ITSELF		(1ull << 61)	/* the code there, whatever stands in for it */
#define ALL		(SIMULATED | ITSELF)

/* Valgrind's core. */
extern void VG_(set_IP)(ThreadId id, Addr ip);
Addr __real_vgPlain_redir_do_lookup(Addr address, Bool *wraps);
Addr __wrap_vgPlain_redir_do_lookup(Addr address, Bool *wraps);
void __real_vgPlain_poll_signals(ThreadId id);
void __wrap_vgPlain_poll_signals(ThreadId id);

/*
 * What is to be translated for an address. Where nothing may be executed the program gets a
 * signal, and has to see the address that it jumped to.
 */
Addr __wrap_vgPlain_redir_do_lookup(Addr address, Bool *wraps)
{
	Addr own = address & ~ALL;

	if (address != own && engine_now && !maps_is_code(own))
		VG_(set_IP)(engine_now->id, own);
	if (!(address & ITSELF))
		return __real_vgPlain_redir_do_lookup(own, wraps);
	if (wraps)
		*wraps = False;
	return own;
}

/* The handler of a signal, too, has to see the program's own address. */
void __wrap_vgPlain_poll_signals(ThreadId id)
{
	VG_(set_IP)(id, VG_(get_IP)(id) & ~ALL);
	__real_vgPlain_poll_signals(id);
}

enum variant variant_of(const VgCallbackClosure *closure)
{
	if (!phases_sampled())
		return VARIANT_ONLY;
	if (!(closure->nraddr & SIMULATED))
		return VARIANT_SKIPS;
	return closure->readdr == (closure->nraddr & ~ALL) && !maps_is_preload(closure->readdr) ?
	       VARIANT_SIMULATES : VARIANT_LEAVES;
}

IRSB *variant_leave(const VgCallbackClosure *closure, IRSB *out)
{
	out->next = word(closure->nraddr & ~ALL);
	out->jumpkind = Ijk_Boring;
	return out;
}

/* Wrappers ask what they wrap; Valgrind would have all simulated code say that it is nothing. */
Bool variant_keeps(const struct builder *b, const IRStmt *st)
{
	return b->variant != VARIANT_SIMULATES || st->tag != Ist_Put ||
	       st->Ist.Put.offset != offsetof(VexGuestAMD64State, guest_NRADDR);
}

static IRExpr *reached(struct builder *b, Int until)
{
	IRExpr *clock = named(b, Ity_I64, IRExpr_Get(SHADOW_FIELD(instructions), Ity_I64));
	IRExpr *end = named(b, Ity_I64, IRExpr_Get(until, Ity_I64));

	return named(b, Ity_I1, IRExpr_Binop(Iop_CmpLE64U, end, clock));
}

static void leave_if(struct builder *b, IRExpr *guard, Addr address)
{
	addStmtToIRSB(b->out, IRStmt_Exit(guard, Ijk_Boring, IRConst_U64(address),
					  offsetof(VexGuestAMD64State, guest_RIP)));
}

/* The helper decides. It reads and writes the shadow. */
static void simulate_until(struct builder *b, Addr address)
{
	IRExpr *due = reached(b, SHADOW_FIELD(simulate_until));
	IRTemp skip = newIRTemp(b->out->tyenv, Ity_I64);
	IRDirty *d = unsafeIRDirty_1_N(skip, 0, "phases_due", phases_due,
				       mkIRExprVec_1(IRExpr_GSPTR()));
	IRExpr *leave;

	d->guard = due;
	d->nFxState = 1;
	d->fxState[0].fx = Ifx_Modify;
	d->fxState[0].offset = SHADOW_FIELD(rows);
	d->fxState[0].size = sizeof(struct engine_shadow);
	d->fxState[0].nRepeats = 0;
	d->fxState[0].repeatLen = 0;
	addStmtToIRSB(b->out, IRStmt_Dirty(d));
	leave = named(b, Ity_I1, IRExpr_Binop(Iop_CmpEQ64, IRExpr_RdTmp(skip), word(1)));
	leave_if(b, named(b, Ity_I1, IRExpr_Binop(Iop_And1, leave, due)), address);
}

void variant_begin(struct builder *b, Addr address)
{
	if (b->variant == VARIANT_SKIPS)
		leave_if(b, reached(b, SHADOW_FIELD(skip_until)), address | ALL);
	if (b->variant != VARIANT_SIMULATES)
		return;
	simulate_until(b, address);
	/* For whoever has to know where the program is, should this instruction fault. */
	addStmtToIRSB(b->out, IRStmt_Put(offsetof(VexGuestAMD64State, guest_RIP), word(address)));
}

/* System calls and the like return to the program's own address. */
static Bool remains(const struct builder *b, IRJumpKind kind)
{
	return b->variant == VARIANT_SIMULATES &&
	       (kind == Ijk_Boring || kind == Ijk_Call || kind == Ijk_Ret);
}

IRStmt *variant_exit(const struct builder *b, IRStmt *st)
{
	if (!remains(b, st->Ist.Exit.jk))
		return st;
	return IRStmt_Exit(st->Ist.Exit.guard, st->Ist.Exit.jk,
			   IRConst_U64(st->Ist.Exit.dst->Ico.U64 | SIMULATED), st->Ist.Exit.offsIP);
}

void variant_end(struct builder *b)
{
	IRExpr *next = b->out->next;

	if (!remains(b, b->out->jumpkind))
		return;
	b->out->next = next->tag == Iex_Const ? word(next->Iex.Const.con->Ico.U64 | SIMULATED) :
		       binary(b, Iop_Or64, next, word(SIMULATED));
}
