// SPDX-License-Identifier: GPL-2.0-only
#include "tracee/x86/rseq.h"
#include "tracee/x86/safe.h"

#define SIGNATURE	0x53053053u	/* before the abort handler; x86's, of glibc and librseq */

struct rseq_section {			/* linux/rseq.h: struct rseq_cs */
	uint32_t version, flags;
	uint64_t start, length, abort;
};

static bool read_within(void *to, uint64_t at, uint64_t size, uint64_t start, uint64_t end)
{
	return at >= start && at < end && size <= end - at && safe_copy(to, (const void *)at, size);
}

bool rseq_begins(uint64_t address, uint64_t start, uint64_t end)
{
	struct rseq_section section;
	uint32_t signature;

	if (address & 31 || !read_within(&section, address, sizeof(section), start, end))
		return false;
	if (section.version || section.length - 1 > 65535 ||
	    !read_within(&signature, section.abort - 4, sizeof(signature), start, end))
		return false;
	return signature == SIGNATURE;
}
