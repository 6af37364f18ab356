// SPDX-License-Identifier: GPL-2.0-only
/*
 * What programs do to signals, stacks and threads, by name; each prints what
 * must come out whether or not bursts run in it, and keeps the processor busy
 * for many of the kernel's ticks: timers of CPU time fire only at those, and on
 * a busy machine not at each.
 */
#include <errno.h>
#include <pthread.h>
#include <poll.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

static volatile unsigned int sink;
static unsigned int table[4096];

static unsigned int work(unsigned int rounds)
{
	unsigned int i, j, sum = 0;

	for (i = 0; i < rounds; i++) {
		for (j = 0; j < 4096; j++)
			sum += table[j * 17 % 4096]++ ^ j;
	}
	sink += sum;
	return sum;
}

/* --- faults that the program handles itself --- */

static sigjmp_buf back;
static volatile sig_atomic_t faults;

static void on_fault(int signal, siginfo_t *info, void *context)
{
	faults++;
	siglongjmp(back, 1);
}

static void do_segv(void)
{
	struct sigaction action = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO };
	volatile int *none = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	volatile int i;

	sigaction(SIGSEGV, &action, NULL);
	for (i = 0; i < 20000; i++) {
		if (!sigsetjmp(back, 1))
			*none = work(1);
	}
	printf("%d faults\n", (int)faults);
}

static void do_altstack(void)
{
	stack_t stack = { .ss_sp = malloc(65536), .ss_size = 65536 }, old;
	struct sigaction action = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK };
	volatile int *none = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	volatile int i;

	sigaltstack(NULL, &old);
	printf("before: %d\n", old.ss_flags);
	sigaltstack(&stack, &old);
	printf("old: %d\n", old.ss_flags);
	sigaction(SIGSEGV, &action, NULL);
	for (i = 0; i < 20000; i++) {
		if (!sigsetjmp(back, 1))
			*none = work(1);
	}
	sigaltstack(NULL, &old);
	printf("%d faults, stack kept: %d\n", (int)faults, old.ss_sp == stack.ss_sp);
}

static void do_fpe(void)
{
	struct sigaction action = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO };
	volatile int i, zero = 0;

	sigaction(SIGFPE, &action, NULL);
	for (i = 0; i < 50000; i++) {
		if (!sigsetjmp(back, 1))
			sink += work(1) / zero;
	}
	printf("%d faults\n", (int)faults);
}

/* --- signals that come from elsewhere --- */

static volatile sig_atomic_t ticks;

static void on_tick(int signal)
{
	ticks++;
}

static void do_itimer(void)
{
	struct itimerval every = { { 0, 3000 }, { 0, 3000 } };

	signal(SIGPROF, on_tick);
	setitimer(ITIMER_PROF, &every, NULL);
	while (ticks < 50)
		work(10);
	puts("ticked");
}

static void do_sent_faults(void)
{
	volatile int i;

	signal(SIGSEGV, on_tick);
	for (i = 0; i < 5000; i++) {
		work(5);
		raise(SIGSEGV);
	}
	printf("%d\n", (int)ticks);
}

static void do_masks(void)
{
	sigset_t all, old;
	struct timespec zero = { 0, 0 };
	int i, got = 0;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	for (i = 0; i < 10000; i++) {
		work(2);
		if (sigtimedwait(&all, NULL, &zero) > 0)
			got++;
	}
	sigprocmask(SIG_BLOCK, NULL, &old);
	for (i = 1; i < 65; i++) {
		struct sigaction action;

		if (i != SIGKILL && i != SIGSTOP && i != 32 && i != 33 &&
		    !sigaction(i, NULL, &action) && action.sa_handler != SIG_DFL)
			printf("handler of %d\n", i);
	}
	printf("waited for %d\n", got);
}

/* No call fails for a signal that the program does not know. */
static void do_interrupted(void)
{
	int i, bad = 0, fds[2];
	struct pollfd fd;

	if (pipe(fds))
		return;
	fd.fd = fds[0];
	fd.events = POLLIN;
	for (i = 0; i < 20000; i++) {
		work(1);
		if (poll(&fd, 1, 0) < 0)
			bad++;
	}
	printf("interrupted %d\n", bad);
}

/* --- threads and stacks --- */

static void *thread(void *argument)
{
	sink += work(100 + (long)argument);
	if ((long)argument & 1)
		pthread_exit(argument);
	return argument;
}

static void do_threads(void)
{
	pthread_t ids[16];
	long round, i;
	void *result;
	long sum = 0;

	for (round = 0; round < 20; round++) {
		for (i = 0; i < 16; i++)
			pthread_create(&ids[i], NULL, thread, (void *)i);
		for (i = 0; i < 16; i++) {
			pthread_join(ids[i], &result);
			sum += (long)result;
		}
	}
	printf("%ld\n", sum);
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long counted;

static void *locker(void *argument)
{
	int i;

	for (i = 0; i < 1000000; i++) {
		pthread_mutex_lock(&mutex);
		counted++;
		pthread_mutex_unlock(&mutex);
		__atomic_fetch_add(&sink, i, __ATOMIC_RELAXED);
	}
	return NULL;
}

static void do_locks(void)
{
	pthread_t ids[4];
	int i;

	for (i = 0; i < 4; i++)
		pthread_create(&ids[i], NULL, locker, NULL);
	for (i = 0; i < 4; i++)
		pthread_join(ids[i], NULL);
	printf("%ld\n", counted);
}

static ucontext_t contexts[2];

static void coroutine(void)
{
	for (;;) {
		work(1);
		swapcontext(&contexts[1], &contexts[0]);
	}
}

static void do_coroutine(void)
{
	static char stack[16384];
	int i;

	getcontext(&contexts[1]);
	contexts[1].uc_stack.ss_sp = stack;
	contexts[1].uc_stack.ss_size = sizeof(stack);
	makecontext(&contexts[1], coroutine, 0);
	for (i = 0; i < 100000; i++)
		swapcontext(&contexts[0], &contexts[1]);
	printf("switched %d\n", i);
}

static void do_forks(void)
{
	pthread_t id;
	int i, status, sum = 0;

	pthread_create(&id, NULL, locker, NULL);
	for (i = 0; i < 100; i++) {
		pid_t pid = fork();

		if (!pid) {
			work(1000);
			_exit(i);
		}
		waitpid(pid, &status, 0);
		sum += WEXITSTATUS(status);
		work(5);
	}
	pthread_join(id, NULL);
	printf("%d\n", sum);
}

static void on_alarm(int number)
{
	signal(SIGFPE, SIG_DFL);
	ticks++;
}

/* fork() takes long, so the handler interrupts it, and makes calls that are wrapped itself. */
static void do_handlers(void)
{
	const struct itimerval often = { { .tv_usec = 300 }, { .tv_usec = 300 } };
	const struct itimerval never = { 0 };
	const size_t size = 64 << 20;
	int i, ended = 0;

	memset(mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), 1,
	       size);
	signal(SIGALRM, on_alarm);
	setitimer(ITIMER_REAL, &often, NULL);
	for (i = 0; i < 100; i++) {
		pid_t pid = fork();

		if (!pid)
			_exit(0);
		while (waitpid(pid, NULL, 0) < 0)
			;
		ended++;
	}
	setitimer(ITIMER_REAL, &never, NULL);
	printf("%d %d\n", ended, ticks > 0);
}

static int writable_code(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[512];
	int count = 0;

	while (fgets(line, sizeof(line), maps))
		count += strstr(line, " rwxp ") != NULL;
	fclose(maps);
	return count;
}

static void *worker(void *unused)
{
	work(1000);
	return NULL;
}

/*
 * Children that the C library knows nothing of inherit no code cache, and have bursts of their own.
 * @flags: of clone(2)
 */
static void bare_forks(unsigned long flags)
{
	int i, status, sum = 0;

	work(20000);
	for (i = 0; i < 20; i++) {
		pthread_t id;
		pid_t pid;

		work(100);
		pid = syscall(SYS_clone, flags | SIGCHLD, 0, 0, 0, 0);
		if (!pid) {
			int found = writable_code();

			pthread_create(&id, NULL, worker, NULL);
			pthread_join(id, NULL);
			_exit(found);
		}
		waitpid(pid, &status, 0);
		sum += status;
	}
	printf("%d\n", sum);
}

static void do_bare_forks(void)
{
	bare_forks(0);
}

/* In a namespace of pids of its own each child is process 1, as its parent is if it began there. */
static void do_bare_nested(void)
{
	bare_forks(CLONE_NEWPID);
}

static void *always(void *unused)
{
	for (;;)
		work(100);
	return NULL;
}

static void *briefly(void *unused)
{
	for (int i = 0; i < 200; i++)
		work(100);
	return NULL;
}

/* Its threads have bursts, and its faults come to the handler that its parent set. Return: whether so. */
static int faults_behind_a_thread(void)
{
	volatile int *none = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pthread_t id;

	if (pthread_create(&id, NULL, briefly, NULL))
		return 0;
	pthread_join(id, NULL);
	if (!sigsetjmp(back, 1))
		*none = 1;
	return faults == 1;
}

/* Made while another thread of the parent works, which the children have not: they wait for nobody. */
static void do_bare_busy(void)
{
	struct sigaction action = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO };
	int i, status, bad = 0;
	pthread_t id;

	sigaction(SIGSEGV, &action, NULL);
	pthread_create(&id, NULL, always, NULL);
	for (i = 0; i < 300; i++) {
		pid_t pid;

		work(20);
		pid = syscall(SYS_fork);
		if (!pid) {
			alarm(60);
			signal(SIGFPE, SIG_IGN);
			if (i % 4 == 0)
				_exit(!faults_behind_a_thread());
			pid = fork();
			if (!pid)
				_exit(7);
			waitpid(pid, &status, 0);
			_exit(WEXITSTATUS(status) != 7);
		}
		waitpid(pid, &status, 0);
		if (status) {
			bad++;
			break;
		}
	}
	printf("%d bad\n", bad);
}

/* A child's timers have the numbers of its parent's: none of them is deleted. */
static void *forks(void *unused)
{
	struct itimerspec when = { .it_value.tv_sec = 1000 }, left = { { 0 } };
	struct sigevent none = { .sigev_notify = SIGEV_NONE };
	timer_t timer;
	int status;
	pid_t pid;

	work(100);
	pid = syscall(SYS_fork);
	if (!pid) {
		if (timer_create(CLOCK_MONOTONIC, &none, &timer) ||
		    timer_settime(timer, 0, &when, NULL))
			_exit(1);
		prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
		_exit(timer_gettime(timer, &left) || !left.it_value.tv_sec ? 2 : 0);
	}
	waitpid(pid, &status, 0);
	return (void *)(long)status;
}

static void do_bare_timers(void)
{
	pthread_t id;
	void *status;
	long i, bad = 0;

	for (i = 0; i < 20; i++) {
		work(1000);
		pthread_create(&id, NULL, forks, NULL);
		pthread_join(id, &status);
		bad += status != NULL;
	}
	printf("%ld bad\n", bad);
}

/* Nobody has made children of ours, nor ended any. */
static void do_children(void)
{
	int found;

	signal(SIGCHLD, on_tick);
	work(30000);
	found = wait(NULL);
	printf("%d %s, %d\n", found, strerror(errno), (int)ticks);
}

/* The same by syscall(), and not by way of PR_SET_NO_NEW_PRIVS. */
static void do_seccomp2(void)
{
	work(30000);
	if (syscall(SYS_seccomp, 0, 0, NULL) < 0)
		return;
	work(20000);
	if (write(1, "strict\n", 7) != 7)
		work(1);
	for (;;)
		__asm__ volatile("syscall" :: "a"(60), "D"(0) : "rcx", "r11", "memory");
}

/* An alternate stack that is as small as the kernel allows if nobody uses tiles; and all arguments. */
static void do_small_stack(void)
{
	static char place[3632 + 4096];
	stack_t stack = { .ss_sp = place, .ss_size = sizeof(place) };
	int i, bad = sigaltstack(&stack, NULL);

	for (i = 0; i < 200; i++) {
		void *at = (void *)syscall(SYS_mmap, NULL, 4096, PROT_READ, MAP_PRIVATE |
					   MAP_ANONYMOUS, -1, 0);

		work(200);
		bad += at == MAP_FAILED || munmap(at, 4096);
	}
	printf("%d bad\n", bad);
}

static void do_long(void)
{
	work(1500000);
}

/* Enough for a handler without a look at vectors, for the timer's not. */
static void do_tiny_stack(void)
{
	static char place[4096];
	stack_t stack = { .ss_sp = place, .ss_size = sizeof(place) };
	int bad = sigaltstack(&stack, NULL);

	work(5000);
	printf("%d bad\n", bad);
}

/* A loop without a reference to memory. */
static void do_spin(void)
{
	unsigned long left = 1500000000;

	__asm__ volatile("1: dec %0; jnz 1b" : "+r"(left));
	printf("%lu left\n", left);
}

/* More blocks of code than the cache holds. */
static void do_code(void)
{
	int i;

	for (i = 0; i < 4000; i++)
		__asm__ volatile(".rept 70000\njmp 1f\nnop\n1:\n.endr" ::: "memory");
	puts("run");
}

/* A file with a function that adds @step to 0 as often as it is told. Return: its descriptor. */
static int adder(uint8_t step)
{
	/* xor %eax, %eax; 1: add $step, %rax; dec %rdi; jnz 1b; ret */
	const uint8_t code[] = {
		0x31, 0xc0, 0x48, 0x83, 0xc0, step, 0x48, 0xff, 0xcf, 0x75, 0xf7, 0xc3,
	};
	FILE *file = tmpfile();

	if (!file || fwrite(code, sizeof(code), 1, file) != 1 || fflush(file))
		abort();
	return fileno(file);
}

/*
 * Memory that is locked is not given back; and other code at one address, now and then, mapped as
 * that of libraries is.
 */
static void do_locked(void)
{
	int files[] = { adder(1), adder(2) };
	void *at = mmap(NULL, 8192, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	unsigned long i, wrong = 0;

	mlockall(MCL_CURRENT | MCL_FUTURE);	/* where it may: it shows nothing else */
	for (i = 0; i < 300; i++) {
		mmap(at, 8192, PROT_READ, MAP_PRIVATE | MAP_FIXED, files[i % 2], 0);
		mprotect(at, 4096, PROT_READ | PROT_EXEC);
		wrong += ((unsigned long (*)(unsigned long))at)(9000000) != (i % 2 + 1) * 9000000;
	}
	printf("%lu wrong\n", wrong);
}

/*
 * All signals, by a system call that is not the C library's; then longer than any interval, for on a
 * busy host a burst may have come before.
 */
static void do_blocked(void)
{
	unsigned long all = ~0ul, number = SYS_rt_sigprocmask;
	register long size __asm__("r10") = sizeof(all);

	__asm__ volatile("syscall" : "+a"(number) : "D"(SIG_BLOCK), "S"(&all), "d"(NULL), "r"(size)
			 : "rcx", "r11", "memory");
	work(50000);
	printf("%ld\n", (long)number);
}

/* In a handler, in which all signals wait, as servers do when they are told to end. */
static void end_in_handler(int signal)
{
	clock_t until = clock() + CLOCKS_PER_SEC / 80;

	while (clock() < until)
		work(1);
	printf("%d\n", signal);
	exit(0);
}

static void do_handler_exit(void)
{
	struct sigaction action = { .sa_handler = end_in_handler };

	sigfillset(&action.sa_mask);
	sigaction(SIGUSR1, &action, NULL);
	work(20000);
	raise(SIGUSR1);
}

/* Any access that is not aligned faults; the C library's are not, ours here are. */
static void set_alignment_check(bool on)
{
	unsigned long flags = __builtin_ia32_readeflags_u64();

	__builtin_ia32_writeeflags_u64(on ? flags | 1 << 18 : flags & ~(1ul << 18));
}

static void do_aligned(void)
{
	int i;

	for (i = 0; i < 20; i++) {
		set_alignment_check(true);
		work(1500);
		set_alignment_check(false);
		work(3000);
	}
	puts("aligned");
}

/* --- privileges given up --- */

static void do_seccomp(void)
{
	work(15000);
	fflush(stdout);
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	prctl(PR_SET_SECCOMP, 1);
	work(2000);
	if (write(1, "strict\n", 7) != 7)
		work(1);
	for (;;)
		__asm__ volatile("syscall" :: "a"(60), "D"(0) : "rcx", "r11", "memory");
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} all[] = {
		{ "segv", do_segv }, { "altstack", do_altstack }, { "fpe", do_fpe },
		{ "itimer", do_itimer }, { "sent", do_sent_faults }, { "masks", do_masks },
		{ "interrupted", do_interrupted }, { "threads", do_threads },
		{ "locks", do_locks }, { "coroutine", do_coroutine }, { "forks", do_forks },
		{ "handlers", do_handlers },
		{ "bare-forks", do_bare_forks }, { "bare-nested", do_bare_nested },
		{ "bare-busy", do_bare_busy }, { "bare-timers", do_bare_timers },
		{ "children", do_children }, { "long", do_long },
		{ "seccomp", do_seccomp }, { "seccomp2", do_seccomp2 },
		{ "small-stack", do_small_stack }, { "spin", do_spin }, { "code", do_code },
		{ "locked", do_locked }, { "aligned", do_aligned },
		{ "blocked", do_blocked }, { "handler-exit", do_handler_exit }, { "tiny-stack", do_tiny_stack },
	};
	size_t i;

	for (i = 0; argc > 1 && i < sizeof(all) / sizeof(all[0]); i++) {
		if (strcmp(argv[1], all[i].name))
			continue;
		all[i].run();
		return 0;
	}
	return 2;
}
