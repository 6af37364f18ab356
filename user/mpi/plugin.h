/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What libccsample-mpi.so gives: bytes from process to process by MPI. A library of its own, loaded
 * when it is needed, so that nothing else depends on an MPI.
 */
#ifndef CCSAMPLE_MPI_PLUGIN_H
#define CCSAMPLE_MPI_PLUGIN_H

#include <stddef.h>

struct mpi_plugin {
	/* Joins the others. */
	void (*open)(int *rank, int *ranks);
	void (*send)(int to, const void *bytes, size_t size);
	/* @size: receives how many there are. Return: to be freed; NULL: none, or no memory. */
	void *(*receive)(int from, size_t *size);
	/* Waits for all. */
	void (*close)(void);
};

#define MPI_PLUGIN "ccsample_mpi"	/* its name in the library */

#endif /* CCSAMPLE_MPI_PLUGIN_H */
