// SPDX-License-Identifier: GPL-2.0-only
/* leave HOW: works for a tenth of a second, then is gone without the C library's exit(). */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static volatile double matrix[128][512];

static void columns(void)
{
	int row, column;

	for (column = 0; column < 512; column++)
		for (row = 0; row < 128; row++)
			matrix[row][column]++;
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";

	while (clock() < CLOCKS_PER_SEC / 10)
		columns();
	if (!strcmp(how, "exec"))
		execlp("true", "true", NULL);
	if (!strcmp(how, "kill"))
		raise(SIGKILL);
	if (!strcmp(how, "quick_exit"))
		quick_exit(0);
	_exit(0);
}
