// SPDX-License-Identifier: GPL-2.0-only
/* Where reads that may fault go on; the reads are in reads.S. */
#include "tracee/x86/safe.h"

extern const char safe_begin[], safe_end[], safe_fault[];

uint64_t safe_recover(uint64_t rip)
{
	if (rip < (uint64_t)safe_begin || rip >= (uint64_t)safe_end)
		return 0;
	return (uint64_t)safe_fault;
}
