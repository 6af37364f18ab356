// SPDX-License-Identifier: GPL-2.0-only
/* More rare uses of signals, as odd.c. */
#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#define SENT		54		/* the timer's */

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

static volatile int over;

static void *busy(void *unused)
{
	while (!over)
		work(10);
	return NULL;
}

/* --- handlers, by each of the functions that set them --- */

typedef void (*handler)(int);

handler bsd_signal(int number, handler set);

static volatile int came;

static void on_signal(int signal)
{
	came++;
}

static const struct {
	const char *name;
	handler (*set)(int number, handler set);
} ways[] = {
	{ "signal", signal }, { "bsd_signal", bsd_signal }, { "ssignal", ssignal },
	{ "sysv_signal", sysv_signal }, { "__sysv_signal", __sysv_signal }, { "sigset", sigset },
};

#define WAYS	(sizeof(ways) / sizeof(*ways))

/* What was there before is the program's own, whoever is in a burst. */
static void do_ways(void)
{
	int shown[WAYS] = { 0 }, flags = 0;
	struct sigaction now;
	pthread_t id;

	pthread_create(&id, NULL, busy, NULL);
	for (int i = 0; i < 60000; i++) {
		size_t way = i % WAYS;

		ways[way].set(SIGSEGV, SIG_IGN);
		shown[way] += ways[way].set(SIGSEGV, on_signal) != SIG_IGN;
		shown[way] += ways[way].set(SIGSEGV, SIG_DFL) != on_signal;
		sigignore(SIGSEGV);
		siginterrupt(SIGSEGV, 1);
		sigaction(SIGSEGV, NULL, &now);
		flags += now.sa_handler != SIG_IGN || now.sa_flags & (SA_RESTART | SA_SIGINFO);
	}
	over = 1;
	pthread_join(id, NULL);
	for (size_t i = 0; i < WAYS; i++)
		printf("%s: %d others\n", ways[i].name, shown[i]);
	printf("sigignore, siginterrupt: %d others\n", flags);
}

/* The timer's signal is the program's, from its first handler on. */
static void do_sysv(void)
{
	work(20000);
	printf("%d\n", __sysv_signal(SENT, on_signal) == SIG_DFL);
	raise(SENT);
	work(20000);
	signal(SENT, SIG_IGN);
	printf("%d came\n", came);
}

/* Held, it is pending until it is released. */
static void do_held(void)
{
	sigset_t pending;

	work(20000);
	sigset(SENT, on_signal);
	printf("%d\n", sighold(SENT));
	raise(SENT);
	sigpending(&pending);
	work(20000);
	printf("%d came, pending %d\n", came, sigismember(&pending, SENT));
	printf("%d\n", sigset(SENT, SIG_HOLD) == SIG_HOLD);
	printf("%d\n", sigrelse(SENT));
	printf("%d came\n", came);
	printf("%x\n", sigblock(1 << (SIGUSR1 - 1)));
	printf("%x\n", sigsetmask(1 << (SIGSEGV - 1)));
	printf("%d\n", sigset(SIGSEGV, on_signal) == SIG_HOLD);
	printf("%x\n", sigsetmask(0));
	printf("%d %d\n", sighold(0), errno == EINVAL);
	printf("%d %d\n", sigset(65, SIG_IGN) == SIG_ERR, errno == EINVAL);
}

/* --- an alternate stack that the timer's frame does not fit, as its signal is pending; and a child's --- */

static jmp_buf back;

/* The mask stays what it is in the handler. */
static void jump(int signal)
{
	work(5000);
	_longjmp(back, 1);
}

static int set_small(void)
{
	static char place[2048];
	const stack_t stack = { .ss_sp = place, .ss_size = sizeof(place) };

	return sigaltstack(&stack, NULL);
}

static void do_small(void)
{
	struct sigaction action = { .sa_handler = jump };
	int status;

	sigfillset(&action.sa_mask);
	sigaction(SIGUSR1, &action, NULL);
	work(20000);
	if (!_setjmp(back))
		raise(SIGUSR1);
	printf("%d\n", set_small());
	sigprocmask(SIG_UNBLOCK, &action.sa_mask, NULL);
	work(20000);
	fflush(stdout);
	if (!fork()) {
		work(20000);
		_exit(5);
	}
	wait(&status);
	printf("%x\n", status);
}

static void do_at_once(void)
{
	work(20000);
	printf("%d\n", set_small());
	work(20000);
}

/* --- what is pending in a handler that blocks all: what the program sent --- */

static sigset_t pending[3];

static void show_pending(int signal)
{
	for (int i = 0; i < 3; i++) {
		work(3000);
		sigpending(&pending[i]);
		if (i == 1)
			raise(SIGUSR2);
	}
}

static void do_shown(void)
{
	struct sigaction action = { .sa_handler = show_pending };

	signal(SIGUSR2, on_signal);
	sigfillset(&action.sa_mask);
	sigaction(SIGUSR1, &action, NULL);
	for (int i = 0; i < 5; i++) {
		work(3000);
		raise(SIGUSR1);
		for (int j = 0; j < 3; j++)
			printf("%lx\n", *(unsigned long *)&pending[j]);
	}
	printf("%d came\n", came);
}

/* --- a thread that serves page faults of another one sets handlers and forks first --- */

#define PAGES	2500

static char *served;

static void *touches(void *unused)
{
	long sum = 0;

	for (int i = 0; i < PAGES; i++) {
		work(4);
		sum += served[i * 4096l];
	}
	return (void *)(sum + 1);
}

static int served_pages(void)
{
	int fd = syscall(SYS_userfaultfd, O_CLOEXEC | UFFD_USER_MODE_ONLY);
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register all = { .range.len = PAGES * 4096l, .mode = UFFDIO_REGISTER_MODE_MISSING };

	served = mmap(NULL, PAGES * 4096l, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	all.range.start = (unsigned long)served;
	return fd < 0 || ioctl(fd, UFFDIO_API, &api) || ioctl(fd, UFFDIO_REGISTER, &all) ? -1 : fd;
}

static void do_served(void)
{
	const struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_ONSTACK };
	int fd = served_pages(), status, sum = 0, others = 0;
	struct sigaction bus = { .sa_handler = SIG_DFL }, before;
	struct uffd_msg message;
	pthread_t id;
	void *result;

	if (fd < 0) {
		puts("no userfaultfd");
		return;
	}
	pthread_create(&id, NULL, touches, NULL);
	for (int i = 0; i < PAGES && read(fd, &message, sizeof(message)) == sizeof(message); i++) {
		struct uffdio_zeropage zero = { .range.len = 4096 };

		sigaction(SIGUSR1, &action, NULL);
		sigaction(SIGSEGV, NULL, &before);
		others += before.sa_handler != SIG_DFL;
		sigaction(SIGBUS, NULL, &before);
		others += before.sa_handler != bus.sa_handler || before.sa_flags & SA_SIGINFO;
		bus.sa_handler = i & 1 ? SIG_DFL : on_signal;
		sigaction(SIGBUS, &bus, &before);
		others += before.sa_handler == bus.sa_handler;
		zero.range.start = message.arg.pagefault.address & ~4095ul;
		if (!fork()) {
			struct sigaction now;

			sigaction(SIGSEGV, NULL, &now);
			sigaction(SIGBUS, NULL, &before);
			_exit(now.sa_handler == SIG_DFL && before.sa_handler == bus.sa_handler ? 1 : 2);
		}
		wait(&status);
		sum += WIFEXITED(status) && WEXITSTATUS(status) == 1;
		ioctl(fd, UFFDIO_ZEROPAGE, &zero);
	}
	pthread_join(id, &result);
	sigaction(SIGBUS, NULL, &before);
	others += before.sa_handler != bus.sa_handler;
	printf("%d %ld, %d others\n", sum, (long)result, others);
}

/* --- ignored signals: children that begin while another thread is in bursts ignore them, too --- */

static int ignored(void)
{
	static const int signals[] = { SIGFPE, SIGILL, SIGTRAP, SIGSEGV, SIGBUS };
	int bits = 0;

	for (int i = 0; i < 5; i++) {
		struct sigaction now;

		sigaction(signals[i], NULL, &now);
		bits |= (now.sa_handler == SIG_IGN) << i;
	}
	return bits;
}

static void spawn(void)
{
	char *arguments[] = { "odd-signals", "ignored", NULL };
	int status, all[32] = { 0 };
	pthread_t id;

	pthread_create(&id, NULL, busy, NULL);
	for (int i = 0; i < 200; i++) {
		pid_t pid;

		if (posix_spawn(&pid, "/proc/self/exe", NULL, NULL, arguments, environ))
			break;
		waitpid(pid, &status, 0);
		all[WEXITSTATUS(status) % 32]++;
		all[31] += !WIFEXITED(status);
		work(100);
	}
	over = 1;
	pthread_join(id, NULL);
	for (int i = 0; i < 32; i++)
		if (all[i])
			printf("%x %d\n", i, all[i]);
}

static void do_spawn(void)
{
	signal(SIGFPE, SIG_IGN);
	signal(SIGTRAP, SIG_IGN);
	spawn();
}

static void do_spawn_all(void)
{
	work(20000);
	signal(SIGSEGV, SIG_IGN);
	signal(SIGILL, SIG_IGN);
	spawn();
}

/* --- handlers for an alternate stack that there is none of are left by another way --- */

#define ROUTINES	3

static ucontext_t scheduler, routine[ROUTINES];
static int running, done;
static long sums[ROUTINES];

static void leave(int signal)
{
	swapcontext(&routine[running], &scheduler);
}

static void runs(int number)
{
	for (int i = 0; i < 200; i++) {
		work(30);
		raise(SIGUSR1);
		sums[number] = sums[number] * 3 + i;
	}
	done++;
}

static void do_switch(void)
{
	struct sigaction action = { .sa_handler = leave, .sa_flags = SA_ONSTACK | SA_NODEFER };

	sigaction(SIGUSR1, &action, NULL);
	for (int i = 0; i < ROUTINES; i++) {
		getcontext(&routine[i]);
		routine[i].uc_stack = (stack_t){ .ss_sp = malloc(1 << 20), .ss_size = 1 << 20 };
		routine[i].uc_link = &scheduler;
		makecontext(&routine[i], (void (*)(void))runs, 1, i);
	}
	for (int i = 0; i < ROUTINES * 201; i++) {
		running = i % ROUTINES;
		swapcontext(&scheduler, &routine[running]);
	}
	for (int i = 0; i < ROUTINES; i++)
		printf("%lx ", sums[i]);
	printf("%d\n", done);
}

/* --- ... and there is one later --- */

static char place[65536], *met_at;
static int set_there = 1;

static void where(int signal)
{
	stack_t stack = { .ss_flags = SS_DISABLE };
	char here;

	met_at = &here;
	set_there = sigaltstack(&stack, NULL);
}

static void say_where(const char *when)
{
	struct sigaction now;

	raise(SIGUSR1);
	sigaction(SIGUSR1, NULL, &now);
	printf("%s: there %d, set %d, flags %x, others %d\n", when,
	       met_at >= place && met_at < place + sizeof(place), set_there, now.sa_flags,
	       sigismember(&now.sa_mask, SENT) + sigismember(&now.sa_mask, SIGALRM));
	set_there = 1;
}

static void do_later(void)
{
	const stack_t stack = { .ss_sp = place, .ss_size = sizeof(place) };
	struct sigaction action = { .sa_handler = where, .sa_flags = SA_ONSTACK };

	work(20000);
	sigaction(SIGUSR1, &action, NULL);
	say_where("none");
	signal(SIGUSR1, where);
	say_where("not for one");
	sigaction(SIGUSR1, &action, NULL);
	printf("%d\n", sigaltstack(&stack, NULL));
	say_where("one");
	signal(SIGUSR1, where);
	say_where("not for it");
	sigaction(SIGUSR1, &action, NULL);
	say_where("again");
}

/* Where a child shares the memory, its handlers and stack are its own. */
static void do_shared(void)
{
	const stack_t stack = { .ss_sp = place, .ss_size = sizeof(place) };
	struct sigaction action = { .sa_handler = where, .sa_flags = SA_ONSTACK };

	work(20000);
	sigaction(SIGUSR1, &action, NULL);
	sigaction(SIGUSR2, &action, NULL);
	if (!vfork()) {
		signal(SIGUSR1, on_signal);
		sigaction(SIGALRM, &action, NULL);
		sigaltstack(&stack, NULL);
		_exit(0);
	}
	wait(NULL);
	say_where("none");
	raise(SIGUSR2);
	printf("another: there %d\n", met_at >= place && met_at < place + sizeof(place));
	signal(SIGALRM, SIG_DFL);
	printf("%d\n", sigaltstack(&stack, NULL));
	say_where("one");
	raise(SIGUSR2);
	printf("another: there %d\n", met_at >= place && met_at < place + sizeof(place));
}

static long set_by_call(const stack_t *stack, stack_t *before)
{
	long result;

	__asm__ volatile("syscall" : "=a"(result) : "0"(SYS_sigaltstack), "D"(stack), "S"(before)
			 : "rcx", "r11", "memory");
	return result;
}

/* By system calls of its own, as Go's runtime. */
static void do_runtime(void)
{
	const stack_t stack = { .ss_sp = place, .ss_size = sizeof(place) };
	struct sigaction action = { .sa_handler = where, .sa_flags = SA_ONSTACK };

	work(20000);
	sigaction(SIGUSR1, &action, NULL);
	sigfillset(&action.sa_mask);
	sigaction(SIGALRM, &action, NULL);
	printf("%ld\n", set_by_call(&stack, NULL));
	say_where("one");
}

/* As Breakpad: the stack first. */
static void do_unseen(void)
{
	const stack_t stack = { .ss_sp = place, .ss_size = sizeof(place) };
	struct sigaction action = { .sa_handler = where, .sa_flags = SA_ONSTACK };

	work(20000);
	printf("%ld\n", set_by_call(&stack, NULL));
	sigaction(SIGUSR1, &action, NULL);
	say_where("one");
}

/* A stack that disarms itself is there after any burst, and in none of its handlers. */
static void do_disarmed(void)
{
	const stack_t stack = { .ss_sp = place, .ss_size = sizeof(place), .ss_flags = 1 << 31 };
	struct sigaction action = { .sa_handler = where, .sa_flags = SA_ONSTACK };
	stack_t now;
	int lost = 0;

	printf("%d\n", sigaltstack(&stack, NULL));
	sigaction(SIGUSR1, &action, NULL);
	for (int i = 0; i < 20000; i++) {
		work(1);
		set_by_call(NULL, &now);
		lost += now.ss_sp != place || now.ss_flags != 1 << 31;
	}
	printf("%d lost\n", lost);
	say_where("one");
}

/* --- what cannot be read --- */

static void do_unread(void)
{
	char *pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const struct timespec now = { 0 };

	work(20000);
	memset(pages, 0x11, 4096);	/* flags that there are none of */
	mprotect(pages + 4096, 4096, PROT_NONE);
	for (int size = 0; size < 32; size++) {
		void *volatile at = pages + 4096 - size;

		errno = 0;
		printf("%d ", sigaltstack(at, NULL));
		printf("%d\n", errno);
		errno = 0;
		printf("%d ", sigtimedwait(at, NULL, &now));
		printf("%d\n", errno);
	}
}

/* --- a stack with room for one frame, and signals as faults send that come in bursts --- */

#define NARROW	6144			/* the timer's with AVX-512 */
#define UNUSED	0x5a

static const int as_faults[] = { SIGFPE, SIGILL, SIGTRAP, SIGSEGV, SIGBUS };

static bool is_unused(const char *at, size_t size)
{
	while (size && at[size - 1] == UNUSED)
		size--;
	return !size;
}

static void do_narrow(void)
{
	static const int flags[] = { 0, 1 << 31 };
	pid_t self = getpid(), child;

	for (int i = 0; i < 5; i++)
		signal(as_faults[i], on_signal);
	child = fork();
	if (!child) {
		/* Its number may soon be another process's. */
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		while (getppid() == self) {
			for (int i = 0; i < 5; i++)
				kill(self, as_faults[i]);
			usleep(100);
		}
		_exit(0);
	}
	for (int i = 0; i < 2; i++) {
		stack_t stack = { .ss_sp = place + sizeof(place) - NARROW, .ss_size = NARROW, .ss_flags = flags[i] };

		memset(place, UNUSED, sizeof(place));
		printf("%d", sigaltstack(&stack, NULL));
		work(20000);
		printf(", below it %s\n", is_unused(place, sizeof(place) - NARROW) ? "nothing" : "a frame");
	}
	kill(child, SIGKILL);
	wait(NULL);
}

/* --- a handler sets the mask by its context --- */

static volatile int masks_all;

static void set_mask(int signal, siginfo_t *info, void *context)
{
	sigset_t *mask = &((ucontext_t *)context)->uc_sigmask;

	if (masks_all)
		sigfillset(mask);
	else
		sigemptyset(mask);
}

static void do_context(void)
{
	const struct sigaction action = { .sa_sigaction = set_mask, .sa_flags = SA_SIGINFO };
	sigset_t none, mask;

	sigemptyset(&none);
	sigaction(SIGUSR1, &action, NULL);
	for (int i = 0; i < 10; i++) {
		masks_all = i & 1;
		work(2000);
		raise(SIGUSR1);
		work(2000);
		sigprocmask(SIG_BLOCK, NULL, &mask);
		printf("%lx\n", *(unsigned long *)&mask);
		sigprocmask(SIG_SETMASK, &none, NULL);
	}
}

/* ... or who begins a program does */

static int show_mask(void)
{
	sigset_t mask, set;
	int i;

	for (i = 0; i < 3; i++) {
		work(3000);
		sigprocmask(SIG_BLOCK, NULL, &mask);
		sigpending(&set);
		printf("%lx %lx\n", *(unsigned long *)&mask, *(unsigned long *)&set);
		if (!i)
			raise(SENT);
	}
	return 0;
}

static void do_begun(void)
{
	char *arguments[] = { "odd-signals", "mask", NULL };
	posix_spawnattr_t attributes;
	sigset_t mask;
	pid_t pid;

	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
	sigfillset(&mask);
	posix_spawnattr_setsigmask(&attributes, &mask);
	posix_spawn(&pid, "/proc/self/exe", NULL, &attributes, arguments, environ);
	waitpid(pid, NULL, 0);
	work(3000);
}

/* --- children that share the memory, and may share the handlers, fault while bursts run --- */

#define CHILD_PAGES	16

static char *barred;
static volatile int faults;

static void allow(int signal, siginfo_t *info, void *context)
{
	faults++;
	mprotect((void *)((unsigned long)info->si_addr & ~4095ul), 4096, PROT_READ | PROT_WRITE);
}

static int child_faults(void *unused)
{
	for (int i = 0; i < 1000; i++) {
		char *at = barred + i % CHILD_PAGES * 4096;

		for (unsigned int j = 0; j < 100000; j++)
			*(volatile unsigned int *)(place + 64) += j;
		*at = 1;
		mprotect(at, 4096, PROT_NONE);
	}
	over = 1;
	return 6;
}

static void do_clones(void)
{
	static const int shares[] = { CLONE_VM | SIGCHLD, CLONE_VM | CLONE_SIGHAND | SIGCHLD };
	const struct sigaction action = { .sa_sigaction = allow, .sa_flags = SA_SIGINFO };

	sigaction(SIGSEGV, &action, NULL);
	barred = mmap(NULL, CHILD_PAGES * 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	for (int i = 0; i < 2; i++) {
		int status = 0;
		pid_t child;

		over = faults = 0;
		child = clone(child_faults, place + sizeof(place) - 64, shares[i], NULL);
		while (!over && !waitpid(child, &status, WNOHANG))
			work(100);
		if (!status)
			waitpid(child, &status, 0);
		printf("%x, %d faults\n", status, faults);
	}
}

static void show_action(int signal)
{
	struct sigaction now;

	sigaction(signal, NULL, &now);
	printf("%x %d %lx\n", now.sa_flags & (SA_ONSTACK | SA_RESTART | SA_NODEFER),
	       now.sa_handler == on_signal, *(unsigned long *)&now.sa_mask);
}

/* What was set is found, also where both are in one place. */
static void do_found(void)
{
	static const int flags[] = { 0, SA_ONSTACK, SA_ONSTACK | SA_RESTART, SA_NODEFER };
	struct sigaction action, *volatile same = &action;

	work(20000);
	for (size_t i = 0; i < 8; i++) {
		action = (struct sigaction){ .sa_handler = on_signal, .sa_flags = flags[i / 2] };
		if (i & 1)
			sigfillset(&action.sa_mask);
		sigaction(SIGUSR1, &action, NULL);
		show_action(SIGUSR1);
		signal(SIGUSR1, SIG_DFL);
		action = (struct sigaction){ .sa_handler = on_signal };
		sigaction(SIGUSR1, same, same);
		show_action(SIGUSR1);
	}
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} all[] = {
		{ "ways", do_ways }, { "sysv", do_sysv }, { "held", do_held },
		{ "small", do_small }, { "at-once", do_at_once }, { "shown", do_shown }, { "served", do_served },
		{ "spawn", do_spawn }, { "spawn-all", do_spawn_all },
		{ "switch", do_switch }, { "later", do_later }, { "runtime", do_runtime },
		{ "unseen", do_unseen }, { "disarmed", do_disarmed }, { "found", do_found },
		{ "shared", do_shared }, { "clones", do_clones }, { "context", do_context },
		{ "begun", do_begun }, { "unread", do_unread }, { "narrow", do_narrow },
	};

	if (argc > 1 && !strcmp(argv[1], "ignored"))
		return ignored();
	if (argc > 1 && !strcmp(argv[1], "mask"))
		return show_mask();
	for (size_t i = 0; argc > 1 && i < sizeof(all) / sizeof(all[0]); i++) {
		if (strcmp(argv[1], all[i].name))
			continue;
		all[i].run();
		return 0;
	}
	return 2;
}
