// SPDX-License-Identifier: GPL-2.0-only
/* What /proc says of a process whose mappings have names as it likes. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/proc.h"
#include "tap.h"

#define DEPTH	10
#define NAME	250		/* line ends, each of which /proc shows as four bytes */

static char top[] = "/tmp/ccsample-test-proc-XXXXXX";
static char name[NAME + 1];

/* Into directories whose path becomes a line of more than 10,000 bytes. */
static bool go_down(void)
{
	int i;

	memset(name, '\n', NAME);
	if (!mkdtemp(top) || chdir(top))
		return false;
	for (i = 0; i < DEPTH; i++)
		if (mkdir(name, 0700) || chdir(name))
			return false;
	return true;
}

static void go_up(void)
{
	int i;

	for (i = 0; i < DEPTH; i++)
		if (chdir("..") || rmdir(name))
			break;
	if (!chdir("/"))
		rmdir(top);
}

static const struct proc_map *find(const struct proc_maps *maps, const void *start)
{
	size_t i;

	for (i = 0; i < maps->count; i++)
		if (maps->all[i].start == (uintptr_t)start)
			return &maps->all[i];
	return NULL;
}

static void *go_on(void *unused)
{
	pause();
	return NULL;
}

/* Its first thread has ended; it has not. */
static void test_first_thread(void)
{
	pid_t child = fork();
	pthread_t other;
	int tries;

	if (!child) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		pthread_create(&other, NULL, go_on, NULL);
		pthread_exit(NULL);
	}
	for (tries = 0; tries < 1000 && !proc_is_zombie(child); tries++)
		usleep(10000);
	ok(proc_is_zombie(child) && !proc_is_gone(child) && !proc_is_kernel_thread(child),
	   "a process whose first thread has ended is not gone");
	kill(child, SIGKILL);
	for (tries = 0; tries < 1000 && !proc_is_gone(child); tries++)
		usleep(10000);
	ok(proc_is_gone(child), "... killed, and not waited for: it is");
	waitpid(child, NULL, 0);
	ok(proc_is_gone(child) && !proc_is_zombie(child), "... and nor is it a zombie then");
}

/* As servers do: the title in place of the arguments, and zeros behind it. */
static void test_title(int argc, char **argv)
{
	char **arguments, *end = argv[argc - 1] + strlen(argv[argc - 1]);

	memset(argv[0] + 3, 0, end - argv[0] - 3);
	arguments = proc_arguments(getpid());
	ok(arguments && strlen(arguments[0]) == 3 && !arguments[1], "a title has no empty arguments");
	free(arguments[0]);
	free(arguments);
}

int main(int argc, char **argv)
{
	const struct proc_map *found;
	struct proc_maps maps;
	size_t size;
	void *start;
	int fd;

	ok(go_down(), "directories");
	fd = open("file", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	start = ftruncate(fd, 4096) ? MAP_FAILED :
		mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
	ok(start != MAP_FAILED && !proc_read_maps(getpid(), &maps), "a file there is mapped");
	found = find(&maps, start);
	size = found ? strlen(found->path) : 0;
	ok(size > 4 * DEPTH * NAME && !strcmp(found->path + size - 5, "/file"),
	   "its line is read whole: a path of %zu bytes", size);
	proc_free_maps(&maps);
	unlink("file");
	go_up();
	test_first_thread();
	test_title(argc, argv);
	return done();
}
