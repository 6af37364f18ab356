// SPDX-License-Identifier: GPL-2.0-only
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include <mpi.h>

#include "mpi/plugin.h"

#define TAG	1
#define PIECE	(1u << 20)	/* bytes of one message */

/* MPIs wait by running in circles: on a full machine that takes the time of those that read. */
static void wait_for(MPI_Request *request)
{
	const struct timespec while_ms = { .tv_nsec = 1000000 };
	int done = 0;

	for (;;) {
		MPI_Test(request, &done, MPI_STATUS_IGNORE);
		if (done)
			return;
		nanosleep(&while_ms, NULL);
	}
}

static void join_others(int *rank, int *ranks)
{
	MPI_Init(NULL, NULL);
	MPI_Comm_rank(MPI_COMM_WORLD, rank);
	MPI_Comm_size(MPI_COMM_WORLD, ranks);
}

static void send_bytes(int to, const void *bytes, size_t size)
{
	uint64_t all = size;
	MPI_Request request;

	MPI_Isend(&all, 1, MPI_UINT64_T, to, TAG, MPI_COMM_WORLD, &request);
	wait_for(&request);
	for (size_t at = 0; at < size; at += PIECE) {
		MPI_Isend((const char *)bytes + at, size - at < PIECE ? size - at : PIECE,
			  MPI_BYTE, to, TAG, MPI_COMM_WORLD, &request);
		wait_for(&request);
	}
}

/* What there is no memory for is taken all the same: the other process waits until it is. */
static void *receive_bytes(int from, size_t *size)
{
	static char dropped[PIECE];
	MPI_Request request;
	uint64_t all = 0;
	char *bytes;

	MPI_Irecv(&all, 1, MPI_UINT64_T, from, TAG, MPI_COMM_WORLD, &request);
	wait_for(&request);
	*size = all;
	bytes = all ? malloc(all) : NULL;
	for (size_t at = 0; at < all; at += PIECE) {
		MPI_Irecv(bytes ? bytes + at : dropped, all - at < PIECE ? all - at : PIECE,
			  MPI_BYTE, from, TAG, MPI_COMM_WORLD, &request);
		wait_for(&request);
	}
	return bytes;
}

static void leave(void)
{
	MPI_Request request;

	MPI_Ibarrier(MPI_COMM_WORLD, &request);
	wait_for(&request);
	MPI_Finalize();
}

extern const struct mpi_plugin ccsample_mpi;

const struct mpi_plugin ccsample_mpi = { join_others, send_bytes, receive_bytes, leave };
