// SPDX-License-Identifier: GPL-2.0-only
#include "tracee/x86/rseq.h"
#include "tracee/x86/safe.h"

#define SIGNATURE	0x53053053u	/* before the abort handler; x86's, of glibc and librseq */

struct rseq_section {			/* linux/rseq.h: struct rseq_cs */
	uint32_t version, flags;
	uint64_t start, length, abort;
};

bool rseq_begins(uint64_t address)
{
	struct rseq_section section;
	uint32_t signature;

	if (address < 65536 || address & 31 ||
	    !safe_copy(&section, (const void *)address, sizeof(section)))
		return false;
	if (section.version || section.length - 1 > 65535 || section.abort < 65536 ||
	    !safe_copy(&signature, (const void *)(section.abort - 4), sizeof(signature)))
		return false;
	return signature == SIGNATURE;
}
