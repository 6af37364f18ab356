// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which code is simulated where one function was asked for: its own, with what
 * the compiler inlined into it and wherever the function itself was inlined.
 * Names are those that Valgrind's core reads from symbols and debug information.
 */
#include "pub_tool_basics.h"
#include "pub_tool_debuginfo.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_tooliface.h"

#include "engine/simulate.h"

/*
 * A name as describe_IP() writes it, "0x401136: name (file.c:5)", may go on with
 * parameters, template arguments, or what compilers add to clones: "name.part.0".
 */
static Bool begins(const HChar *described, const HChar *wanted)
{
	const HChar *name = VG_(strstr)(described, ": ");
	SizeT size = VG_(strlen)(wanted);

	if (!name || VG_(strncmp)(name + 2, wanted, size))
		return False;
	return VG_(strchr)(" (<.@", name[2 + size]) != NULL;
}

Bool chosen(Addr ip)
{
	const HChar *wanted = engine_options.function;
	DiEpoch now = VG_(current_DiEpoch)();
	InlIPCursor *inlined;
	Bool found;

	if (!wanted)
		return True;
	inlined = VG_(new_IIPC)(now, ip);
	do
		found = begins(VG_(describe_IP)(now, ip, inlined), wanted);
	while (!found && VG_(next_IIPC)(inlined));
	VG_(delete_IIPC)(inlined);
	return found;
}
