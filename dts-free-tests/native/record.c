// SPDX-License-Identifier: GPL-2.0-only
/*
 * record [-s] [-l MS] -o FILE PROGRAM...: runs a program natively and records what
 * it tells of its memory, without samples. Exits with the program's status.
 *
 *	-s	do not read the ring before the program has ended
 *	-l	read it so many milliseconds later only
 */
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

#include "format/recording.h"
#include "record/images.h"
#include "record/sideband.h"

#define GRACE	0.2	/* seconds, for children just spawned when the program ends */

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec * 1e-9;
}

static void serve(struct sideband *sideband)
{
	struct pollfd ready = { .fd = sideband_descriptor(sideband), .events = POLLIN };
	pid_t pid;

	poll(&ready, 1, 1);
	sideband_take(sideband, __rdtsc());
	while ((pid = sideband_leaving(sideband)))
		sideband_release(sideband, pid);
}

static int run(struct sideband *sideband, char **argv, bool still, unsigned int late_ms,
	       struct rusage *usage)
{
	double ended = 0;
	bool running = true;
	int status = 0;
	pid_t pid = fork();

	if (!pid) {
		sideband_environment(sideband);
		execvp(argv[0], argv);
		perror(argv[0]);
		_exit(127);
	}
	usleep(late_ms * 1000);
	while (running || !sideband_done(sideband) || now() - ended < GRACE) {
		if (still && running)
			usleep(1000);
		else
			serve(sideband);
		if (running && wait4(pid, &status, WNOHANG, usage) == pid) {
			running = false;
			ended = now();
		}
	}
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int main(int argc, char **argv)
{
	struct recording_writer *writer;
	struct sideband *sideband;
	struct images *images;
	struct images_totals totals;
	const char *output = NULL;
	unsigned int late_ms = 0;
	bool still = false;
	struct rusage usage;
	int option, status;

	while ((option = getopt(argc, argv, "+sl:o:")) != -1) {
		if (option == 's')
			still = true;
		else if (option == 'l')
			late_ms = atoi(optarg);
		else if (option == 'o')
			output = optarg;
	}
	if (!output || optind >= argc)
		return 2;
	signal(SIGPIPE, SIG_IGN);
	writer = recording_create(output);
	if (!writer)
		return 2;
	images = images_new(writer, NULL);
	sideband = sideband_open(images, 0, true);
	if (!sideband)
		return 2;
	recording_meta(writer, "clock", "tsc", 3);
	status = run(sideband, argv + optind, still, late_ms, &usage);
	sideband_close(sideband);
	images_settle(images, true);
	totals = images_totals(images);
	fprintf(stderr, "images %u killed %llu unrecorded %llu dropped %llu user %.3f\n",
		totals.images,
		(unsigned long long)totals.lost[CCS_LOST_KILLED],
		(unsigned long long)totals.lost[CCS_LOST_UNRECORDED],
		(unsigned long long)totals.lost[CCS_LOST_EVENTS],
		usage.ru_utime.tv_sec + usage.ru_utime.tv_usec * 1e-6);
	images_free(images);
	if (recording_finish(writer, 0))
		return 2;
	return status;
}
