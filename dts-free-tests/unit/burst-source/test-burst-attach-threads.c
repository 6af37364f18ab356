// SPDX-License-Identifier: GPL-2.0-only
/*
 * A process of many threads: where the recorder is told to end while it arms them it stops doing so,
 * and what a thread is stopped for does not grow with the number of the others.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "bursts/log.h"
#include "burst-source/burst-attach.h"
#include "host/proc.h"
#include "tap.h"

#define THREADS		150u		/* beside the first one */
#define MOST_STOPS	200u		/* of one thread: by itself it has about 50 */

static unsigned int armed_threads;

static void armed(void *context, pid_t tid, uint64_t cpu_ns)
{
	armed_threads++;
}

static void *wait_for_ever(void *argument)
{
	for (;;)
		pause();
	return argument;
}

/* Return: a process whose threads all wait. */
static pid_t begin(void)
{
	pthread_t thread;
	int ready[2], i;
	pid_t child;
	char byte;

	if (pipe(ready))
		abort();
	child = fork();
	if (!child) {
		for (i = 0; i < (int)THREADS; i++)
			if (pthread_create(&thread, NULL, wait_for_ever, NULL))
				_exit(1);
		close(ready[0]);
		close(ready[1]);
		alarm(300);
		wait_for_ever(NULL);
	}
	close(ready[1]);
	if (read(ready[0], &byte, 1))
		abort();
	close(ready[0]);
	return child;
}

/* Each stop is a switch. */
static uint64_t most_switches(pid_t pid)
{
	struct proc_threads threads;
	uint64_t most = 0, its;
	size_t i;

	proc_read_threads(pid, &threads);
	for (i = 0; i < threads.count; i++) {
		its = proc_status(threads.all[i], "voluntary_ctxt_switches");
		if (threads.all[i] != pid && its > most)
			most = its;
	}
	proc_free_threads(&threads);
	return most;
}

static void test(struct burst_attach *attach, pid_t child)
{
	struct burst_log_options options = { 1024, 1000, 1000 };
	struct burst_log log = { NULL };
	sigset_t term;
	int signal, failed;

	sigemptyset(&term);
	sigaddset(&term, SIGTERM);
	sigprocmask(SIG_BLOCK, &term, NULL);
	raise(SIGTERM);
	failed = burst_attach_start(attach, &log, &options, armed, NULL);
	ok(!failed && !armed_threads, "told to end: no more threads are armed, %u were", armed_threads);
	sigwait(&term, &signal);
	burst_attach_look(attach, now_ns());
	ok(armed_threads == THREADS + 1, "... all are later, if it goes on: %u", armed_threads);
	signal = most_switches(child);
	ok(signal > 10 && signal < (int)MOST_STOPS, "... each was stopped at most %d times", signal);
	burst_attach_leave(attach);
	burst_log_close(&log);
}

int main(int argc, char **argv)
{
	struct burst_attach *attach;
	char dir[4096];
	pid_t child;

	snprintf(dir, sizeof(dir), "%s/bursts", argc > 1 ? argv[1] : "build");
	setenv("CCSAMPLE_BURSTS_LIBRARY", dir, 1);
	child = begin();
	attach = burst_attach_open(child);
	if (attach) {
		test(attach, child);
		burst_attach_close(attach);
	} else {
		skip("it cannot be attached to here", "many threads");
	}
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	return done();
}
