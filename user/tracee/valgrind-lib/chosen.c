// SPDX-License-Identifier: GPL-2.0-only
#include "pub_tool_basics.h"
#include "pub_tool_debuginfo.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_tooliface.h"

#include "tracee/valgrind-lib/chosen.h"

#define NAMELESS "(anonymous namespace)"

static Bool starts(const HChar *text, const HChar *with)
{
	return !VG_(strncmp)(text, with, VG_(strlen)(with));
}

/*
 * A name as describe_IP() writes it, "0x401136: space::name(int) (file.c:5)", may go on
 * with parameters, template arguments, or what compilers add to clones: "name.part.0". Its
 * scopes need not be given.
 */
static Bool is_named(const HChar *described, const HChar *wanted)
{
	const HChar *at = VG_(strstr)(described, ": ");
	SizeT size = VG_(strlen)(wanted);
	Bool begins = True;

	if (!at)
		return False;
	for (at += 2; *at; at++) {
		if (begins && starts(at, wanted) && VG_(strchr)(" (<.@", at[size]))
			return True;
		if (starts(at, NAMELESS))
			at += VG_(strlen)(NAMELESS);
		if (*at == '(')
			return False;
		begins = starts(at, "::");
		at += begins;
	}
	return False;
}

Bool chosen(const HChar *wanted, Addr ip)
{
	DiEpoch now = VG_(current_DiEpoch)();
	InlIPCursor *inlined;
	Bool found;

	if (!wanted)
		return True;
	inlined = VG_(new_IIPC)(now, ip);
	do
		found = is_named(VG_(describe_IP)(now, ip, inlined), wanted);
	while (!found && VG_(next_IIPC)(inlined));
	VG_(delete_IIPC)(inlined);
	return found;
}
