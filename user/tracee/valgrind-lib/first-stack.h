/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What lies on the stack when a program begins: its arguments, its environment and what the kernel
 * tells the loader (System V ABI AMD64, 3.4). Valgrind puts it at the end of a fixed range, so all
 * frames of the program lie lower by the size of the environment, and conflict with other data.
 */
#ifndef CCSAMPLE_TRACEE_VALGRIND_LIB_FIRST_STACK_H
#define CCSAMPLE_TRACEE_VALGRIND_LIB_FIRST_STACK_H

#include "pub_tool_basics.h"

/**
 * first_stack_fix() - make it the same in every run, before the first instruction.
 * @id: the first thread
 * @place: put the stack pointer and the arguments where they are whatever the environment is
 * @layout: then which of several places for these and for the heap, 0 = the usual one
 *
 * Return: the program's entry point, 0 if the kernel has not told it.
 */
Addr first_stack_fix(ThreadId id, Bool place, UInt layout);

#endif /* CCSAMPLE_TRACEE_VALGRIND_LIB_FIRST_STACK_H */
