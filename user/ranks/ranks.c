// SPDX-License-Identifier: GPL-2.0-only
#include <dlfcn.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/array.h"
#include "base/fail.h"
#include "base/number.h"
#include "ranks/ranks.h"

#define RANKS_MOST	1000000u
#define SECONDS_PATIENT	10

/* Open MPI, MPICH and its derivatives, MVAPICH, srun: of a step of a job, not of the job. */
uint32_t ranks_started(void)
{
	static const char *const names[] = {
		"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MV2_COMM_WORLD_SIZE", "SLURM_STEP_NUM_TASKS",
	};
	uint64_t count;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		const char *text = getenv(names[i]);

		if (text && read_number(text, &count) && count && count <= RANKS_MOST)
			return count;
	}
	return 1;
}

/* A script may have started this in one of its processes alone: then nobody comes. */
static void say_waiting(int number)
{
	static const char text[] =
		"ccsample: waiting for the other processes that were started with this one: all of "
		"them must run this command, or one without OMPI_COMM_WORLD_SIZE in its "
		"environment\n";

	if (write(STDERR_FILENO, text, sizeof(text) - 1) < 0)
		_exit(1);
}

static void join(struct ranks *ranks)
{
	const struct sigaction waiting = { .sa_handler = say_waiting, .sa_flags = SA_RESTART };
	struct sigaction before;
	int rank, count;

	sigaction(SIGALRM, &waiting, &before);
	alarm(SECONDS_PATIENT);
	ranks->mpi->open(&rank, &count);
	alarm(0);
	sigaction(SIGALRM, &before, NULL);
	ranks->rank = rank;
	ranks->count = count;
}

int ranks_open(struct ranks *ranks, const char *library)
{
	/* Parts of Open MPI that it loads itself look for its functions among all programs'. */
	void *opened = dlopen(library, RTLD_NOW | RTLD_GLOBAL);

	if (!opened)
		return fail("cannot load the library of MPI (%s)", dlerror());
	ranks->mpi = dlsym(opened, MPI_PLUGIN);
	if (!ranks->mpi)
		return fail("%s is not ccsample's library of MPI", library);
	join(ranks);
	if (ranks->count == ranks_started())
		return 0;
	fail("%" PRIu32 " processes were started, and MPI knows of %" PRIu32 ": start them by this "
	     "MPI's own mpirun, or srun --mpi=pmix", ranks_started(), ranks->count);
	ranks_close(ranks);
	return -1;
}

void ranks_close(struct ranks *ranks)
{
	ranks->mpi->close();
}
