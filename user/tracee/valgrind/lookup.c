// SPDX-License-Identifier: GPL-2.0-only
#include "pub_tool_basics.h"
#include "pub_tool_tooliface.h"

#include "tracee/valgrind/code.h"
#include "tracee/valgrind/lookup.h"

/* What is known at start of the test in line. */
static struct {
	ULong set_mask;		/* of a line's number */
	ULong row_bytes;
	Int row_shift;		/* log2 of them, -1 = no power of two */
} test;

static Int log2_of(ULong number)
{
	Int bits = 0;

	if (number & (number - 1))
		return -1;
	while (number >>= 1)
		bits++;
	return bits;
}

Bool lookup_init(const struct cache_geometry *g)
{
	test.set_mask = g->sets - 1;
	test.row_bytes = 2 * g->ways * sizeof(uint64_t);	/* tags and nodes */
	test.row_shift = log2_of(test.row_bytes);
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
	IRExpr *set;

	if (test.row_shift >= 0) {
		set = binary(b, Iop_And64, first, word(test.set_mask << bits));
		return binary(b, Iop_Add64, shifted(b, set, test.row_shift - bits), rows);
	}
	set = binary(b, Iop_And64, shifted(b, first, -bits), word(test.set_mask));
	set = binary(b, Iop_Mul64, set, word(test.row_bytes));
	return binary(b, Iop_Add64, set, rows);
}

IRExpr *lookup_exceeds(struct builder *b, IRExpr *value, ULong most)
{
	IRExpr *within = named(b, Ity_I1, IRExpr_Binop(Iop_CmpLT64U, value, word(most + 1)));

	return named(b, Ity_I1, IRExpr_Unop(Iop_Not1, within));
}
