// SPDX-License-Identifier: GPL-2.0-only
/*
 * A child has none of its parent's pages of the shared log (fork copies no page tables of shared
 * memory): it makes them by one call, too. Prints the faults of a parent and of its child, each of
 * which writes a log, or "none" where the kernel has no such call; linked with the library's area.c.
 */
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tracee/bursts/bursts.h"

struct here here;

static long faults(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_minflt;
}

static long faults_of_log(void)
{
	struct burst *slot = area_claim();
	volatile uint64_t *log;
	long before;
	size_t i;

	if (!slot)
		return -1;
	slot->log_begin = 0;
	log = bursts_slot_log(slot);
	area_populate(slot);
	before = faults();
	for (i = 0; i < BURSTS_LOG_WORDS; i += BURSTS_PAGE / sizeof(*log))
		log[i] = 1;
	area_release(slot);
	return faults() - before;
}

static bool can_populate(void)
{
	void *page = mmap(NULL, BURSTS_PAGE, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return page != MAP_FAILED && !madvise(page, BURSTS_PAGE, MADV_POPULATE_WRITE);
}

int main(void)
{
	int fd = memfd_create("area", 0), status;
	const uint64_t magic = BURSTS_MAGIC;

	if (fd < 0 || ftruncate(fd, BURSTS_FILE) || pwrite(fd, &magic, 8, 0) != 8 ||
	    madvise(&here, sizeof(here), MADV_WIPEONFORK) || !area_map(fd))
		return 2;
	if (!can_populate())
		return puts("none") < 0;
	printf("%ld\n", faults_of_log());
	fflush(stdout);
	if (fork())
		return wait(&status) < 0;
	printf("%ld\n", faults_of_log());
	return 0;
}
