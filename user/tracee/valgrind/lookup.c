// SPDX-License-Identifier: GPL-2.0-only
#include "pub_tool_basics.h"
#include "pub_tool_tooliface.h"

#include "tracee/valgrind/code.h"
#include "tracee/valgrind/lookup.h"

/* What is known at start of the test in line. */
static struct {
	ULong set_mask;		/* of a line's number */
	ULong row_odd;		/* a row has so many times 1 << row_shift bytes */
	Int row_shift;
} test;

Bool lookup_init(const struct cache_geometry *g)
{
	ULong row_bytes = 2 * g->ways * sizeof(uint64_t);	/* tags and nodes */

	test.set_mask = g->sets - 1;
	test.row_shift = __builtin_ctzll(row_bytes);
	test.row_odd = row_bytes >> test.row_shift;
	/* The two lines of a reference must not share a set. */
	return g->sets >= 2 && !(g->sets & (g->sets - 1));
}

IRExpr *lookup_time(struct builder *b, Int size)
{
	ULong passed = ((ULong)b->instructions << CLOCK_BITS) + b->slots;
	IRExpr *clock = named(b, Ity_I64, IRExpr_Get(SHADOW_FIELD(instructions), Ity_I64));

	b->slots += (size - 2) / (Int)engine_options.l1.line + 2;
	return binary(b, Iop_Add64, clock, word(passed + 1));
}

IRExpr *lookup_newest(struct builder *b, IRExpr *first)
{
	Int bits = engine_options.l1.line_bits;
	IRExpr *rows = named(b, Ity_I64, IRExpr_Get(SHADOW_FIELD(rows), Ity_I64));
	IRExpr *set = binary(b, Iop_And64, first, word(test.set_mask << bits));

	if (test.row_odd > 1)
		set = binary(b, Iop_Mul64, set, word(test.row_odd));
	return binary(b, Iop_Add64, shifted(b, set, test.row_shift - bits), rows);
}

IRExpr *lookup_exceeds(struct builder *b, IRExpr *value, ULong most)
{
	IRExpr *within = named(b, Ity_I1, IRExpr_Binop(Iop_CmpLT64U, value, word(most + 1)));

	return named(b, Ity_I1, IRExpr_Unop(Iop_Not1, within));
}
