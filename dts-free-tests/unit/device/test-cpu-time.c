// SPDX-License-Identifier: GPL-2.0-only
/* CPU time of processes, against what they say of themselves. */
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "device/cpu-time.h"
#include "tap.h"

#define OWN_NS	20000000u

struct worker {
	pid_t pid;
	int go, went;
};

/* At each byte it works until its own clock is OWN_NS further, and says so. */
static void work(int go, int went)
{
	char byte;

	while (read(go, &byte, 1) == 1) {
		uint64_t until = clock_ns(CLOCK_PROCESS_CPUTIME_ID) + OWN_NS;

		while (clock_ns(CLOCK_PROCESS_CPUTIME_ID) < until)
			;
		if (write(went, &byte, 1) != 1)
			break;
	}
	_exit(0);
}

static struct worker begin(void)
{
	struct worker worker;
	int go[2], went[2];

	if (pipe(go) || pipe(went))
		exit(1);
	worker = (struct worker){ .go = go[1], .went = went[0] };
	worker.pid = fork();
	if (!worker.pid) {
		close(go[1]);
		work(go[0], went[1]);
	}
	close(go[0]);
	close(went[1]);
	return worker;
}

static bool let(const struct worker *worker)
{
	char byte = 0;

	return write(worker->go, &byte, 1) == 1 && read(worker->went, &byte, 1) == 1;
}

static void finish(struct worker *worker)
{
	close(worker->go);
	close(worker->went);
	kill(worker->pid, SIGKILL);
	waitpid(worker->pid, NULL, 0);
}

/* A pid that another process has now: one that took nothing yet. */
static void test_used_again(struct cpu_time *time, pid_t pid)
{
	struct worker new = begin();
	uint64_t before = cpu_time_read(time), after;

	if (clock_getcpuclockid(new.pid, &time->live[0].clock))
		exit(1);
	after = cpu_time_read(time);
	ok(time->live[0].pid == pid && after == before, "a pid used again takes nothing away");
	cpu_time_end(time, pid);
	ok(cpu_time_read(time) == before && !time->count, "... nor when it ends");
	finish(&new);
}

int main(void)
{
	struct worker one = begin(), other = begin();
	uint64_t before, first, both, ended;
	struct cpu_time time = { };

	ok(let(&one), "a process works");
	cpu_time_add(&time, one.pid);
	cpu_time_add(&time, other.pid);
	before = cpu_time_read(&time);
	ok(before < OWN_NS, "what it took before it was added is not counted");
	ok(let(&one), "it works on");
	first = cpu_time_read(&time);
	ok(first - before >= OWN_NS, "what it takes from then on is");
	cpu_time_add(&time, one.pid);
	ok(let(&other), "another one works");
	both = cpu_time_read(&time);
	ok(both - first >= OWN_NS, "both are added up");
	finish(&one);
	ok(cpu_time_read(&time) >= both, "one that is gone keeps what it had");
	ok(time.count == 1 && time.live[0].pid == other.pid, "and is not looked at any more");
	cpu_time_end(&time, one.pid);
	ended = cpu_time_read(&time);
	ok(ended >= both && time.count == 1, "... whether its end is told or not");
	ok(let(&other) && cpu_time_read(&time) - ended >= OWN_NS, "the other goes on");
	test_used_again(&time, other.pid);
	finish(&other);
	cpu_time_free(&time);
	return done();
}
