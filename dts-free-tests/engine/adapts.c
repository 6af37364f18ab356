// SPDX-License-Identifier: GPL-2.0-only
/*
 * Misses of two functions: adapts EARLY LATE [children N | threads N]. Each turn is 16 lines of one
 * set, which conflict; with children or threads each of these makes the turns of both.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define LINES	16
#define SET	4096

/* Of the program's file: pages of zeros that nobody has written are one page. */
static volatile char lines[LINES * SET] = { 1 };
static int early_turns, late_turns;

__attribute__((noinline)) static void early(int turns)
{
	for (int turn = 0; turn < turns; turn++)
		for (int i = 0; i < LINES; i++)
			(void)lines[i * SET];
}

__attribute__((noinline)) static void late(int turns)
{
	for (int turn = 0; turn < turns; turn++)
		for (int i = 0; i < LINES; i++)
			(void)lines[i * SET + 64];
}

static void *run(void *unused)
{
	early(early_turns);
	late(late_turns);
	return unused;
}

int main(int argc, char **argv)
{
	int count = argc > 4 ? atoi(argv[4]) : 0;
	pthread_t thread;

	early_turns = argc > 1 ? atoi(argv[1]) : 0;
	late_turns = argc > 2 ? atoi(argv[2]) : 0;
	if (!count)
		run(NULL);
	for (int i = 0; i < count; i++) {
		if (!strcmp(argv[3], "threads")) {
			pthread_create(&thread, NULL, run, NULL);
			pthread_join(thread, NULL);
		} else if (!fork()) {
			run(NULL);
			_exit(0);
		}
		while (wait(NULL) > 0)
			;
	}
	return 0;
}
