/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How many misses of an L1 alone are counted with their classes, sampled or not: the first ones of
 * an image, and more while a loop that has a good part of them is near the limit of a verdict.
 *
 * Where counting ends depends on the program and on what was counted before, never on which misses
 * are sampled: so samples of what comes after stand for that without bias.
 *
 * A loop is what lies between a branch back and its target, the smallest one around an instruction.
 */
#ifndef CCSAMPLE_TRACEE_VALGRIND_LIB_COUNTING_H
#define CCSAMPLE_TRACEE_VALGRIND_LIB_COUNTING_H

#include "pub_tool_basics.h"

/* A new image: nothing was counted. Return: how many misses are to be. */
UInt counting_begin(void);

/* An instruction of the program may continue at @to. */
void counting_branch(Addr from, Addr to);

/* So many were. Return: how many more are to be; 0 = none. */
UInt counting_more(void);

/* A miss that is counted, and a hit that a fully associative cache would miss. */
void counting_miss(Addr ip, Bool conflict);
void counting_saved(Addr ip);

#endif /* CCSAMPLE_TRACEE_VALGRIND_LIB_COUNTING_H */
