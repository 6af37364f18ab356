// SPDX-License-Identifier: GPL-2.0-only
/* Physical addresses of a process that gets another address space meanwhile: each time has its own. */
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device/pagemap.h"
#include "format/format.h"
#include "tap.h"

#define PAGE 4096

/* A child that has the pages, and waits. */
static pid_t begin(void *pages)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	memset(pages, 1, 3 * PAGE);
	raise(SIGSTOP);
	_exit(0);
}

static void test_times(struct pagemap *pagemap, pid_t pid, uint64_t page)
{
	uint64_t first = pagemap_physical(pagemap, pid, 5, page + 8, 0);
	uint64_t second = pagemap_physical(pagemap, pid, 6, page + PAGE, 0);

	ok(first != CCS_UNKNOWN && first % PAGE == 8 && second != first - 8,
	   "pages have frames of their own");
	/* As after exec: nothing that is there now was there then. */
	pagemap_forget(pagemap, pid, 10);
	ok(pagemap_physical(pagemap, pid, 7, page + 8, 0) == first,
	   "what was referred to before lies where it was known to lie");
	ok(pagemap_physical(pagemap, pid, 7, page + 2 * PAGE, 0) == CCS_UNKNOWN,
	   "what was not known by then stays unknown");
	ok(pagemap_physical(pagemap, pid, 12, page + 2 * PAGE, 0) != CCS_UNKNOWN,
	   "what is referred to afterwards is looked up");
	pagemap_forget(pagemap, pid, 8);
	ok(pagemap_physical(pagemap, pid, 9, page + 8, 0) == first,
	   "an earlier change, told later, changes nothing");
	ok(pagemap_physical(pagemap, pid, 9, page + 8, 1000000000) == first &&
	   pagemap_physical(pagemap, pid, 9, page + 8, 2000000000) == first,
	   "and time neither");
	pagemap_physical(pagemap, pid, 12, page + 2 * PAGE, 2000000000);
	pagemap_forget(pagemap, pid, 20);
	ok(pagemap_physical(pagemap, pid, 9, page + 2 * PAGE, 0) == CCS_UNKNOWN &&
	   pagemap_physical(pagemap, pid, 15, page + 2 * PAGE, 0) != CCS_UNKNOWN,
	   "what was before the last but one change is not taken for what came after it");
}

int main(void)
{
	void *pages = mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			   -1, 0);
	struct pagemap *pagemap = pagemap_new();
	pid_t pid = begin(pages);
	int status;

	waitpid(pid, &status, WUNTRACED);
	if (pagemap_physical(pagemap, pid, 1, (uintptr_t)pages, 0) == CCS_UNKNOWN)
		skip("frames are hidden without CAP_SYS_ADMIN", "times of address spaces");
	else
		test_times(pagemap, pid, (uintptr_t)pages);
	pagemap_free(pagemap);
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	return done();
}
