/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How many misses of an L1 alone are counted with their classes, sampled or not: the first ones of
 * an image, and more while a loop that has a good part of them is near the limit of a verdict; and
 * again where a loop runs for the first time when counting has ended, if it has a good part of the
 * misses then.
 *
 * Where counting begins and ends depends on the program and on what was counted before, never on
 * which misses are sampled: so samples of what is not counted stand for that without bias.
 *
 * A loop is what lies between a branch back and its target, the smallest one around an instruction.
 */
#ifndef CCSAMPLE_TRACEE_VALGRIND_LIB_COUNTING_H
#define CCSAMPLE_TRACEE_VALGRIND_LIB_COUNTING_H

#include "pub_tool_basics.h"

extern UInt counting_left;	/* misses that are counted from now on, of all threads */

/* A new image: nothing was counted. */
void counting_begin(void);

/* An instruction of the program may continue at @to. */
void counting_branch(Addr from, Addr to);

/* Is counting to begin again? counting_again() does that, for threads that run from now on. */
Bool counting_due(void);
void counting_again(void);

/* A thread ran. Return: whether counting has to end, for late loops have missed too little. */
Bool counting_ran(ULong instructions);

/* The last one is counted. Return: whether it was not the last one after all. */
Bool counting_more(void);

/* A miss that is counted, and a hit that a fully associative cache would miss. */
void counting_miss(Addr ip, Bool conflict);
void counting_saved(Addr ip);

#endif /* CCSAMPLE_TRACEE_VALGRIND_LIB_COUNTING_H */
