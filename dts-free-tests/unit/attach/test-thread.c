// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread that does not come back from what it was made to call, since another process has changed
 * the code, or no processor is free: the caller goes on, and so does the thread, where it was.
 */
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "attach/thread.h"
#include "base/clock.h"
#include "tap.h"

#define STATUS	3

void calls_on(void);
void runs_on(void);
void comes_back(void);

/*
 * System calls without end, none of them the last; no system call at all. They count in memory that
 * is ours, too.
 */
__asm__(".globl calls_on\ncalls_on: mov $39, %eax\nsyscall\nincq (%rdi)\njmp calls_on\n"
	".globl runs_on\nruns_on: incq (%rdi)\njmp runs_on\n"
	".globl comes_back\ncomes_back: mov $111, %eax\nmov $42, %edi\nsyscall\nud2\n");

static volatile uint64_t *turns;

/* Does a thread that runs this, without end, come back in time? */
static void check(pid_t pid, struct attach_call *call, void (*code)(void), const char *what)
{
	long result;
	uint64_t ran;

	*turns = 0;
	call->at = (uintptr_t)code;
	call->argument[0] = (uintptr_t)turns;
	ok(attach_thread_call(pid, call, &result) == -1, "%s: given up", what);
	ran = *turns;
	ok(ran > 100, "... it ran: %lu turns", (unsigned long)ran);
	usleep(10000);
	ok(*turns == ran, "... and does not any more");
}

/* A stop that was sent before the thread could take it comes when it is released. */
static void check_stop(pid_t pid, struct attach_call *call)
{
	int status = 0, error;
	long result = 0;

	call->at = (uintptr_t)comes_back;
	kill(pid, SIGSTOP);
	error = attach_thread_call(pid, call, &result);
	ok(!error && result == 42, "SIGSTOP meanwhile: the call is made, %ld", result);
	attach_thread_release(pid);
	waitpid(pid, &status, WUNTRACED);
	ok(WIFSTOPPED(status) && WSTOPSIG(status) == SIGSTOP,
	   "... and the process is stopped then: %#x", status);
	kill(pid, SIGCONT);
}

static int wait_for_byte(int fd)
{
	char byte;

	return read(fd, &byte, 1) == 1 ? STATUS : 1;
}

int main(void)
{
	static uint64_t stack[512];
	struct attach_call call = { .stack = (uintptr_t)&stack[511] };
	int ends[2], status = 0;
	pid_t pid;

	alarm(120);
	turns = mmap(NULL, sizeof(*turns), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (turns == MAP_FAILED || pipe(ends))
		return 1;
	pid = fork();
	if (!pid)
		_exit(wait_for_byte(ends[0]));
	if (!ok(!attach_thread_stop(pid, false, 2 * SECOND_NS), "a thread is stopped"))
		return done();
	check(pid, &call, calls_on, "system calls without end");
	check(pid, &call, runs_on, "none at all");
	check_stop(pid, &call);
	ok(write(ends[1], "", 1) == 1 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) &&
	   WEXITSTATUS(status) == STATUS, "it goes on where it was: %#x", status);
	return done();
}
