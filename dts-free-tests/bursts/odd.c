// SPDX-License-Identifier: GPL-2.0-only
/* Rare uses of signals and of prctl(), by name, each of which bursts once harmed; as life.c. */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>

#define SENT		54		/* the timer's */
#define DISPATCH	59		/* PR_SET_SYSCALL_USER_DISPATCH */

static volatile unsigned int sink;
static unsigned int table[4096];

static void work(unsigned int rounds)
{
	unsigned int sum = 0;

	for (unsigned int i = 0; i < rounds; i++)
		for (unsigned int j = 0; j < 4096; j++)
			sum += table[j * 17 % 4096]++ ^ j;
	sink += sum;
}

static void start_alarms(void (*handler)(int), int flags, long us, long every)
{
	const struct itimerval timer = { .it_value.tv_usec = us, .it_interval.tv_usec = every };
	struct sigaction action = { .sa_handler = handler, .sa_flags = flags };

	sigfillset(&action.sa_mask);
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &timer, NULL);
}

/* --- a handler takes long, and its call is to fail with EINTR --- */

static void long_handler(int signal)
{
	work(3000);
}

static void do_eintr(void)
{
	int lost = 0;

	for (int i = 0; i < 60; i++) {
		start_alarms(long_handler, i & 1 ? SA_ONSTACK : 0, 5000, 0);
		lost += poll(NULL, 0, 3000) != -1 || errno != EINTR;
	}
	printf("%d lost\n", lost);
}

/* --- a handler for an alternate stack that there is none of, but was: then it would be on ours --- */

static void had_stack(void)
{
	const stack_t stack = { .ss_sp = table, .ss_size = sizeof(table) };

	sigaltstack(&stack, NULL);
	sigaltstack(&(stack_t){ .ss_flags = SS_DISABLE }, NULL);
}

static void deep_handler(int signal)
{
	volatile char all[1 << 20];

	for (unsigned int i = 0; i < sizeof(all); i += 64)
		all[i] = i;
	work(1000);
}

/* @amount: of work before each */
static void raise_on_stack(void (*handler)(int signal), int times, int amount)
{
	const struct sigaction action = { .sa_handler = handler, .sa_flags = SA_ONSTACK };

	had_stack();
	sigaction(SIGUSR1, &action, NULL);
	while (times--) {
		work(amount);
		raise(SIGUSR1);
	}
}

static void do_deep(void)
{
	raise_on_stack(deep_handler, 20, 500);
	puts("deep");
}

/* --- a handler for an alternate stack blocks a signal, and sets the mask back to what it was --- */

static int shown, changed;

static unsigned long kernel_mask(void)
{
	unsigned long mask = 0;

	syscall(SYS_rt_sigprocmask, SIG_BLOCK, NULL, &mask, sizeof(mask));
	return mask;
}

static void mask_handler(int signal)
{
	int (*const set[])(int, const sigset_t *, sigset_t *) = { sigprocmask, pthread_sigmask };
	unsigned long mask = kernel_mask();
	sigset_t user, old;

	sigemptyset(&user);
	sigaddset(&user, SIGUSR2);
	for (int i = 0; i < 2; i++) {
		set[i](SIG_BLOCK, &user, &old);
		for (int j = SIGRTMIN; j <= SIGRTMAX; j++)
			shown += sigismember(&old, j);
		set[i](SIG_SETMASK, &old, NULL);
		changed += kernel_mask() != mask;
	}
}

static void do_masks(void)
{
	raise_on_stack(mask_handler, 200, 100);
	printf("%d shown, %d changed\n", shown, changed);
}

/* --- traps while another thread is in bursts --- */

static volatile int over;
static volatile long traps;

static void on_trap(int signal)
{
	traps++;
}

static void *busy(void *unused)
{
	while (!over)
		work(10);
	return NULL;
}

static void do_trap(void)
{
	pthread_t id;

	signal(SIGTRAP, on_trap);
	pthread_create(&id, NULL, busy, NULL);
	for (int i = 0; i < 300000; i++)
		__asm__ volatile("int3");
	over = 1;
	pthread_join(id, NULL);
	printf("%ld traps\n", traps);
}

/* --- what kills for system calls, or RDTSC --- */

static volatile char selector;

static void do_dispatch(void)
{
	work(20000);
	if (prctl(DISPATCH, 1, 0, 0, &selector))
		puts("no such call");
	selector = 1;
	work(30000);
	selector = 0;
	puts("dispatched");
}

static void do_tsc(void)
{
	work(20000);
	prctl(PR_SET_TSC, PR_TSC_SIGSEGV, 0, 0, 0);
	work(30000);
	puts("no clock");
}

/* --- addresses of 32 bits before what uses the stack (linkers write such calls) --- */

static void do_short(void)
{
	for (int i = 0; i < 30000000; i++)
		__asm__ volatile(".byte 0x67\n\tcall 1f\n\tjmp 2f\n1:\t.byte 0x67\n\tpush %%rax\n\t"
				 ".byte 0x67\n\tpop %%rax\n\t.byte 0x67\n\tret\n2:" ::: "memory");
	puts("short");
}

/* --- threads of C11 --- */

static int count(void *number)
{
	work(20000);
	return *(int *)number;
}

static void do_c11(void)
{
	int number[4] = { 1, 2, 3, 4 }, sum = 0, one;
	thrd_t id[4];

	for (int i = 0; i < 4; i++)
		if (thrd_create(&id[i], count, &number[i]) != thrd_success)
			puts("no thread");
	for (int i = 0; i < 4; i++) {
		thrd_join(id[i], &one);
		sum += one;
	}
	printf("%d\n", sum);
}

/* --- handlers that leave calls which take locks of ours --- */

static sigjmp_buf back;
static volatile sig_atomic_t may_jump;

static void jump(int signal)
{
	if (may_jump)
		siglongjmp(back, 1);
}

static void *forks(void *unused)
{
	for (int i = 0; i < 200; i++) {
		pid_t pid = fork();

		if (!pid)
			_exit(0);
		waitpid(pid, NULL, 0);
	}
	over = 1;
	return NULL;
}

static void do_jumps(void)
{
	const struct sigaction standard = { .sa_handler = SIG_DFL };
	sigset_t alarms;
	pthread_t id;

	sigemptyset(&alarms);
	sigaddset(&alarms, SIGALRM);
	pthread_sigmask(SIG_BLOCK, &alarms, NULL);
	pthread_create(&id, NULL, forks, NULL);
	pthread_sigmask(SIG_UNBLOCK, &alarms, NULL);
	start_alarms(jump, SA_NODEFER, 50, 50);
	while (!over) {
		sigsetjmp(back, 1);
		may_jump = 1;
		for (int i = 0; i < 100 && !over; i++)
			sigaction(SIGSEGV, &standard, NULL);
		may_jump = 0;
		work(1);
	}
	may_jump = 0;
	start_alarms(jump, 0, 0, 0);
	pthread_join(id, NULL);
	puts("jumped");
}

/* --- all real-time signals wait, and come one after the other --- */

static void do_waiting(void)
{
	sigset_t all, eight;
	int got, bad = 0;

	sigemptyset(&all);
	for (int i = SIGRTMIN; i <= SIGRTMAX; i++)
		sigaddset(&all, i);
	pthread_sigmask(SIG_BLOCK, &all, NULL);
	work(20000);
	for (int i = SIGRTMAX; i >= SIGRTMIN; i--)
		raise(i);
	sigpending(&eight);
	for (int i = SIGRTMIN; i <= SIGRTMAX; i++)
		bad += sigwait(&all, &got) || got != i || !sigismember(&eight, i);
	printf("%d bad\n", bad);
}

/* --- the timer's signal is sent to threads that block all signals, one after the other --- */

static int wait_a_little(const sigset_t *set)
{
	return sigtimedwait(set, NULL, &(struct timespec){ .tv_sec = 1 });
}

static void *sent_alone(void *argument)
{
	sigset_t *all = argument, none, old;
	int got;

	sigemptyset(&none);
	work(20000);
	pthread_sigmask(SIG_BLOCK, &none, &old);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	raise(SENT);
	got = wait_a_little(all);
	return (void *)(long)(got == SENT && sigismember(&old, SENT));
}

static void *ends_at_once(void *argument)
{
	return argument;
}

static void *waits_for_any(void *all)
{
	int got = 0;

	return (void *)(long)(sigwait(all, &got) ? -1 : got);
}

/* To the process: whichever thread it meets, the one that waits for it has it. */
static void to_any(const sigset_t *all)
{
	pthread_t id;
	void *got;

	kill(getpid(), SENT);
	pthread_create(&id, NULL, ends_at_once, NULL);
	pthread_join(id, NULL);
	printf("later %d\n", wait_a_little(all));
	pthread_create(&id, NULL, waits_for_any, (void *)all);
	usleep(10000);
	pthread_kill(id, SENT);
	pthread_join(id, &got);
	printf("waited %ld\n", (long)got);
	pthread_create(&id, NULL, waits_for_any, (void *)all);
	usleep(10000);
	sigqueue(getpid(), SENT, (union sigval){ 0 });
	pthread_join(id, &got);
	printf("any %ld\n", (long)got);
}

/* A jump sets the mask back behind the C library's back. */
static void jump_back(const sigset_t *all)
{
	sigset_t old;

	if (!sigsetjmp(back, 1)) {
		pthread_sigmask(SIG_BLOCK, all, NULL);
		siglongjmp(back, 1);
	}
	pthread_sigmask(SIG_BLOCK, NULL, &old);
	printf("jumped back %d %d\n", sigismember(&old, SENT), sigismember(&old, SIGUSR1));
}

static void do_pending(void)
{
	struct signalfd_siginfo info = { 0 };
	sigset_t all;
	pthread_t id;
	int status, fd;
	ssize_t size;

	sigfillset(&all);
	jump_back(&all);
	pthread_sigmask(SIG_BLOCK, &all, NULL);
	work(20000);
	for (int i = 0; i < 2; i++) {
		void *got;

		pthread_create(&id, NULL, sent_alone, &all);
		pthread_join(id, &got);
		printf("%ld\n", (long)got);
	}
	to_any(&all);
	fflush(stdout);
	if (!fork())
		_exit(sent_alone(&all) ? 3 : 4);
	sigdelset(&all, SIGCHLD);
	wait(&status);
	fd = signalfd(-1, &all, SFD_NONBLOCK);
	kill(getpid(), SENT);
	size = read(fd, &info, sizeof(info));
	printf("%x %ld %u\n", status, (long)size, info.ssi_signo);
	if (!fork()) {
		raise(SENT);
		pthread_sigmask(SIG_UNBLOCK, &all, NULL);
		_exit(0);
	}
	wait(&status);
	printf("%x\n", status);
}

/* --- of many threads each forks; the child's handler has the stack that the thread had --- */

static void on_any_stack(int signal)
{
	work(20);
}

static void *begun_in_child(void *argument)
{
	work(50);
	return argument;
}

/* The child's own thread, and a child of its own: both are there. */
static int in_child(void)
{
	void *result = NULL;
	int status = 0;
	pthread_t id;
	pid_t child;

	raise(SIGUSR1);
	work(200);
	if (pthread_create(&id, NULL, begun_in_child, &status) || pthread_join(id, &result))
		return 1;
	child = fork();
	if (!child)
		_exit(raise(SIGUSR1) ? 0 : 7);
	waitpid(child, &status, 0);
	return result == &status && WEXITSTATUS(status) == 7 ? 5 : 2;
}

static void *fork_one(void *together)
{
	int status = 0;
	pid_t child;

	pthread_barrier_wait(together);
	work(500);
	child = fork();
	if (!child)
		_exit(in_child());
	waitpid(child, &status, 0);
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 5)
		return NULL;
	child = syscall(SYS_fork);
	if (!child)
		_exit(raise(SIGUSR1) ? 4 : 5);
	waitpid(child, &status, 0);
	return (void *)(long)(WIFEXITED(status) ? WEXITSTATUS(status) : 100);
}

static void do_crowd(void)
{
	const struct sigaction action = { .sa_handler = on_any_stack, .sa_flags = SA_ONSTACK };
	pthread_barrier_t together;
	pthread_t ids[40];
	void *result;
	long sum = 0;

	had_stack();
	sigaction(SIGUSR1, &action, NULL);
	pthread_barrier_init(&together, NULL, 40);
	for (int i = 0; i < 40; i++)
		pthread_create(&ids[i], NULL, fork_one, &together);
	for (int i = 0; i < 40; i++) {
		pthread_join(ids[i], &result);
		sum += (long)result;
	}
	printf("%ld\n", sum);
}

/* --- calls as the kernel reads them: masks of 8 bytes, stacks of flags that there are none of --- */

static void do_exact(void)
{
	char *page = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	sigset_t *mask = (sigset_t *)(page + 4096 - sizeof(long));
	stack_t stack = { .ss_sp = table, .ss_size = sizeof(table), .ss_flags = SS_DISABLE | 1 };
	int result;

	work(20000);
	munmap(page + 4096, 4096);
	*(unsigned long *)mask = 1ul << (SIGUSR1 - 1);
	sigprocmask(SIG_SETMASK, mask, NULL);
	raise(SIGUSR1);
	result = pthread_sigmask(SIG_BLOCK, mask, NULL);
	printf("%d %d\n", result, sigtimedwait(mask, NULL, &(struct timespec){ 0 }) == SIGUSR1);
	result = sigaltstack(&stack, NULL);
	printf("%d %d\n", result, errno == EINVAL);
	result = sigaltstack(NULL, (stack_t *)(page + 4096));
	printf("%d %d\n", result, errno == EFAULT);
	for (int i = 0; i < 3; i++) {
		stack_t *volatile same = &stack;

		stack.ss_flags = i % 2 ? SS_DISABLE : 0;
		result = sigaltstack(same, same);
		printf("%d %d %d %zu\n", result, stack.ss_flags, stack.ss_sp == table, stack.ss_size);
		stack = (stack_t){ .ss_sp = table, .ss_size = sizeof(table) };
	}
}

/* --- alternate stacks that go as they are set: their memory is another's then --- */

static void *fresh(bool mapped, size_t size)
{
	return mapped ? mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) :
			malloc(size);
}

static void gone(bool mapped, void *memory, size_t size)
{
	if (mapped)
		munmap(memory, size);
	else
		free(memory);
}

static void do_freed(void)
{
	int bad = 0;

	for (int i = 0; i < 30; i++) {
		size_t size = i % 2 ? 40000 : 1 << 20;
		stack_t stack = { .ss_sp = fresh(i % 3, size), .ss_size = size };
		char *other;

		sigaltstack(&stack, NULL);
		work(500);
		gone(i % 3, stack.ss_sp, size);
		other = fresh(i % 3, size);
		memset(other, i, size);
		work(1500);
		for (size_t j = 0; j < size; j++)
			bad += other[j] != i;
		gone(i % 3, other, size);
	}
	printf("%d bad\n", bad);
}

/* --- threads that end in each way, and all keys that there are --- */

static void *ends(void *how)
{
	work(2000);
	if (how == (void *)1)
		pthread_exit(how);
	while (how == (void *)2)
		pthread_testcancel();
	return how;
}

static void do_keys(void)
{
	pthread_key_t key;
	int keys = 0;

	for (long how = 0; how < 30; how++) {
		void *result;
		pthread_t id;

		pthread_create(&id, NULL, ends, (void *)(how % 3));
		if (how % 3 == 2)
			pthread_cancel(id);
		pthread_join(id, &result);
		printf("%ld ", (long)result);
	}
	while (!pthread_key_create(&key, NULL))
		keys++;
	printf("%d keys\n", keys);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} all[] = {
		{ "eintr", do_eintr }, { "deep", do_deep }, { "masks", do_masks }, { "trap", do_trap },
		{ "dispatch", do_dispatch }, { "tsc", do_tsc }, { "c11", do_c11 }, { "short", do_short }, { "jumps", do_jumps },
		{ "waiting", do_waiting }, { "exact", do_exact }, { "keys", do_keys },
		{ "freed", do_freed }, { "pending", do_pending }, { "crowd", do_crowd },
	};

	for (size_t i = 0; argc > 1 && i < sizeof(all) / sizeof(all[0]); i++) {
		if (strcmp(argv[1], all[i].name))
			continue;
		all[i].run();
		return 0;
	}
	return 2;
}
