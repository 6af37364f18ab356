/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which code is simulated where one function was asked for: its own, with what
 * the compiler inlined into it and wherever the function itself was inlined.
 * Names are those that Valgrind's core reads from symbols and debug information.
 */
#ifndef CCSAMPLE_TRACEE_VALGRIND_LIB_CHOSEN_H
#define CCSAMPLE_TRACEE_VALGRIND_LIB_CHOSEN_H

#include "pub_tool_basics.h"

/* Is the instruction one of those to be simulated? @wanted: the function, NULL = all code */
Bool chosen(const HChar *wanted, Addr ip);

#endif /* CCSAMPLE_TRACEE_VALGRIND_LIB_CHOSEN_H */
