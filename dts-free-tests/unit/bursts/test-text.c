// SPDX-License-Identifier: GPL-2.0-only
/* What code bursts may translate, and that none of it is asked of the kernel twice (tracee/bursts/text.c). */
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
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

/* As linkers map a library: what is no code lies beside it. */
static void *linked(void *wanted, int fd)
{
	uint8_t *at = mmap(wanted, 2 * CODE, PROT_READ | PROT_EXEC,
			   MAP_PRIVATE | (wanted ? MAP_FIXED : 0), fd, 0);

	return at == MAP_FAILED || mprotect(at + CODE, CODE, PROT_READ) ? NULL : at;
}

static int verdict(const void *at)
{
	struct text text = { 0 };
	int error = text_at((uint64_t)at, &text);

	return error ? error - 1 : text.end > (uint64_t)at ? -1 : -2;
}

static void of_files(int self)
{
	void *shared = mapped(PROT_READ | PROT_EXEC, MAP_SHARED, self);
	void *writable = mapped(PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE, self);
	void *data = mapped(PROT_READ, MAP_PRIVATE, self);

	text_forget();
	text_burst();
	ok(verdict((const void *)of_a_file) == -1, "text of a library is trusted");
	ok(shared && verdict(shared) == BURST_UNTRUSTED_CODE, "a file's text that is shared may change");
	ok(writable && verdict(writable) == BURST_UNTRUSTED_CODE, "... and one that can be written");
	ok(data && verdict(data) == BURST_UNTRUSTED_CODE, "... and what is no text at all");
	munmap(shared, CODE);
	munmap(writable, CODE);
	munmap(data, CODE);
}

/* What is written to such files is seen in private mappings of them. */
static void of_files_that_are_written(int self)
{
	const void *alone = mapped(PROT_READ | PROT_EXEC, MAP_PRIVATE, self), *memory, *file, *shared;
	char name[] = "/tmp/text-XXXXXX";
	int fd = memfd_create("text", MFD_CLOEXEC), other = mkstemp(name);

	unlink(name);
	memory = ftruncate(fd, 2 * CODE) ? NULL : linked(NULL, fd);
	file = ftruncate(other, 2 * CODE) ? NULL : linked(NULL, other);
	text_forget();
	text_burst();
	ok(alone && verdict(alone) == BURST_UNTRUSTED_CODE, "of a file, but as no linker maps it");
	ok(memory && verdict(memory) == BURST_UNTRUSTED_CODE, "... of a file of memory");
	ok(file && verdict(file) == -1, "of another file it is trusted");
	ok(text_burst(), "... as long as nothing changes");
	shared = mapped(PROT_READ | PROT_WRITE, MAP_SHARED, other);
	text_forget();
	ok(shared && !text_burst() && verdict(file) == BURST_UNTRUSTED_CODE,
	   "... until the file can be written by a mapping");
	close(fd);
	close(other);
}

/* Who is not wrapped makes its code writable: the kernel counts that. */
static void writable_unseen(int self)
{
	void *code = linked(NULL, self);

	text_forget();
	text_burst();
	ok(code && verdict(code) == -1 && text_burst(), "a library's text");
	mprotect(code, CODE, PROT_READ | PROT_WRITE | PROT_EXEC);
	ok(!text_burst() && verdict(code) == BURST_UNTRUSTED_CODE,
	   "... is not trusted in the burst after it has become writable");
	mprotect(code, CODE, PROT_READ | PROT_EXEC);
	ok(text_burst() && verdict(code) == -1, "... and is again when it is text");
}

static void concerned(int self)
{
	char *code = linked(NULL, self), *made = mapped(PROT_READ | PROT_EXEC, MAP_PRIVATE |
							MAP_ANONYMOUS, -1);

	text_forget();
	text_burst();
	ok(text_concerns((uintptr_t)code, 1) && text_concerns((uintptr_t)code - 1, 2) &&
	   text_concerns((uintptr_t)code + CODE - 1, 1) && text_concerns((uintptr_t)code - CODE, 3 * CODE) &&
	   text_concerns(0, SIZE_MAX), "a change of text matters");
	ok(made && !text_concerns((uintptr_t)code + CODE, CODE) && !text_concerns((uintptr_t)made, CODE),
	   "... not that of data, or of what is made at run time");
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
	later = linked(NULL, self);
	ok(later && verdict(later) == -1, "... which did not take the look that what is new needs");
	later = linked(NULL, self);
	ok(later && verdict(later) == BURST_UNTRUSTED_CODE, "of two looks in a burst there is one");
}

/* Neither is told, and every 64th burst looks again. */
static void turned(int self)
{
	void *at = mmap(NULL, 2 * CODE, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	void *file = linked(NULL, self);
	bool known;

	text_forget();
	text_burst();
	known = verdict(at) == BURST_UNTRUSTED_CODE && verdict(file) == -1;
	linked(at, self);
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
	of_files_that_are_written(self);
	writable_unseen(self);
	concerned(self);
	made_at_run_time(self);
	turned(self);
	close(self);
	return done();
}
