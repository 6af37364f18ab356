// SPDX-License-Identifier: GPL-2.0-only
/*
 * Simulating a part of the run: skip, warm up, evaluate, and again. Code is
 * translated anew when simulation begins or ends: while it skips it does nothing
 * but count instructions. Phases change when Valgrind's scheduler has the turn,
 * some 100,000 superblocks apart at most.
 *
 * Or the program marks what is to be counted, and all else warms the caches: a
 * request ends translated code, so marks are exact.
 *
 * A skip is as long as asked for in the mean only, from half to one and a half
 * times that: evenly spaced phases would see always the same part of a program
 * whose own period divides theirs. --seed decides.
 */
#include "pub_tool_basics.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_tooliface.h"

#include "engine/engine.h"
#include "base/random.h"
#include "engine/simulate.h"

/* Valgrind's core; only to be called where no translated code is under way. */
extern void VG_(discard_translations)(Addr start, ULong range, const HChar *who);

static enum { PHASE_SKIP, PHASE_WARM, PHASE_EVALUATE } phase = PHASE_EVALUATE;
static ULong begun, length;	/* of the phase, by process_time() */
static uint64_t chance;

Bool phases_on(void)
{
	return engine_options.marked || engine_options.phases[PHASE_EVALUATE] != 0;
}

Bool phases_skip(void)
{
	return phase == PHASE_SKIP;
}

Bool phases_count(void)
{
	return phase == PHASE_EVALUATE;
}

static ULong length_of(UInt next)
{
	ULong wanted = engine_options.phases[next];

	return next == PHASE_SKIP && wanted > 1 ?
	       wanted / 2 + random_below(&chance, wanted) : wanted;
}

void phases_init(void)
{
	if (engine_options.marked)
		phase = PHASE_WARM;
	if (engine_options.marked || !phases_on())
		return;
	chance = engine_options.seed;
	phase = engine_options.phases[PHASE_SKIP] ? PHASE_SKIP : PHASE_WARM;
	length = length_of(phase);
}

static void translate_anew(void)
{
	VG_(discard_translations)(0, ~0ull, "phases");
	sim_blocks_free();
}

static void enter(UInt next)
{
	if (phase == PHASE_EVALUATE)
		results_send();
	else if (phase == PHASE_WARM)
		results_drop();
	if ((phase == PHASE_SKIP) != (next == PHASE_SKIP))
		translate_anew();
	phase = next;
	begun = process_time();
	length = length_of(next);
}

void phases_step(void)
{
	if (engine_options.marked || !phases_on() || process_time() - begun < length)
		return;
	do
		enter((phase + 1) % 3);
	while (!length);
}

void phases_mark(Bool begins)
{
	if (engine_options.marked && begins != phases_count())
		enter(begins ? PHASE_EVALUATE : PHASE_WARM);
}
