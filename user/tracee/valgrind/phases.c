// SPDX-License-Identifier: GPL-2.0-only
/*
 * Simulating a part of the run: skip, warm up, evaluate, and again. Code that is
 * skipped does nothing but count instructions (variants.h).
 *
 * Or the program marks what is to be counted, and all else warms the caches: a
 * request ends translated code, so marks are exact.
 *
 * With --refill warming ends early, as soon as the running thread's own levels hold nothing from
 * before the skip: where most references miss that is soon, and dear. The next skip is longer by
 * what that spared, or such code would be seen more often than other code. The first warming is
 * never cut short: the last level is empty then.
 *
 * A skip is as long as asked for in the mean only, from half to one and a half
 * times that: evenly spaced phases would see always the same part of a program
 * whose own period divides theirs. --seed decides.
 */
#include "pub_tool_basics.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_tooliface.h"

#include "tracee/valgrind/engine.h"
#include "base/random.h"
#include "tracee/valgrind/simulate.h"

#define TURN		500000		/* instructions; Valgrind's own is 100,000 superblocks */
#define LOOKS		16		/* at how full caches are while they warm up */
#define REFILLS		2		/* sets do not fill evenly */
#define LENGTH_MOST	(1ull << 50)	/* what a clock has room for */

static enum { PHASE_SKIP, PHASE_WARM, PHASE_EVALUATE } phase = PHASE_EVALUATE;
static ULong begun, length;	/* of the phase, by process_time() */
static ULong spared;		/* of the latest warming */
static Bool filled;		/* the first warming is over */
static uint64_t chance;
static ULong turn_ends;		/* on the running thread's clock */

Bool phases_on(void)
{
	return engine_options.marked || engine_options.phases[PHASE_EVALUATE] != 0;
}

Bool phases_sampled(void)
{
	return engine_options.phases[PHASE_EVALUATE] != 0;
}

Bool phases_count(void)
{
	return phase == PHASE_EVALUATE;
}

static ULong length_of(UInt next)
{
	ULong wanted = engine_options.phases[next];

	if (wanted > LENGTH_MOST)
		return LENGTH_MOST;
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
	phase = PHASE_SKIP;
	length = length_of(phase);
}

static void end_warming(void)
{
	results_drop();
	filled = True;
}

static void enter(UInt next)
{
	if (phase == PHASE_EVALUATE)
		results_send();
	else if (phase == PHASE_WARM)
		end_warming();
	phase = next;
	begun = process_time();
	length = length_of(next);
	if (phase == PHASE_SKIP) {
		length += spared;
		spared = 0;
	}
}

/*
 * Has the outermost of a thread's own levels, and its shadow, taken in more than they hold? What is
 * counted has been forgotten when the skip began.
 */
static Bool refilled(const struct engine_thread *t)
{
	const struct hierarchy *h = &t->sim->hierarchy;
	UInt n = h->levels - 1;
	const uint64_t *outcomes;

	while (n && !hierarchy_owns(h, n))
		n--;
	outcomes = h->level[n].counts.outcomes;
	return outcomes[CLASS_COLD] + outcomes[CLASS_CAPACITY] >=
	       (uint64_t)REFILLS * cache_lines(&h->level[n].shape.geometry);
}

static Bool ends_early(void)
{
	return phase == PHASE_WARM && engine_options.refill && filled;
}

void phases_limits(const struct engine_thread *t, struct engine_shadow *shadow)
{
	ULong passed = process_time_drained(t) - begun;
	ULong left = passed < length ? length - passed : 0;
	ULong next_look = ends_early() && left > length / LOOKS ? length / LOOKS + 1 : left;
	ULong end = t->clock + (next_look << CLOCK_BITS);

	shadow->skip_until = phase == PHASE_SKIP ? end : 0;
	shadow->simulate_until = phase == PHASE_SKIP ? 0 : end < turn_ends ? end : turn_ends;
}

void phases_turn(const struct engine_thread *t)
{
	turn_ends = t->clock + ((ULong)TURN << CLOCK_BITS);
}

/*
 * Valgrind looks whether a turn is over at each jump back. Where simulated code lies, in its eyes,
 * all jumps within it are forward: so here its counter is made to run out at the next look.
 */
ULong phases_due(VexGuestAMD64State *state)
{
	if (ends_early() && process_time() - begun < length && refilled(engine_now)) {
		spared = length - (process_time() - begun);
		enter(PHASE_EVALUATE);
	}
	while (process_time() - begun >= length)
		enter((phase + 1) % 3);
	if (engine_now->clock >= turn_ends)
		state->host_EvC_COUNTER = 0;
	shadow_load(engine_now);
	return phase == PHASE_SKIP || engine_now->clock >= turn_ends;
}

void phases_forked(ULong time)
{
	begun -= time;
}

void phases_mark(Bool begins)
{
	if (engine_options.marked && begins != phases_count())
		enter(begins ? PHASE_EVALUATE : PHASE_WARM);
}
