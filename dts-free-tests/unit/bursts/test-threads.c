// SPDX-License-Identifier: GPL-2.0-only
/*
 * Threads that are observed (tracee/bursts/threads.c): one that begins while another thread ends all
 * bursts has no timer, whose signal would end the program; one that is about to begin is no thread
 * of the program's yet, whatever numbers these have. Many at once: no memory is two threads', and each
 * is found by its number.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>

#include "tap.h"
#include "tracee/bursts/bursts.h"

#define FIRST_INSIDE	1u		/* thread of a namespace of PIDs */
#define HELD		40		/* threads at a time */
#define WORKERS		4
#define ROUNDS		60000

static int made = -1;			/* the kernel's number of the timer */

/* The same clock by another name, which the filter does not stop: clock_getcpuclockid(3). */
static clockid_t cpu_clock(void)
{
	return ~current_tid() << 3 | 6;
}

/* Another thread leaves when the timer's signal was looked at, and the timer is not there yet. */
static void leave_meanwhile(int signal, siginfo_t *info, void *argument)
{
	greg_t *regs = ((ucontext_t *)argument)->uc_mcontext.gregs;

	library_leave();
	regs[REG_RAX] = sys3(timer_create, cpu_clock(), regs[REG_RSI], regs[REG_RDX]);
	made = *(int *)regs[REG_RDX];
}

/* Return: whether a thread's timer is not made before that was called. */
static bool stop_timers(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_timer_create, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, CLOCK_THREAD_CPUTIME_ID, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog filter = { sizeof(code) / sizeof(*code), code };
	const struct sigaction action = { .sa_sigaction = leave_meanwhile, .sa_flags = SA_SIGINFO };

	return !sigaction(SIGSYS, &action, NULL) && !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) &&
	       !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
}

static void test_left_meanwhile(void)
{
	struct itimerspec left;
	struct thread *thread;
	sigset_t before = { { 0 } }, after = { { 0 } };

	if (!library_begin(false) || !stop_timers()) {
		skip("no bursts, or no filters of system calls", "bursts end as a thread begins");
		return;
	}
	thread = thread_new();
	sigaddset(&before, SIGRTMAX);
	sigprocmask(SIG_SETMASK, &before, NULL);
	thread_begin(thread, 0);
	sigprocmask(SIG_BLOCK, NULL, &after);
	ok(made >= 0 && sys2(timer_gettime, made, &left) == -EINVAL,
	   "bursts end as a thread begins: its timer is deleted");
	ok(!memcmp(&before, &after, sizeof(before)), "... its mask is as it was");
	thread_end(thread);
}

static void test_about_to_begin(void)
{
	struct thread *thread = thread_new();

	thread->number = FIRST_INSIDE;	/* of who had the memory before */
	ok(thread && !thread_find(FIRST_INSIDE), "a thread that is about to begin is not thread %u",
	   FIRST_INSIDE);
	thread_ended(FIRST_INSIDE);
	ok(thread_new() != thread, "... nor one that has ended: its memory is its own");
	thread_release(thread);
	thread_release(thread);
	ok(thread_new() == thread && thread_new() != thread, "... which is free once, when it has not begun");
}

/* A part of the numbers differ by multiples of what threads are kept by. */
static uint32_t number_of(long worker, int round, int i)
{
	return 100 + worker * 65536 + (round & 1) * 4096 + (i & 1) * 8192 + i;
}

static void *take_and_release(void *worker)
{
	long wrong = 0;

	for (int round = 0; round < ROUNDS; round++) {
		struct thread *held[HELD];
		int count = 1 + round % (round % 64 ? 3 : HELD);

		for (int i = 0; i < count; i++) {
			held[i] = thread_new();
			wrong += __atomic_exchange_n(&held[i]->argument, worker, __ATOMIC_RELAXED) != NULL;
			thread_is(held[i], number_of((long)worker, round, i));
		}
		for (int i = 0; i < count; i++) {
			uint32_t number = number_of((long)worker, round, i);

			wrong += thread_find(number) != held[i];
			wrong += __atomic_exchange_n(&held[i]->argument, NULL, __ATOMIC_RELAXED) != worker;
			thread_release(held[i]);
			wrong += thread_find(number) != NULL;
		}
	}
	return (void *)wrong;
}

static void test_many(void)
{
	pthread_t ids[WORKERS];
	long wrong = 0;
	void *result;

	for (long i = 0; i < WORKERS; i++)
		pthread_create(&ids[i], NULL, take_and_release, (void *)(i + 1));
	for (long i = 0; i < WORKERS; i++) {
		pthread_join(ids[i], &result);
		wrong += (long)result;
	}
	ok(!wrong, "many threads at once: each has its own memory, and is found: %ld wrong", wrong);
	ok(here.mapped <= WORKERS * HELD + 3, "... and that of ended ones is used again: %u were mapped", here.mapped);
}

int main(void)
{
	area = mmap(NULL, BURSTS_FILE, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (area == MAP_FAILED)
		return 1;
	test_about_to_begin();
	test_many();
	test_left_meanwhile();
	return done();
}
