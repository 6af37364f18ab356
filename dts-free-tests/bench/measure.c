// SPDX-License-Identifier: GPL-2.0-only
/*
 * measure FILE COMMAND...: runs a command with its output thrown away and
 * writes its CPU seconds (user and system, descendants included), its
 * largest resident set in KiB and its wall clock seconds to FILE.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds(struct timeval t)
{
	return t.tv_sec + t.tv_usec * 1e-6;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec * 1e-9;
}

int main(int argc, char **argv)
{
	struct rusage usage;
	double begun;
	int null, status;
	FILE *out;
	pid_t pid;

	if (argc < 3)
		return 2;
	begun = now();
	pid = fork();
	if (!pid) {
		null = open("/dev/null", O_RDWR);
		dup2(null, 0);
		dup2(null, 1);
		dup2(null, 2);
		execvp(argv[2], argv + 2);
		_exit(127);
	}
	if (pid < 0 || wait4(pid, &status, 0, &usage) != pid)
		return 1;
	begun = now() - begun;
	out = fopen(argv[1], "w");
	if (!out)
		return 1;
	fprintf(out, "%.6f %ld %.6f\n", seconds(usage.ru_utime) + seconds(usage.ru_stime),
		usage.ru_maxrss, begun);
	fclose(out);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
