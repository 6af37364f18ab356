// SPDX-License-Identifier: GPL-2.0-only
/* odd WHAT...: what well-behaved programs seldom do, for test-native. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

static void *volatile hidden;

__attribute__((noinline)) static void block(size_t size)
{
	hidden = malloc(size);
	free(hidden);
}

static int do_close_all(void)
{
	int fd;

	block(1001);
	for (fd = 3; fd < 4096; fd++)
		close(fd);
	block(1002);
	return 0;
}

/* What a daemon does that root started: its child has no way to the recorder's socket. */
static int do_another_user(void)
{
	int status;

	if (setgid(65534) || setuid(65534))
		return 1;
	if (!fork()) {
		block(1014);
		_exit(4);
	}
	wait(&status);
	return WIFEXITED(status) && WEXITSTATUS(status) == 4 ? 0 : 1;
}

static int do_another_root(void)
{
	int status;

	if (chroot("/proc/self") || chdir("/"))
		return 1;
	if (!fork()) {
		block(1015);
		_exit(5);
	}
	wait(&status);
	return WIFEXITED(status) && WEXITSTATUS(status) == 5 ? 0 : 1;
}

/* ... nor to its parent's connection. */
static int do_no_way(void)
{
	do_close_all();
	return do_another_user();
}

/* Another descriptor gets the number: nothing may be written there. */
static int do_reuse(void)
{
	char text[64];
	int pipe_fd[2], fd;

	if (pipe(pipe_fd))
		return 1;
	for (fd = 5; fd < 4096; fd++)
		if (fcntl(fd, F_GETFD) >= 0 && dup2(pipe_fd[1], fd) < 0)
			return 1;
	block(1003);
	if (!fork())
		_exit(0);
	wait(NULL);
	fcntl(pipe_fd[0], F_SETFL, O_NONBLOCK);
	return read(pipe_fd[0], text, sizeof(text)) > 0 ? 1 : 0;
}

static int do_many(void)
{
	int i;

	for (i = 0; i < 400000; i++)
		block(i % 500);
	return 0;
}

static volatile int ticks, last_tick;

static void on_alarm(int unused)
{
	int saved = errno;
	void *map = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (ticks == last_tick)
		kill(getpid(), SIGKILL);
	/* Not block()'s variable: it may be interrupted between its malloc() and its free(). */
	munmap(map, 4096);
	errno = saved;
	ticks++;
}

/* Signals that come in the middle of everything, handled with mappings, until the last. */
static int do_handler_to(int last)
{
	const struct itimerval often = { { 0, 100 }, { 0, 100 } };
	int i;

	last_tick = last;
	signal(SIGALRM, on_alarm);
	setitimer(ITIMER_REAL, &often, NULL);
	for (i = 0; ticks < 300 && i < 50000000; i++)
		block(i % 300);
	setitimer(ITIMER_REAL, &(struct itimerval){ 0 }, NULL);
	printf("%d\n", ticks);
	return ticks < 300;
}

static int do_handler(void)
{
	return do_handler_to(-1);
}

/* SIGKILL in the middle of everything, after some blocks on any host. */
static int do_handler_kill(void)
{
	return do_handler_to(200);
}

static void handler(int unused)
{
	block(1004);
}

static int do_handler_malloc(void)
{
	int i;

	signal(SIGUSR1, handler);
	for (i = 0; i < 100; i++)
		raise(SIGUSR1);
	return 0;
}

static volatile size_t huge = 16;

static int do_errno(void)
{
	errno = 77;
	block(1005);
	hidden = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	munmap(hidden, 4096);
	if (errno != 77)
		return 1;
	hidden = malloc(SIZE_MAX / 2);
	if (hidden || errno != ENOMEM)
		return 2;
	errno = 0;
	hidden = mmap(NULL, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (hidden != MAP_FAILED || errno != EINVAL)
		return 3;
	hidden = reallocarray(NULL, SIZE_MAX / 4, huge);
	if (hidden || errno != ENOMEM)
		return 4;
	hidden = malloc(100);
	return malloc_usable_size(hidden) == 104 ? 0 : 5;
}

/* A child that the C library knows nothing of. */
static int do_clone(void)
{
	int status;
	pid_t pid = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);

	if (!pid) {
		block(1006);
		_exit(6);
	}
	block(1007);
	waitpid(pid, &status, 0);
	return WEXITSTATUS(status) == 6 ? 0 : 1;
}

static void *busy(void *unused)
{
	int i;

	for (i = 0; i < 20000; i++)
		block(i % 700);
	return NULL;
}

static int do_fork_threads(void)
{
	pthread_t t[3];
	int i, status, bad = 0;

	for (i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, busy, NULL);
	for (i = 0; i < 30; i++) {
		pid_t pid = fork();

		if (!pid) {
			block(1008);
			_exit(8);
		}
		waitpid(pid, &status, 0);
		bad |= WEXITSTATUS(status) != 8;
	}
	for (i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return bad;
}

static int do_kill(void)
{
	int i;

	for (i = 0; i < 5000; i++)
		block(1009);
	return kill(getpid(), SIGKILL);
}

static int do_limits(void)
{
	const struct rlimit limit = { 1 << 20, 1 << 20 };

	if (setrlimit(RLIMIT_FSIZE, &limit))
		return 1;
	if (!fork()) {
		block(1010);
		_exit(9);
	}
	int status;

	wait(&status);
	return WIFEXITED(status) && WEXITSTATUS(status) == 9 ? 0 : 1;
}

static ucontext_t back, there;

static void coroutine(void)
{
	block(1011);
}

static int do_coroutine(void)
{
	static char stack[65536];

	getcontext(&there);
	there.uc_stack.ss_sp = stack;
	there.uc_stack.ss_size = sizeof(stack);
	there.uc_link = &back;
	makecontext(&there, coroutine, 0);
	swapcontext(&back, &there);
	block(1012);
	return 0;
}

/* A plugin's static array, and its allocation; dlsym() must still know who calls. */
static int do_plugin(const char *path)
{
	void *handle = dlopen(path, RTLD_NOW);
	int (*work)(void) = handle ? dlsym(handle, "plugin_work") : NULL;
	void *(*next)(size_t) = dlsym(RTLD_NEXT, "malloc");

	if (!work || !next || work())
		return 1;
	dlclose(handle);
	block(1013);
	return 0;
}

#define MAPPINGS	12000

/* Of one page, which are not merged: /proc/self/maps is longer than 1 MiB then. */
static int do_many_maps(const char *path)
{
	int fd = open(path, O_RDONLY), i;

	for (i = 0; i < MAPPINGS; i++)
		if (mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 0) == MAP_FAILED)
			return 1;
	close(fd);
	return do_plugin(path);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*run)(void);
	} all[] = {
		{ "closeall", do_close_all }, { "reuse", do_reuse }, { "many", do_many },
		{ "handler", do_handler }, { "handlerkill", do_handler_kill },
		{ "handlermalloc", do_handler_malloc },
		{ "errno", do_errno }, { "clone", do_clone }, { "forkthreads", do_fork_threads },
		{ "kill", do_kill }, { "limits", do_limits }, { "coroutine", do_coroutine },
		{ "user", do_another_user }, { "root", do_another_root }, { "noway", do_no_way },
	};
	size_t i;

	if (argc == 3 && !strcmp(argv[1], "manymaps"))
		return do_many_maps(argv[2]);
	if (argc == 3)
		return do_plugin(argv[2]);
	for (i = 0; argc > 1 && i < sizeof(all) / sizeof(all[0]); i++)
		if (!strcmp(argv[1], all[i].name))
			return all[i].run();
	return 100;
}
