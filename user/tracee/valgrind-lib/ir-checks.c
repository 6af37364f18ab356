// SPDX-License-Identifier: GPL-2.0-only
/*
 * Valgrind's translator checks a superblock's code after each step of its way, which takes about 5%
 * of runs that translate much. Code that is not as it has to be is a bug in what made it, the
 * program has no part in it; so these checks are left to --sanity-level=3, which tests give. The
 * linker's --wrap puts ours in front.
 */
#include "libvex_ir.h"
#include "pub_tool_basics.h"

#define LEVEL_CHECKS	3	/* Valgrind's default is 1, its most 4 */

/* Valgrind's core. */
extern Int VG_(clo_sanity_level);
void __real_sanityCheckIRSB(const IRSB *code, const HChar *where, Bool flat, IRType word);
void __wrap_sanityCheckIRSB(const IRSB *code, const HChar *where, Bool flat, IRType word);

void __wrap_sanityCheckIRSB(const IRSB *code, const HChar *where, Bool flat, IRType word)
{
	if (VG_(clo_sanity_level) >= LEVEL_CHECKS)
		__real_sanityCheckIRSB(code, where, flat, word);
}
