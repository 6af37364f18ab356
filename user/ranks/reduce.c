// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/memory.h"
#include "program/guard.h"
#include "ranks/ranks.h"
#include "ranks/reduce.h"
#include "ranks/sums.h"

/* Work for a child, which leaves what it made in a file. */
struct task {
	struct reduction *reduction;
	const struct ranks *ranks;
	bool adds;			/* up the shares that are there; or it reads our own */
	int fd;
};

static int write_all(int fd, const struct wire *sums)
{
	size_t at = 0;
	ssize_t size;

	/* A child before this one may have got as far. */
	if (lseek(fd, 0, SEEK_SET) || ftruncate(fd, 0))
		return fail("cannot keep what was counted: %s", strerror(errno));
	for (; at < sums->size; at += size) {
		size = write(fd, sums->bytes + at, sums->size - at);
		if (size <= 0)
			return fail("cannot keep what was counted: %s", strerror(errno));
	}
	return 0;
}

static int run_task(void *context)
{
	struct task *task = context;
	struct reduction *reduction = task->reduction;
	struct wire sums = { .bytes = NULL };
	int status;

	status = task->adds ?
		 sums_add(reduction->inputs, reduction->options, reduction->shares,
			  reduction->count, &sums, NULL) :
		 sums_read(reduction->inputs, reduction->options, task->ranks->rank,
			   task->ranks->count, &sums);
	if (!status)
		status = write_all(task->fd, &sums);
	wire_drop(&sums);
	return status;
}

static int take(struct task *task, struct wire *sums)
{
	off_t size = lseek(task->fd, 0, SEEK_END);

	*sums = (struct wire){ .reads = true, .size = size > 0 ? size : 0 };
	sums->bytes = xmalloc(sums->size + 1);
	if (pread(task->fd, sums->bytes, sums->size, 0) == (ssize_t)sums->size)
		return 0;
	wire_drop(sums);
	return fail("cannot read what was counted: %s", strerror(errno));
}

/* Return: 0, or -1 after one line; @sums then is empty. */
static int run_child(struct task *task, struct wire *sums)
{
	int status = -1;

	task->fd = memfd_create("ccsample-sums", MFD_CLOEXEC);
	if (task->fd < 0)
		return fail("cannot keep what is counted: %s", strerror(errno));
	if (!guard_run(run_task, task, task->reduction->memory))
		status = take(task, sums);
	close(task->fd);
	return status;
}

/* One of the branches that end in this process. Return: 0, or -1: it failed, and has said why. */
static int receive(struct reduction *reduction, const struct ranks *ranks, uint32_t from)
{
	struct wire *share = &reduction->shares[reduction->count];

	*share = (struct wire){ .reads = true };
	share->bytes = ranks->mpi->receive(from, &share->size);
	if (!share->bytes && share->size)
		return fail("out of memory for the %zu bytes of process %" PRIu32, share->size,
			    from);
	if (!share->bytes)
		return -1;
	reduction->count++;
	return 0;
}

static int send_up(struct task *task, uint32_t to, int status)
{
	struct reduction *reduction = task->reduction;
	struct wire *sums = &reduction->shares[0], all = { .bytes = NULL };

	task->adds = true;
	if (!status && reduction->count > 1) {
		status = run_child(task, &all);
		sums = &all;
	}
	task->ranks->mpi->send(to, sums->bytes, status ? 0 : sums->size);
	wire_drop(&all);
	return status;
}

/* Along the tree: from those whose rank has a bit set to the one in which it is not. */
static int pass_up(struct task *task, int status)
{
	const struct ranks *ranks = task->ranks;

	for (uint32_t step = 1; step < ranks->count; step *= 2) {
		if (ranks->rank & step)
			return send_up(task, ranks->rank - step, status);
		if (ranks->count - ranks->rank > step &&
		    receive(task->reduction, ranks, ranks->rank + step))
			status = -1;
	}
	return status;
}

int reduce(struct reduction *reduction)
{
	struct task task = { .reduction = reduction };
	struct ranks ranks;
	int status;

	if (ranks_open(&ranks, reduction->library))
		return -1;
	task.ranks = &ranks;
	reduction->first = !ranks.rank;
	status = run_child(&task, &reduction->shares[0]);
	reduction->count = !status;
	status = pass_up(&task, status);
	ranks_close(&ranks);
	return status;
}

struct findings *reduction_findings(struct reduction *reduction,
				    const struct analysis_options *options)
{
	const struct inputs *inputs = reduction->inputs;
	struct findings *findings;

	if (sums_add(inputs, options, reduction->shares, reduction->count, NULL, &findings))
		return NULL;
	return findings ? findings : analyze_recordings((const char *const *)inputs->paths,
							inputs->count, options);
}

void reduction_drop(struct reduction *reduction)
{
	for (size_t i = 0; i < reduction->count; i++)
		wire_drop(&reduction->shares[i]);
}
