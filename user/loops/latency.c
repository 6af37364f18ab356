// SPDX-License-Identifier: GPL-2.0-only
/*
 * The shortest of Intel's and AMD's cores of 2019 to 2023 (A. Fog, Instruction tables: Ice Lake,
 * Zen 2 to Zen 4), so that a sum of them is what a processor takes at least.
 */
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "loops/latency.h"

struct row {
	const char *name;		/* what mnemonics begin with, without the v of AVX */
	bool whole;			/* ... or all of it */
	struct latency latency;
};

/* The first that fits. */
static const struct row rows[] = {
	{ "mov", false, { 0, 0 } },	/* registers are renamed */
	{ "xchg", true, { 0, 0 } },
	{ "divss", true, { 10, 3 } },
	{ "divps", true, { 10, 3 } },
	{ "divsd", true, { 13, 4 } },
	{ "divpd", true, { 13, 4 } },
	{ "sqrtss", true, { 12, 3 } },
	{ "sqrtps", true, { 12, 3 } },
	{ "sqrtsd", true, { 15, 4 } },
	{ "sqrtpd", true, { 15, 4 } },
	{ "div", true, { 10, 4 } },
	{ "idiv", true, { 10, 4 } },
	{ "addsub", false, { 3, 0, LATENCY_ADD } },
	{ "addss", true, { 3, 0, LATENCY_ADD } },
	{ "addsd", true, { 3, 0, LATENCY_ADD } },
	{ "addps", true, { 3, 0, LATENCY_ADD } },
	{ "addpd", true, { 3, 0, LATENCY_ADD } },
	{ "subss", true, { 3, 0, LATENCY_ADD } },
	{ "subsd", true, { 3, 0, LATENCY_ADD } },
	{ "subps", true, { 3, 0, LATENCY_ADD } },
	{ "subpd", true, { 3, 0, LATENCY_ADD } },
	{ "mulss", true, { 3, 0, LATENCY_MULTIPLY } },
	{ "mulsd", true, { 3, 0, LATENCY_MULTIPLY } },
	{ "mulps", true, { 3, 0, LATENCY_MULTIPLY } },
	{ "mulpd", true, { 3, 0, LATENCY_MULTIPLY } },
	{ "fmadd", false, { 4, 0, LATENCY_FUSED } },
	{ "fmsub", false, { 4, 0, LATENCY_FUSED } },
	{ "fnmadd", false, { 4, 0, LATENCY_FUSED } },
	{ "fnmsub", false, { 4, 0, LATENCY_FUSED } },
	{ "max", false, { 1, 0, LATENCY_MOST } },
	{ "min", false, { 1, 0, LATENCY_MOST } },
	{ "cmovl", false, { 1, 0, LATENCY_SIGNED } },	/* cmovle, too */
	{ "cmovnl", false, { 1, 0, LATENCY_SIGNED } },	/* cmovnle, too */
	{ "hadd", false, { 4, 0 } },
	{ "hsub", false, { 4, 0 } },
	{ "cvt", false, { 3, 0 } },
	{ "imul", true, { 3, 0 } },
	{ "mul", true, { 3, 0 } },
	{ "pmul", false, { 3, 0 } },
	{ "pmadd", false, { 3, 0 } },
};

static bool fits(const struct row *row, const char *name)
{
	return row->whole ? !strcmp(name, row->name) :
			    !strncmp(name, row->name, strlen(row->name));
}

struct latency latency_of(const char *name)
{
	if (*name == 'v')
		name++;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (fits(&rows[i], name))
			return rows[i].latency;
	return (struct latency){ 1, 0, LATENCY_TYPICAL };
}
