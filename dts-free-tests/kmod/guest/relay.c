// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two processes that take turns: each misses the L1 cache LINES times, then
 * hands over through a pipe, so that the CPU switches tasks.
 *
 *	relay ROUNDS LINES
 */
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define STRIDE	4096	/* all lines in one set of an L1 of 64 sets */
#define REGION	256	/* of them in turn: more than it has ways */

static uint8_t region[REGION * STRIDE];

static void turns(int rounds, int lines, int from, int to)
{
	unsigned int at = 0;
	char token;

	while (rounds--) {
		if (read(from, &token, 1) != 1)
			exit(1);
		for (int i = 0; i < lines; i++)
			(void)*(volatile uint8_t *)&region[at++ % REGION * STRIDE];
		if (write(to, &token, 1) != 1)
			exit(1);
	}
}

int main(int argc, char **argv)
{
	int here[2], there[2], status;

	if (argc != 3 || pipe(here) || pipe(there) || write(here[1], "", 1) != 1)
		return 2;
	if (!fork()) {
		turns(atoi(argv[1]), atoi(argv[2]), there[0], here[1]);
		return 0;
	}
	turns(atoi(argv[1]), atoi(argv[2]), here[0], there[1]);
	wait(&status);
	return status != 0;
}
