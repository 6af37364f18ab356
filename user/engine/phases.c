// SPDX-License-Identifier: GPL-2.0-only
/*
 * Simulating a part of the run: skip, warm up, evaluate, and again. Code is
 * translated anew when simulation begins or ends: while it skips it does nothing
 * but count instructions. Phases change when Valgrind's scheduler has the turn,
 * some 100,000 superblocks apart at most.
 */
#include "pub_tool_basics.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_tooliface.h"

#include "engine/engine.h"
#include "engine/simulate.h"

/* Valgrind's core; only to be called where no translated code is under way. */
extern void VG_(discard_translations)(Addr start, ULong range, const HChar *who);

static enum { PHASE_SKIP, PHASE_WARM, PHASE_EVALUATE } phase = PHASE_EVALUATE;
static ULong begun;		/* the phase, by process_time() */

Bool phases_on(void)
{
	return engine_options.phases[PHASE_EVALUATE] != 0;
}

Bool phases_skip(void)
{
	return phase == PHASE_SKIP;
}

Bool phases_count(void)
{
	return phase == PHASE_EVALUATE;
}

void phases_init(void)
{
	if (phases_on())
		phase = engine_options.phases[PHASE_SKIP] ? PHASE_SKIP : PHASE_WARM;
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
}

void phases_step(void)
{
	if (!phases_on() || process_time() - begun < engine_options.phases[phase])
		return;
	do
		enter((phase + 1) % 3);
	while (!engine_options.phases[phase]);
}
