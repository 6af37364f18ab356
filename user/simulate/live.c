// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/memory.h"
#include "base/temporary.h"
#include "program/guard.h"
#include "simulate/live.h"

#define BUFFER	(2 * CCS_RECORD_MAX)

/* What a process that ends leaves to the next one. */
struct live_shared {
	uint64_t answered;	/* questions */
	uint32_t highest;	/* number of an object in an answer */
	bool whole;
};

static const int signals[LIVE_SIGNALS] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };

/* ---- the recorder's side ---- */

static FILE *open_records(void)
{
	char *path;
	int fd = temporary_file("sim", &path);
	FILE *records = fd < 0 ? NULL : fdopen(fd, "w");

	if (!records)
		fail("cannot make a file %s: %s", path, strerror(errno));
	if (fd >= 0) {
		unlink(path);
		if (!records)
			close(fd);
	}
	free(path);
	return records;
}

static void close_pipe(int ends[2])
{
	for (int i = 0; i < 2; i++)
		if (ends[i] >= 0)
			close(ends[i]);
	ends[0] = ends[1] = -1;
}

static void close_one(int *end)
{
	close(*end);
	*end = -1;
}

static void drop(struct sim_live *live)
{
	fclose(live->records);
	close_pipe(live->asked);
	close_pipe(live->answers);
	if (live->shared != MAP_FAILED)
		munmap(live->shared, sizeof(*live->shared));
}

/* What ends the program does not end who is to show it. */
static void keep(struct sim_live *live, pid_t parent, int (*run)(void *context), void *context)
{
	int result;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	close_one(&live->asked[1]);
	close_one(&live->answers[0]);
	/* guard_run() goes back to the beginning of standard input, which is the program's. */
	close(STDIN_FILENO);
	open("/dev/null", O_RDONLY);
	for (int i = 0; i < LIVE_SIGNALS; i++) {
		sigaction(signals[i], NULL, &live->before[i]);
		signal(signals[i], SIG_IGN);
	}
	result = run(context);
	guard_end();
	exit(result < 0 ? 1 : result);
}

int sim_live_start(struct sim_live *live, const struct hierarchy_plan *plan,
		   int (*run)(void *context), void *context)
{
	pid_t parent = getpid();

	*live = (struct sim_live){ .plan = *plan, .asked = { -1, -1 }, .answers = { -1, -1 } };
	live->records = open_records();
	if (!live->records)
		return -1;
	live->shared = mmap(NULL, sizeof(*live->shared), PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (live->shared == MAP_FAILED || pipe2(live->asked, O_CLOEXEC) ||
	    pipe2(live->answers, O_CLOEXEC))
		goto fail;
	fflush(NULL);
	live->keeper = fork();
	if (!live->keeper)
		keep(live, parent, run, context);
	if (live->keeper < 0)
		goto fail;
	close_one(&live->asked[0]);
	close_one(&live->answers[1]);
	return 0;
fail:
	fail("cannot run a process: %s", strerror(errno));
	drop(live);
	return -1;
}

/* Waits for the process that has ended. Return: as guard_status(). */
static int wait_for(const struct sim_live *live)
{
	int status;

	while (waitpid(live->keeper, &status, 0) < 0)
		if (errno != EINTR)
			return 1;
	return guard_status(status);
}

static void require_written(bool written)
{
	if (!written)
		exit(-fail("cannot keep what the simulation says: %s: free some space in $TMPDIR",
			   strerror(errno)));
}

void sim_live_take(void *context, const struct ccs_record *record)
{
	struct sim_live *live = context;

	require_written(fwrite(record, record->size, 1, live->records) == 1);
}

/* Return: 0, or what errno says; EPIPE: the process has ended. */
static int ask_process(const struct sim_live *live, struct ccs_sim_answer *answer)
{
	ssize_t got;

	if (write(live->asked[1], "", 1) != 1)
		return errno;
	do
		got = read(live->answers[0], answer, sizeof(*answer));
	while (got < 0 && errno == EINTR);
	return got == sizeof(*answer) ? 0 : got < 0 ? errno : EPIPE;
}

void sim_live_answer(void *context, const struct ccs_sim_ask *ask, struct ccs_sim_answer *answer)
{
	struct sim_live *live = context;
	int error;

	sim_live_take(live, &ask->record);
	require_written(!fflush(live->records));
	error = ask_process(live, answer);
	if (error && error != EPIPE)
		exit(-fail("cannot ask the process that reads names: %s", strerror(error)));
	if (!error)
		return;
	/* If it failed, it has said why. */
	if (!wait_for(live))
		fail("the process that reads names has ended");
	guard_end();
	exit(1);
}

int sim_live_end(struct sim_live *live, bool whole)
{
	int status;

	require_written(!fflush(live->records));
	live->shared->whole = whole;
	close_one(&live->asked[1]);
	status = wait_for(live);
	drop(live);
	return status != 0;
}

/* ---- the process that reads names ---- */

/* The records so far, read as they are written. */
struct records {
	int fd;
	off_t at;
	char *bytes;
	size_t begin, end;	/* of what was read and not taken yet */
};

static void require_done(bool done)
{
	if (!done)
		exit(-fail("cannot read what the simulation says: %s", strerror(errno)));
}

/* The next one, NULL where none is whole yet. Valid until the next call. */
static const struct ccs_record *next(struct records *records)
{
	const struct ccs_record *record;
	ssize_t got = 1;

	for (;;) {
		size_t left = records->end - records->begin;

		record = (const void *)(records->bytes + records->begin);
		if (left >= sizeof(*record) && left >= record->size) {
			records->begin += record->size;
			return record;
		}
		if (!got)
			return NULL;
		memmove(records->bytes, records->bytes + records->begin, left);
		records->begin = 0;
		records->end = left;
		got = pread(records->fd, records->bytes + left, BUFFER - left, records->at);
		require_done(got >= 0);
		records->at += got;
		records->end += got;
	}
}

/* @base: what objects' numbers begin after */
static void answer(struct sim_live *live, struct sim_results *results, uint32_t base,
		   const struct ccs_sim_ask *ask)
{
	struct ccs_sim_answer answer = {
		.record = { .size = sizeof(answer), .type = CCS_SIM_ANSWER,
			    .process = ask->record.process },
	};

	sim_results_answer(results, ask, &answer);
	answer.object += base;
	if (answer.object > live->shared->highest)
		live->shared->highest = answer.object;
	require_done(write(live->answers[1], &answer, sizeof(answer)) == sizeof(answer));
}

/* Takes what has come. @asks: questions so far, with those that others have answered */
static void take_records(struct sim_live *live, struct sim_results *results,
			 struct records *records, uint32_t base, uint64_t *asks)
{
	const struct ccs_record *record;

	while ((record = next(records))) {
		if (record->type != CCS_SIM_ASK) {
			sim_results_take(results, record);
		} else if (++*asks > live->shared->answered) {
			answer(live, results, base, (const void *)record);
			live->shared->answered = *asks;
		}
	}
}

struct sim_results *sim_live_results(struct sim_live *live)
{
	struct sim_results *results = sim_results_new(&live->plan);
	struct records records = { fileno(live->records), 0, xmalloc(BUFFER) };
	uint32_t base = live->shared->highest;
	uint64_t asks = 0;
	char bytes[64];
	ssize_t got;

	do {
		take_records(live, results, &records, base, &asks);
		got = read(live->asked[0], bytes, sizeof(bytes));
	} while (got > 0 || (got < 0 && errno == EINTR));
	require_done(!got);
	take_records(live, results, &records, base, &asks);
	free(records.bytes);
	for (int i = 0; i < LIVE_SIGNALS; i++)
		sigaction(signals[i], &live->before[i], NULL);
	if (live->shared->whole)
		return results;
	sim_results_free(results);
	return NULL;
}
