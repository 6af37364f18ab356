// SPDX-License-Identifier: GPL-2.0-only
/* The simulator's part of the program's code: see simulate.h. */
#include "pub_tool_basics.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_tooliface.h"

#include "tracee/valgrind/code.h"
#include "tracee/valgrind/lookup.h"
#include "tracee/valgrind/simulate.h"
#include "tracee/valgrind-lib/chosen.h"

static Bool usable;		/* the test in line */

void sim_code_init(void)
{
	const struct level_plan *l1 = &engine_options.plan.level[0];

	/* LRU distances, blocks count every use; aliases, prefetchers, cores look at every one. */
	usable = lookup_init(&l1->geometry) && l1->policy == POLICY_LRU &&
		 engine_options.plan.detector < DETECTOR_REUSE && !engine_options.alias &&
		 !engine_options.blocks && !engine_options.plan.prefetchers &&
		 !engine_options.plan.coherence;
}

void sim_code_flush(struct builder *b)
{
	IRExpr *at, *old;

	if (b->instructions)
		add_to_shadow(b, SHADOW_FIELD(instructions),
			      word((ULong)b->instructions << CLOCK_BITS));
	if (b->loads)
		add_to_shadow(b, SHADOW_FIELD(references), word(b->loads));
	if (b->block) {
		at = word((Addr)&b->block->count);
		old = named(b, Ity_I64, IRExpr_Load(Iend_LE, Ity_I64, at));
		old = binary(b, Iop_Add64, old, word(1));
		addStmtToIRSB(b->out, IRStmt_Store(Iend_LE, at, old));
	}
	b->instructions = b->loads = 0;
	b->block = NULL;
}

static struct sim_block *new_block(void)
{
	struct sim_blocks *more;

	if (!sim_blocks || sim_blocks->used == SIM_BLOCKS) {
		more = VG_(calloc)("ccsample.blocks", 1, sizeof(*more));
		more->next = sim_blocks;
		sim_blocks = more;
	}
	return &sim_blocks->block[sim_blocks->used++];
}

static struct sim_reference *describe(struct builder *b, Bool is_store, Int size, Bool guarded)
{
	struct sim_reference *reference = VG_(calloc)("ccsample.ref", 1, sizeof(*reference));

	reference->site = sim_site(b->ip);
	reference->size = size;
	reference->store = is_store;
	reference->guarded = guarded;
	if (guarded)
		return reference;
	if (!b->block)
		b->block = new_block();
	reference->next = b->block->references;
	b->block->references = reference;
	b->loads++;
	return reference;
}

/*
 * No more than excess() where the tag is the last byte's line, for a store a line written to
 * before: in place of the tag's last bit a load has one of the address.
 */
static IRExpr *difference(struct builder *b, IRExpr *tag, IRExpr *last, Bool is_store)
{
	IRExpr *line = shifted(b, last, 1 - (Int)engine_options.l1.line_bits);

	if (is_store)
		line = binary(b, Iop_Or64, line, word(TAG_DIRTY));
	return binary(b, Iop_Xor64, tag, line);
}

static ULong excess(Bool is_store)
{
	return is_store ? 0 : TAG_DIRTY;
}

/* A field of a site: a step from the register that has @sites, unless it is too far away. */
static IRExpr *site_field(struct builder *b, IRExpr *sites, const ULong *field)
{
	Long step = (Addr)field - sim_sites;
	IRExpr *at = step == (Int)step ? binary(b, Iop_Add64, sites, word(step)) :
		     word((Addr)field);

	return named(b, Ity_I64, IRExpr_Load(Iend_LE, Ity_I64, at));
}

/*
 * The same, but more where the site has not been so far away yet: then how far it is from its
 * lowest line, which is at least a line.
 */
static IRExpr *or_beyond(struct builder *b, IRExpr *difference_there, IRExpr *address,
			 const struct sim_site *site)
{
	IRExpr *sites = named(b, Ity_I64, IRExpr_Get(SHADOW_FIELD(sites), Ity_I64));
	IRExpr *away = binary(b, Iop_Sub64, address, site_field(b, sites, (ULong *)&site->low));
	IRExpr *within = named(b, Ity_I1, IRExpr_Binop(Iop_CmpLE64U, away,
						       site_field(b, sites, &site->reach)));

	return named(b, Ity_I64, IRExpr_ITE(within, difference_there, away));
}

/* The same site has just used the same bytes: their line is the newest, and in its range. */
static Bool repeats(const struct builder *b, IRExpr *address, Int size)
{
	return b->last_address && b->last_ip == b->ip && b->last_size == size &&
	       eqIRAtom(b->last_address, address);
}

static void add_call(struct builder *b, IRDirty *d, IRExpr *first, IRExpr *guard)
{
	if (guard)
		d->guard = guard;
	if (engine_options.plan.levels > 1)
		keep_behind(d, first);
	addStmtToIRSB(b->out, IRStmt_Dirty(d));
}

static void call(struct builder *b, IRExpr *first, struct sim_reference *reference, IRExpr *time,
		 IRExpr *guard)
{
	IRExpr **args = mkIRExprVec_3(first, word((Addr)reference), time);

	add_call(b, unsafeIRDirty_0_N(3, "sim_refer", sim_refer, args), first, guard);
}

/* The same where the line's set is known to be at @row. */
static void call_with_row(struct builder *b, IRExpr *first, struct sim_reference *reference,
			  IRExpr *time, IRExpr *row, IRExpr *guard)
{
	IRExpr **args = mkIRExprVec_4(first, word((Addr)reference), time, row);

	add_call(b, engine_options.l1.ways == 8 ?
		 unsafeIRDirty_0_N(3, "sim_use_8", sim_use_8, args) :
		 unsafeIRDirty_0_N(3, "sim_use", sim_use, args), first, guard);
}

void sim_code_refer(struct builder *b, Bool is_store, IRExpr *address, Int size, IRExpr *guard)
{
	struct sim_reference *reference;
	IRExpr *last = address, *time, *tag_at, *tag, *node, *away;
	Bool again = repeats(b, address, size);

	if (b->variant == VARIANT_SKIPS || !chosen(engine_options.function, b->ip))
		return;
	reference = describe(b, is_store, size, guard != NULL);
	b->last_address = guard ? NULL : address;
	b->last_size = size;
	b->last_ip = b->ip;
	time = lookup_time(b, size);
	if (guard || !usable || size > (Int)engine_options.l1.line) {
		call(b, address, reference, time, guard);
		return;
	}
	if (size > 1)
		last = binary(b, Iop_Add64, address, word(size - 1));
	tag_at = lookup_newest(b, address);
	tag = named(b, Ity_I64, IRExpr_Load(Iend_LE, Ity_I64, tag_at));
	away = difference(b, tag, last, is_store);
	if (!again)
		away = or_beyond(b, away, address, reference->site);
	call_with_row(b, address, reference, time, tag_at,
		      lookup_exceeds(b, away, excess(is_store)));
	/* Now it is the newest, whichever way that came. */
	node = named(b, Ity_I64, IRExpr_Load(Iend_LE, Ity_I64,
					     binary(b, Iop_Add64, tag_at, word(sizeof(uint64_t)))));
	addStmtToIRSB(b->out, IRStmt_Store(Iend_LE, node, time));
}
