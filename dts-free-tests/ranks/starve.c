// SPDX-License-Identifier: GPL-2.0-only
/*
 * starve: of two processes the second sends more than the first has memory for. Neither waits for
 * the other without end. `mpirun -n 2 starve LIBRARY`
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "mpi/plugin.h"

#define BYTES	((size_t)100 << 20)

int main(int argc, char **argv)
{
	void *library = dlopen(argc == 2 ? argv[1] : "", RTLD_NOW | RTLD_GLOBAL);
	const struct mpi_plugin *mpi = library ? dlsym(library, MPI_PLUGIN) : NULL;
	const struct rlimit none = { 0, RLIM_INFINITY };
	int rank, ranks;
	size_t size = 0;

	if (!mpi)
		return 1;
	mpi->open(&rank, &ranks);
	if (rank) {
		mpi->send(0, calloc(1, BYTES), BYTES);
	} else {
		/* What is there stays: nothing large is added. */
		setrlimit(RLIMIT_AS, &none);
		printf("%s ", mpi->receive(1, &size) ? "all" : "none");
		printf("of %zu\n", size);
	}
	mpi->close();
	return 0;
}
