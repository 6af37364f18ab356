/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CCSAMPLE_TRACEE_VALGRIND_LIB_DEBUG_LINES_H
#define CCSAMPLE_TRACEE_VALGRIND_LIB_DEBUG_LINES_H

#include "pub_tool_basics.h"

/*
 * Whether the core is to read source lines and inlined functions of the files mapped from now on.
 * Not 0 = yes. Read by assembly.
 */
extern Int debug_lines_wanted;

#endif /* CCSAMPLE_TRACEE_VALGRIND_LIB_DEBUG_LINES_H */
