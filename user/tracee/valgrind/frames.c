// SPDX-License-Identifier: GPL-2.0-only
/*
 * Whose stack frame an address lies in. The guest's stack pointer, rbp and
 * instruction are exact at every reference to memory, as Valgrind's own stack
 * traces need them there (--vex-iropt-register-updates).
 */
#include "pub_tool_basics.h"
#include "pub_tool_machine.h"
#include "pub_tool_stacktrace.h"
#include "pub_tool_tooliface.h"

#include "tracee/valgrind/engine.h"

#define DEPTH_MOST	64	/* calls looked through */
#define RED_ZONE	128	/* below the stack pointer, a leaf function's (psABI 3.2.2) */

Bool frames_find(const struct engine_thread *t, Addr ip, Addr address, struct ccs_frame *frame)
{
	Addr ips[DEPTH_MOST], sps[DEPTH_MOST], fps[DEPTH_MOST];
	UInt count, i;

	if (address < VG_(get_SP)(t->id) - RED_ZONE ||
	    address > VG_(thread_get_stack_max)(t->id))
		return False;
	count = VG_(get_StackTrace)(t->id, ips, DEPTH_MOST, sps, fps, 0);
	/* A frame ends where its caller's begins. */
	for (i = 0; i + 1 < count && address >= sps[i + 1]; i++)
		;
	if (i + 1 >= count)
		return False;
	frame->ip = i ? ips[i] : ip;
	frame->sp = sps[i];
	frame->bp = fps[i];
	return True;
}
