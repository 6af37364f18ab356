// SPDX-License-Identifier: GPL-2.0-only
/*
 * Touches pages as many times as asked for, in two threads and a child: the page
 * faults that a test records where there is no PMU.
 */
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define SIZE	(1u << 20)
#define PAGE	4096

static char global[SIZE];

static void touch(int rounds)
{
	size_t i;

	while (rounds--) {
		char *memory = mmap(NULL, SIZE, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		for (i = 0; memory != MAP_FAILED && i < SIZE; i += PAGE)
			global[i] += ++memory[i];
		munmap(memory, SIZE);
	}
}

static void *touch_too(void *rounds)
{
	touch(*(int *)rounds);
	return NULL;
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 2;
	pthread_t thread;
	pid_t child;

	pthread_create(&thread, NULL, touch_too, &rounds);
	touch(rounds);
	pthread_join(thread, NULL);
	child = fork();
	if (!child) {
		touch(1);
		execl("/bin/true", "true", (char *)NULL);
		_exit(1);
	}
	return waitpid(child, NULL, 0) < 0;
}
