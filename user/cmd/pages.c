// SPDX-License-Identifier: GPL-2.0-only
#include <fcntl.h>
#include <unistd.h>

#include "base/fail.h"
#include "cmd/pages.h"

/* It writes 0 for them otherwise (pagemap.rst). */
bool pages_shown(void)
{
	int fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	uint64_t entry = 0, page = sysconf(_SC_PAGESIZE);
	volatile char here = 1;
	off_t at = (uintptr_t)&here / page * sizeof(entry);

	if (fd < 0 || pread(fd, &entry, sizeof(entry), at) != sizeof(entry))
		entry = 0;
	if (fd >= 0)
		close(fd);
	return entry & (((uint64_t)1 << 55) - 1);
}

int pages_given(struct page_plan *pages, const char *text, uint32_t levels)
{
	const char *wrong = page_plan_parse(pages, text);

	if (wrong)
		return fail("--pages %s: %s", text, wrong);
	if (levels < 2 || pages->kind != PAGES_REAL || pages_shown())
		return 0;
	return fail("--pages real: the kernel shows page frames only with CAP_SYS_ADMIN: run as "
		    "root, or take random, huge or identity");
}
