// SPDX-License-Identifier: GPL-2.0-only
/*
 * Valgrind's core reads the source lines of every file that is mapped, those of
 * separate debug files too: a third of the time that the engine needs for a
 * short program. Only --function asks for them (which function is inlined where);
 * all other names are found by the reader of the records. So the core's own reader
 * is called, by the linker's --wrap, for --function alone. Symbols and call
 * frames are read by others of its functions.
 */
#include "tracee/valgrind-lib/debug-lines.h"

__attribute__((used)) Int debug_lines_wanted;

void __wrap_vgModuleLocal_read_debuginfo_dwarf3(void);

/* The arguments differ from version to version; they are handed on as they came. */
__attribute__((naked, used)) void __wrap_vgModuleLocal_read_debuginfo_dwarf3(void)
{
	__asm__("cmpl $0, debug_lines_wanted(%rip)\n\t"
		"jne __real_vgModuleLocal_read_debuginfo_dwarf3\n\t"
		"ret");
}
