// SPDX-License-Identifier: GPL-2.0-only
/*
 * Samples a command on one CPU, and dumps all that the device gives.
 *
 *	drive OUT CPU [NAME=NUMBER...] -- COMMAND...
 *
 * NAMEs: those of struct ccsample_open's members; event, period, spread (for
 * all events; event=0x10d108d1 is two of them); mark: of the oracle's section
 * (99 ends it); stall=1: nothing is read before the end; poke=1: CHECK and FLUSH in turns,
 * all along; changes=N: other periods again and again, 1 to 4 times those asked for, and the command is
 * killed after N of them; fail=1: the command's process is one that the kernel's fault injection may pick;
 * fifo=1: it leaves its CPU to no other.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdbool.h>
#include <sys/wait.h>

#include "dump.h"
#include "session.h"

static FILE *out;
static uint64_t mark_number, stall, poke, changes, fail, fifo;

static void put(uint32_t kind, const void *first, uint32_t bytes, const void *second, uint32_t more)
{
	struct piece piece = { kind, bytes + more };

	fwrite(&piece, sizeof(piece), 1, out);
	fwrite(first, bytes, 1, out);
	if (more)
		fwrite(second, more, 1, out);
}

static bool drain(struct session *s)
{
	uint64_t head = head_of(s),
		marks = __atomic_load_n(&s->control->mark_head, __ATOMIC_ACQUIRE);
	bool any = s->reader->tail != head;

	for (uint64_t n = s->reader->mark_tail; n < marks; n++)
		put('M', &s->marks[n & (s->open.marks - 1)], sizeof(struct ccsample_mark), NULL, 0);
	__atomic_store_n(&s->reader->mark_tail, marks, __ATOMIC_RELEASE);
	for (uint64_t n = s->reader->tail; n < head; n++) {
		const struct ccsample_slot *slot = slot_of(s, n);

		put('S', slot, sizeof(*slot), records_of(s, n), slot->bytes);
		__atomic_store_n(&s->reader->tail, n + 1, __ATOMIC_RELEASE);
	}
	return any;
}

static void set(struct ccsample_open *ask, const char *word)
{
	const char *equals = strchr(word, '=');
	uint64_t value;

	if (!equals) {
		fprintf(stderr, "drive: '%s'?\n", word);
		exit(2);
	}
	value = strtoull(equals + 1, NULL, 0);
	if (!strncmp(word, "event=", 6)) {
		for (ask->events = 0; value; value >>= 16)
			ask->event[ask->events++].config = value & 0xffff;
	} else if (!strncmp(word, "period=", 7)) {
		for (int i = 0; i < CCSAMPLE_EVENTS_MAX; i++)
			ask->event[i].period = value;
	} else if (!strncmp(word, "spread=", 7)) {
		for (int i = 0; i < CCSAMPLE_EVENTS_MAX; i++)
			ask->event[i].spread = value;
	} else if (!strncmp(word, "flags=", 6))
		ask->flags = value;
	else if (!strncmp(word, "burst=", 6))
		ask->burst = value;
	else if (!strncmp(word, "first_burst=", 12))
		ask->first_burst = value;
	else if (!strncmp(word, "batch=", 6))
		ask->batch = value;
	else if (!strncmp(word, "storm_limit=", 12))
		ask->storm_limit = value;
	else if (!strncmp(word, "memory=", 7))
		ask->memory = value;
	else if (!strncmp(word, "marks=", 6))
		ask->marks = value;
	else if (!strncmp(word, "seed=", 5))
		ask->seed = value;
	else if (!strncmp(word, "references=", 11))
		ask->references = value;
	else if (!strncmp(word, "mark=", 5))
		mark_number = value;
	else if (!strncmp(word, "stall=", 6))
		stall = value;
	else if (!strncmp(word, "poke=", 5))
		poke = value;
	else if (!strncmp(word, "changes=", 8))
		changes = value;
	else if (!strncmp(word, "fail=", 5))
		fail = value;
	else if (!strncmp(word, "fifo=", 5))
		fifo = value;
	else {
		fprintf(stderr, "drive: '%s'?\n", word);
		exit(2);
	}
}

/*
 * The next change, once a slot was published since the last; when all were made, the command is over.
 * Return: whether there was one.
 */
static bool change(struct session *s, pid_t child)
{
	static uint64_t number, at = UINT64_MAX;
	struct ccsample_period ask = { .size = sizeof(ask) };

	if (number >= changes || head_of(s) == at)
		return false;
	at = head_of(s);
	for (unsigned int i = 0; i < s->open.events; i++) {
		ask.period[i] = s->open.event[i].period * (1 + number % 4);
		ask.spread[i] = s->open.event[i].spread;
	}
	if (ioctl(s->fd, CCSAMPLE_PERIOD, &ask))
		die("CCSAMPLE_PERIOD");
	put('P', &ask, sizeof(ask), NULL, 0);
	if (++number == changes && kill(child, SIGKILL))
		die("SIGKILL");
	return true;
}

/*
 * Return: the command's process, stopped before its exec. A pipe would not do: what it runs on its
 * way into read() is counted from perf's enabling of the counters on, and by the session later.
 */
static pid_t start(char **command, int cpu)
{
	pid_t pid = fork();
	int status;

	if (pid) {
		if (waitpid(pid, &status, WUNTRACED) != pid || !WIFSTOPPED(status))
			die(*command);
		return pid;
	}
	pin(cpu);
	if (fail)
		put_number("/proc/self/make-it-fail", "1");
	if (fifo) {
		put_number("/proc/sys/kernel/sched_rt_runtime_us", "-1");
		if (sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){ .sched_priority = 1 }))
			die("sched_setscheduler");
	}
	raise(SIGSTOP);
	execvp(*command, command);
	die(*command);
	return -1;
}

static void summary(const struct session *s, const struct ccsample_read *counts)
{
	const struct ccsample_control *c = s->control;

	printf("slots %llu records %llu interrupts %llu overruns %llu overrun_records %llu "
	       "short_gaps %llu in_flight %llu rewrites %llu marks %llu lost_marks %llu switches "
	       "%llu state %u reason %u lost_tasks %llu rearmed %llu full %llu full_records %llu",
	       c->head, c->records, c->interrupts, c->overruns, c->overrun_records, c->short_gaps,
	       c->in_flight, c->rewrites, c->mark_head, c->lost_marks, c->switches, c->state,
	       c->reason,
	       c->lost_tasks, c->rearmed, c->full_slots, c->full_records);
	for (unsigned int i = 0; i < s->open.events; i++)
		printf(" events %llu unpublished %llu", counts->events[i], counts->unpublished[i]);
	if (s->open.references)
		printf(" references %llu", counts->references);
	printf("\n");
}

int main(int argc, char **argv)
{
	struct ccsample_read counts = { .size = sizeof(counts) };
	struct ccsample_open ask;
	int cpu, i, status;
	struct session s;
	pid_t child;

	if (argc < 5)
		return 2;
	cpu = atoi(argv[2]);
	ask = plain_request(cpu);
	for (i = 1; i < CCSAMPLE_EVENTS_MAX; i++)
		ask.event[i] = ask.event[0];
	for (i = 3; i < argc && strcmp(argv[i], "--"); i++)
		set(&ask, argv[i]);
	for (int e = ask.events; e < CCSAMPLE_EVENTS_MAX; e++)
		memset(&ask.event[e], 0, sizeof(ask.event[e]));
	out = fopen(argv[1], "w");
	if (!out)
		die(argv[1]);
	if (sysconf(_SC_NPROCESSORS_ONLN) > 1)
		pin(!cpu);
	child = start(argv + i + 1, cpu);
	if (ask.flags & CCSAMPLE_TASK)
		ask.pid = child;
	session_open(&s, &ask);
	put('O', &s.open, sizeof(s.open), NULL, 0);
	oracle_mark(mark_number);
	SESSION_CALL(&s, CCSAMPLE_ENABLE);
	if (kill(child, SIGCONT))
		die("SIGCONT");
	for (i = 0; waitpid(child, &status, WNOHANG) != child; i++) {
		if (poke && ioctl(s.fd, i % 2 ? CCSAMPLE_CHECK : CCSAMPLE_FLUSH) &&
		    errno != ESHUTDOWN)
			die("CCSAMPLE_CHECK, CCSAMPLE_FLUSH");
		if (stall || (!drain(&s) && !change(&s, child)))
			usleep(poke || changes ? 200 : 2000);
	}
	if (ioctl(s.fd, CCSAMPLE_DISABLE) && errno != ESHUTDOWN)
		die("CCSAMPLE_DISABLE");
	oracle_mark(99);
	drain(&s);
	if (ioctl(s.fd, CCSAMPLE_READ, &counts))
		die("CCSAMPLE_READ");
	put('C', s.control, sizeof(*s.control), NULL, 0);
	put('R', &counts, sizeof(counts), NULL, 0);
	summary(&s, &counts);
	if (fclose(out))
		die(argv[1]);
	return WEXITSTATUS(status);
}
