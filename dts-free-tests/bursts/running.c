// SPDX-License-Identifier: GPL-2.0-only
/*
 * running WHAT MS: a program to attach to, for MS milliseconds, or until its standard input has
 * something to read. Prints whether all went as it does by itself.
 *
 *	loop		one thread walks columns
 *	threads		so do four, and short ones that come and go
 *	sleep		sleeps in one piece; prints whether a signal cut it short
 *	wait		waits in read(), poll(), epoll_wait(), sigwait() and a condition, in five threads
 *	blocked		walks with all signals blocked, looks for pending ones
 *	masked		blocks all signals before it is attached to, and looks that it still does
 *	faults		takes SIGSEGV in a handler of its own
 *	stack		has an alternate stack, too small to share
 *	taken		has handlers for all real-time signals, and sends itself one
 *	forks		makes children all the time
 *	vforks		once it is recorded a new thread does so by vfork(), in which it cannot be
 *			stopped; says so when it is back
 *	exec		becomes "loop" after half of the time
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define N	256

static double a[N][N];
static uint64_t until;
static volatile int wrong;

static uint64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000ull + t.tv_nsec / 1000000;
}

static int over(void)
{
	struct pollfd input = { .fd = 0, .events = POLLIN };

	return now_ms() >= until || poll(&input, 1, 0) > 0;
}

/* Half of the time. The sums are of integers, so that they are exact. */
static void walk(uint64_t end)
{
	double sum = 0;
	int i, j;

	while (now_ms() < end && !over()) {
		for (j = 0, sum = 0; j < N; j++)
			for (i = 0; i < N; i++)
				sum += a[i][j];
		wrong |= sum != (double)N * N * (N - 1) / 2;
		usleep(200);
	}
}

static void *walker(void *argument)
{
	walk(until);
	return NULL;
}

static void *short_one(void *argument)
{
	walk(now_ms() + 20);
	return NULL;
}

static void threads(void)
{
	pthread_t thread[4], one;
	int i;

	for (i = 0; i < 4; i++)
		pthread_create(&thread[i], NULL, walker, NULL);
	while (!over()) {
		pthread_create(&one, NULL, short_one, NULL);
		pthread_join(one, NULL);
	}
	for (i = 0; i < 4; i++)
		pthread_join(thread[i], NULL);
}

static void sleeps(void)
{
	uint64_t ms = until - now_ms();
	struct timespec t = { ms / 1000, ms % 1000 * 1000000 };

	wrong |= nanosleep(&t, NULL);
}

static int pipes[2], others[2];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int signalled;

static void *in_read(void *argument)
{
	char byte;

	wrong |= read(others[0], &byte, 1) != 1;
	return NULL;
}

static void *in_poll(void *argument)
{
	struct pollfd file = { .fd = pipes[0], .events = POLLIN };

	wrong |= poll(&file, 1, until - now_ms()) != 1;
	return NULL;
}

static void *in_epoll(void *argument)
{
	struct epoll_event event = { .events = EPOLLIN };
	int fd = epoll_create1(0);

	epoll_ctl(fd, EPOLL_CTL_ADD, pipes[0], &event);
	wrong |= epoll_wait(fd, &event, 1, until - now_ms()) != 1;
	return NULL;
}

static void *in_sigwait(void *argument)
{
	sigset_t set;
	int signal;

	sigfillset(&set);
	wrong |= sigwait(&set, &signal) || signal != SIGUSR1;
	return NULL;
}

static void *in_condition(void *argument)
{
	pthread_mutex_lock(&mutex);
	while (!signalled)
		pthread_cond_wait(&condition, &mutex);
	pthread_mutex_unlock(&mutex);
	return NULL;
}

static void waits(void)
{
	void *(*const kind[])(void *) = { in_read, in_poll, in_epoll, in_sigwait, in_condition };
	pthread_t thread[5];
	sigset_t all;
	int i;

	wrong |= pipe(pipes) || pipe(others);
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, NULL);
	for (i = 0; i < 5; i++)
		pthread_create(&thread[i], NULL, kind[i], NULL);
	walk(until);
	wrong |= write(pipes[1], "x", 1) != 1 || write(others[1], "x", 1) != 1;
	pthread_kill(thread[3], SIGUSR1);
	pthread_mutex_lock(&mutex);
	signalled = 1;
	pthread_cond_broadcast(&condition);
	pthread_mutex_unlock(&mutex);
	for (i = 0; i < 5; i++)
		pthread_join(thread[i], NULL);
}

/* Set again and again. */
static void blocked(void)
{
	sigset_t all, pending;
	int i;

	sigfillset(&all);
	while (!over()) {
		sigprocmask(SIG_SETMASK, &all, NULL);
		walk(now_ms() + 50);
	}
	sigpending(&pending);
	for (i = SIGRTMIN; i <= SIGRTMAX; i++)
		wrong |= sigismember(&pending, i);
}

static void masked(void)
{
	sigset_t all, now;
	int i;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	walk(until);
	sigprocmask(SIG_BLOCK, NULL, &now);
	for (i = SIGRTMIN; i <= SIGRTMAX; i++)
		wrong |= !sigismember(&now, i);
}

static sigjmp_buf back;
static volatile char *guarded;

static void on_fault(int signal)
{
	siglongjmp(back, 1);
}

static void faults(void)
{
	volatile long taken = 0;

	guarded = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	signal(SIGSEGV, on_fault);
	while (!over()) {
		if (!sigsetjmp(back, 1))
			*guarded = 1;
		else
			taken++;
		walk(now_ms() + 1);
	}
	wrong |= !taken;
}

static void nothing(int signal)
{
}

static void small_stack(void)
{
	static char memory[8192];
	const stack_t stack = { .ss_sp = memory, .ss_size = sizeof(memory) };
	struct sigaction action = { .sa_handler = nothing, .sa_flags = SA_ONSTACK };
	stack_t now;

	sigaltstack(&stack, NULL);
	sigaction(SIGUSR1, &action, NULL);
	while (!over()) {
		raise(SIGUSR1);
		walk(now_ms() + 5);
	}
	sigaltstack(NULL, &now);
	wrong |= now.ss_sp != memory;
}

static volatile int came;

static void on_realtime(int signal)
{
	came++;
}

static void taken(void)
{
	int i, sent = 0;

	for (i = SIGRTMIN; i <= SIGRTMAX; i++)
		signal(i, on_realtime);
	while (!over()) {
		raise(SIGRTMAX);
		sent++;
		walk(now_ms() + 5);
	}
	wrong |= came != sent;
}

static void forks(void)
{
	int status;
	pid_t child;

	while (!over()) {
		child = fork();
		if (!child) {
			walk(now_ms() + 30);
			_exit(wrong);
		}
		walk(now_ms() + 10);
		waitpid(child, &status, 0);
		wrong |= status;
	}
}

static void *make_child(void *data)
{
	pid_t child = vfork();
	int status;

	if (!child) {
		usleep(2500000);
		_exit(0);
	}
	waitpid(child, &status, 0);
	wrong |= status;
	write(2, "back\n", 5);
	return NULL;
}

static int is_recorded(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[512];
	int found = 0;

	while (!found && fgets(line, sizeof(line), maps))
		found = !!strstr(line, "ccsample");
	fclose(maps);
	return found;
}

static void vforks(void)
{
	pthread_t thread;

	while (!over() && !is_recorded())
		usleep(10000);
	pthread_create(&thread, NULL, make_child, NULL);
	while (!over())
		usleep(10000);
	pthread_join(thread, NULL);
}

static void becomes(uint64_t ms)
{
	char left[24];

	walk(until - ms / 2);
	snprintf(left, sizeof(left), "%d", (int)(ms / 2));
	execl("/proc/self/exe", "running", "loop", left, NULL);
}

static void loop(void)
{
	walk(until);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} kinds[] = {
		{ "loop", loop }, { "threads", threads }, { "sleep", sleeps }, { "wait", waits },
		{ "blocked", blocked }, { "masked", masked }, { "faults", faults },
		{ "stack", small_stack }, { "taken", taken }, { "forks", forks },
		{ "vforks", vforks },
	};
	size_t i, j;

	if (argc != 3)
		return 2;
	until = now_ms() + atoi(argv[2]);
	for (i = 0; i < N; i++)
		for (j = 0; j < N; j++)
			a[i][j] = i;
	if (!strcmp(argv[1], "exec"))
		becomes(atoi(argv[2]));
	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcmp(argv[1], kinds[i].name))
			kinds[i].run();
	printf("%s: %s\n", argv[1], wrong ? "wrong" : "right");
	return wrong ? 1 : 3;
}
