// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where the program's own code begins: at its entry point, and again at main().
 *
 * What the loader does before depends on paths and on the environment: how often it misses, what
 * it leaves in the caches, which of its misses are sampled. It is recorded as any other code, but
 * the program then begins as if nothing had been before: with empty caches, frames not yet given
 * and the sampler's first burst. A static program's libc reads the environment between the entry
 * and main(), hence the second time; of a dynamic one that is little code.
 *
 * Valgrind translates code just before it runs for the first time, while the thread stands still.
 */
#include "pub_tool_basics.h"
#include "libvex_guest_amd64.h"
#include "pub_tool_machine.h"

#include "tracee/valgrind/caches.h"
#include "tracee/valgrind-lib/first-stack.h"

static Addr awaited;		/* the next point where the program begins, 0 = none */
static enum { AT_ENTRY_POINT, BEHIND_IT, AT_MAIN } stage;

void start_begin(ThreadId id)
{
	Addr entry = first_stack_fix(id, engine_options.repeatable, engine_options.layout);

	if (engine_options.repeatable && !engine_options.simulate && !engine_options.trace)
		awaited = entry;
}

/* The first argument of the function that is called next. */
static Addr first_argument(const struct engine_thread *t)
{
	Addr argument;

	VG_(get_shadow_regs_area)(t->id, (UChar *)&argument, 0,
				  offsetof(VexGuestAMD64State, guest_RDI), sizeof(argument));
	return argument;
}

/* The program's own code begins where this is first called. */
static void renew(struct engine_thread *t)
{
	static Bool said;

	process_cut();
	process_tallies(0, ~0ul);
	if (!said)
		process_entry();
	said = True;
	caches_renew(t);
	sampler_renew(t);
}

void start_reaches(Addr address)
{
	struct engine_thread *t = engine_now;

	if (!awaited)
		return;
	if (stage == BEHIND_IT) {
		/* _start calls the libc's first function with main(). */
		awaited = first_argument(t);
		if (!maps_is_code(awaited))
			awaited = 0;
		stage = AT_MAIN;
	} else if (address == awaited) {
		if (t)
			renew(t);	/* else it is the very first code */
		if (stage == AT_MAIN)
			awaited = 0;
		stage = BEHIND_IT;
	}
}
