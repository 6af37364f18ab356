// SPDX-License-Identifier: GPL-2.0-only
/* life WHAT...: does what processes do, for test-processes. */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
static volatile int signals;
static sigjmp_buf back;

__attribute__((noinline)) static void work(void)
{
	volatile uint8_t *p = malloc(1 << 18);
	unsigned long i;

	for (i = 0; i < 1 << 18; i += 64)
		p[i] += 1;
	free((void *)p);
}

static void *thread(void *arg)
{
	int i;

	for (i = 0; i < 3; i++)
		work();
	return arg;
}

static int do_threads(void)
{
	pthread_t t[4];
	int i;

	for (i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, thread, NULL);
	for (i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	return 0;
}

static int do_fork(void)
{
	int status;
	pid_t pid = fork();

	work();
	if (!pid)
		exit(3);
	waitpid(pid, &status, 0);
	return WEXITSTATUS(status) == 3 ? 0 : 1;
}

static int do_vfork(void)
{
	int status;
	pid_t pid = vfork();

	if (!pid)
		_exit(4);
	waitpid(pid, &status, 0);
	return WEXITSTATUS(status) == 4 ? 0 : 1;
}

static int do_spawn(void)
{
	char *argv[] = { "true", NULL };
	int status;
	pid_t pid;

	if (posix_spawnp(&pid, "true", NULL, NULL, argv, environ))
		return 1;
	waitpid(pid, &status, 0);
	return status;
}

/* A failed exec, then one that works, by relative path. */
static int do_exec(void)
{
	work();
	execl("/nonexistent", "nonexistent", (char *)NULL);
	work();
	if (!chdir("/usr/bin"))
		execl("./env", "env", "true", (char *)NULL);
	return 1;
}

static void on_signal(int number)
{
	signals++;
	work();
	if (number == SIGUSR2)
		siglongjmp(back, 1);
}

static int do_signals(void)
{
	int i;

	signal(SIGUSR1, on_signal);
	signal(SIGUSR2, on_signal);
	for (i = 0; i < 100; i++) {
		raise(SIGUSR1);
		if (!sigsetjmp(back, 1))
			raise(SIGUSR2);
	}
	return signals == 200 ? 0 : 1;
}

/* Sizes that the test looks for. */
static int do_blocks(void)
{
	void *p[8], *q;

	p[0] = malloc(10001);
	p[1] = calloc(10, 1001);
	p[2] = realloc(malloc(7), 20002);
	p[3] = aligned_alloc(64, 6400);
	if (posix_memalign(&p[4], 4096, 12288))
		return 1;
	p[5] = realloc(NULL, 30003);
	p[6] = malloc(5000000);		/* maps inside malloc */
	p[7] = reallocarray(NULL, 3, 7001);
	q = mmap(NULL, 40960, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	munmap(q, 40960);
	for (int i = 0; i < 8; i++)
		free(p[i]);
	return 0;
}

static int do_many_maps(void)
{
	for (int i = 0; i < 1000; i++) {
		void *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			       0);

		*(volatile char *)p = 1;
		munmap(p, 4096);
	}
	return 0;
}

static int do_ud2(void)
{
	__builtin_trap();
}

static int do_kill(void)
{
	work();
	return kill(getpid(), SIGKILL);
}

/* Kills a child that has begun. */
static int do_kill_child(void)
{
	int ready[2], status;
	pid_t pid;
	char c;

	if (pipe(ready))
		return 1;
	pid = fork();
	if (!pid) {
		work();
		if (write(ready[1], "x", 1) == 1)
			pause();
	}
	if (read(ready[0], &c, 1) != 1)
		return 1;
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	return WTERMSIG(status) == SIGKILL ? 0 : 1;
}

static int do_abort(void)
{
	work();
	return kill(getpid(), SIGTERM);
}

static int do_exit_7(void)
{
	return 7;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*run)(void);
	} all[] = {
		{ "threads", do_threads }, { "fork", do_fork }, { "vfork", do_vfork },
		{ "spawn", do_spawn }, { "exec", do_exec }, { "signals", do_signals },
		{ "blocks", do_blocks }, { "maps", do_many_maps }, { "ud2", do_ud2 },
		{ "kill", do_kill }, { "killchild", do_kill_child }, { "term", do_abort },
		{ "exit7", do_exit_7 },
	};

	work();
	for (unsigned int i = 0; argc > 1 && i < sizeof(all) / sizeof(*all); i++)
		if (!strcmp(argv[1], all[i].name))
			return all[i].run();
	return 100;
}
