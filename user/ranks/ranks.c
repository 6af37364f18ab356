// SPDX-License-Identifier: GPL-2.0-only
#include <dlfcn.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/fail.h"
#include "base/number.h"
#include "ranks/ranks.h"

#define RANKS_MOST	1000000u

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

int ranks_open(struct ranks *ranks, const char *library)
{
	/* Parts of Open MPI that it loads itself look for its functions among all programs'. */
	void *opened = dlopen(library, RTLD_NOW | RTLD_GLOBAL);
	int rank, count;

	if (!opened)
		return fail("cannot load the library of MPI (%s)", dlerror());
	ranks->mpi = dlsym(opened, MPI_PLUGIN);
	if (!ranks->mpi)
		return fail("%s is not ccsample's library of MPI", library);
	ranks->mpi->open(&rank, &count);
	ranks->rank = rank;
	ranks->count = count;
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
