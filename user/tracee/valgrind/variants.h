/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Two translations of the same code, where a part of the run is simulated: one that only counts
 * instructions, and one that simulates.
 *
 * The first has the program's own address, the second one an address that no program has: Valgrind
 * is made to take what lies there for the same code, by way of the means that it has to replace
 * functions. Simulated code goes on at such addresses, so a change of phase is a jump from the one
 * to the other, and neither is ever translated twice. Each translation begins with a look at the
 * clock, so phases end to the instruction (but for the superblock under way).
 */
#ifndef CCSAMPLE_TRACEE_VALGRIND_VARIANTS_H
#define CCSAMPLE_TRACEE_VALGRIND_VARIANTS_H

#include "pub_tool_basics.h"
#include "pub_tool_tooliface.h"

struct builder;

enum variant {
	VARIANT_ONLY,		/* there is no other one */
	VARIANT_SKIPS,		/* counts instructions */
	VARIANT_SIMULATES,
	VARIANT_LEAVES,		/* no code to be simulated: goes on at the program's own address */
};

/* What a superblock is to become. */
enum variant variant_of(const VgCallbackClosure *closure);

/* The one of VARIANT_LEAVES. @out: without statements */
IRSB *variant_leave(const VgCallbackClosure *closure, IRSB *out);

/* Whether one of the statements before the first instruction belongs into the variant. */
Bool variant_keeps(const struct builder *b, const IRStmt *st);

/**
 * variant_begin() - what comes before the first instruction: on to the other variant if it is time.
 * @address: of that instruction
 */
void variant_begin(struct builder *b, Addr address);

/* An exit of the program's superblock, as it is in the variant. */
IRStmt *variant_exit(const struct builder *b, IRStmt *st);

/* The same for the way out at its end, which is in b->out already. */
void variant_end(struct builder *b);

#endif /* CCSAMPLE_TRACEE_VALGRIND_VARIANTS_H */
