/* SPDX-License-Identifier: GPL-2.0-only */
/* The processes that mpirun or srun started together with this one. */
#ifndef CCSAMPLE_RANKS_RANKS_H
#define CCSAMPLE_RANKS_RANKS_H

#include <stdint.h>

#include "mpi/plugin.h"

struct ranks {
	const struct mpi_plugin *mpi;
	uint32_t rank, count;
};

/* How many the launcher says that there are; 1 = it says nothing. */
uint32_t ranks_started(void);

/**
 * ranks_open() - join them. All must.
 * @library: path of libccsample-mpi.so
 *
 * Return: 0, or -1 after one line.
 */
int ranks_open(struct ranks *ranks, const char *library);

/* Leaves them, once all do. */
void ranks_close(struct ranks *ranks);

#endif /* CCSAMPLE_RANKS_RANKS_H */
