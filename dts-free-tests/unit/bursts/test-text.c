// SPDX-License-Identifier: GPL-2.0-only
/* What code bursts may translate, and that none of it is asked of the kernel twice (tracee/bursts/text.c). */
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tap.h"
#include "tracee/burst-log/log.h"
#include "tracee/bursts/text.h"

#define CODE	4096

static int (*const of_a_file)(void) = getpagesize;

static void *mapped(int protection, int flags, int fd)
{
	void *at = mmap(NULL, CODE, protection, flags, fd, 0);

	return at == MAP_FAILED ? NULL : at;
}

static int verdict(const void *at)
{
	struct text text = { 0 };
	int error = text_at((uint64_t)at, &text);

	return error ? error - 1 : text.end > (uint64_t)at ? -1 : -2;
}

static void of_files(int self)
{
	const void *shared = mapped(PROT_READ | PROT_EXEC, MAP_SHARED, self);
	const void *writable = mapped(PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE, self);
	const void *data = mapped(PROT_READ, MAP_PRIVATE, self);

	text_forget();
	text_burst();
	ok(verdict((const void *)of_a_file) == -1, "text of a library is trusted");
	ok(shared && verdict(shared) == BURST_UNTRUSTED_CODE, "a file's text that is shared may change");
	ok(writable && verdict(writable) == BURST_UNTRUSTED_CODE, "... and one that can be written");
	ok(data && verdict(data) == BURST_UNTRUSTED_CODE, "... and what is no text at all");
}

/* The kernel is asked once a burst: what is known to change leaves that for what is new. */
static void made_at_run_time(int self)
{
	const void *made = mapped(PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1), *later;

	text_forget();
	text_burst();
	ok(made && verdict(made) == BURST_UNTRUSTED_CODE, "code that was made at run time may change");
	text_burst();
	ok(verdict(made) == BURST_UNTRUSTED_CODE, "... in the next burst, too");
	later = mapped(PROT_READ | PROT_EXEC, MAP_PRIVATE, self);
	ok(later && verdict(later) == -1, "... which did not take the look that what is new needs");
	later = mapped(PROT_READ | PROT_EXEC, MAP_PRIVATE, self);
	ok(later && verdict(later) == BURST_UNTRUSTED_CODE, "of two looks in a burst there is one");
}

/* Neither is told, and every 64th burst looks again. */
static void turned(int self)
{
	void *at = mapped(PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1);
	void *file = mapped(PROT_READ | PROT_EXEC, MAP_PRIVATE, self);
	bool known;

	text_forget();
	text_burst();
	known = verdict(at) == BURST_UNTRUSTED_CODE && verdict(file) == -1;
	mmap(at, CODE, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED, self, 0);
	mmap(file, CODE, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	for (int i = 0; i < 64; i++)
		text_burst();
	ok(known && verdict(at) == -1, "a file that is mapped where code was made is text some bursts later");
	ok(verdict(file) == BURST_UNTRUSTED_CODE, "... and the other way round");
}

int main(void)
{
	int self = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

	of_files(self);
	made_at_run_time(self);
	turned(self);
	close(self);
	return done();
}
