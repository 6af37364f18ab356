/* SPDX-License-Identifier: GPL-2.0-only */
/* How code is added to a superblock: what both kinds of instrumentation need. */
#ifndef CCSAMPLE_TRACEE_VALGRIND_CODE_H
#define CCSAMPLE_TRACEE_VALGRIND_CODE_H

#include "pub_tool_basics.h"
#include "pub_tool_tooliface.h"
#include "libvex_guest_amd64.h"

#include "tracee/valgrind/engine.h"
#include "tracee/valgrind/variants.h"

#define SHADOW		16	/* where struct engine_shadow is in the shadow */
#define SHADOW_FIELD(f)	(sizeof(VexGuestAMD64State) + SHADOW + offsetof(struct engine_shadow, f))

#define SEGMENT_MAX	64	/* references of a segment */

struct sim_block;

/*
 * With --trace: references of a superblock up to the next way out of it, in the
 * making; all of them happen or none does.
 */
struct segment {
	UInt count;
	IRExpr *base;			/* where the segment's addresses go */
	Addr ips[SEGMENT_MAX];
	UInt sizes[SEGMENT_MAX];
	Bool stores[SEGMENT_MAX];
};

/* A superblock in the making. */
struct builder {
	IRSB *out;
	enum variant variant;
	Addr ip;		/* current instruction */
	/* What follows of the superblock's own statements */
	IRStmt *const *rest, *const *end;
	Bool both;		/* the next reference is a load of what is then written */
	Bool bit_test;		/* the current instruction refers to no memory */
	UInt instructions, loads, stores;	/* counted, not yet in the code */
	IRExpr *last_address;	/* of the reference before, NULL = none that helps */
	Int last_size;
	Addr last_ip;
	struct sim_block *block;	/* what runs from here to the next way out, if simulated */
	struct segment segment;
	UInt slots;		/* of the clock, used by the current instruction */
};

static inline IRExpr *word(ULong value)
{
	return IRExpr_Const(IRConst_U64(value));
}

/* IR has to be flat: every operation's result gets a name. */
static inline IRExpr *named(struct builder *b, IRType type, IRExpr *e)
{
	IRTemp t = newIRTemp(b->out->tyenv, type);

	addStmtToIRSB(b->out, IRStmt_WrTmp(t, e));
	return IRExpr_RdTmp(t);
}

static inline IRExpr *binary(struct builder *b, IROp op, IRExpr *x, IRExpr *y)
{
	return named(b, Ity_I64, IRExpr_Binop(op, x, y));
}

static inline IRExpr *shifted(struct builder *b, IRExpr *e, Int left)
{
	IROp op = left > 0 ? Iop_Shl64 : Iop_Shr64;

	if (!left)
		return e;
	return binary(b, op, e, IRExpr_Const(IRConst_U8(left > 0 ? left : -left)));
}

static inline void add_to_shadow(struct builder *b, Int field, IRExpr *more)
{
	IRExpr *old = named(b, Ity_I64, IRExpr_Get(field, Ity_I64));

	addStmtToIRSB(b->out, IRStmt_Put(field, binary(b, Iop_Add64, old, more)));
}

/*
 * VEX would move a load down to where its value is used, past a helper that does
 * not touch memory; but a page is there only once it was referred to.
 */
static inline void keep_behind(IRDirty *d, IRExpr *address)
{
	d->mFx = Ifx_Modify;
	d->mAddr = address;
	d->mSize = 1;
}

#endif /* CCSAMPLE_TRACEE_VALGRIND_CODE_H */
