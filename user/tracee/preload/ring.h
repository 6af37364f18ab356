/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The ring in shared memory between a natively running program (its writers,
 * tracee/preload/ring.c) and the recorder (its one reader, record/ring-reader.c), and the
 * messages of the socket that passes it on.
 *
 *	memory = struct ring, padded to RING_HEADER; RING_DATA bytes
 *
 * Both sides map the data twice, one after the other, so that no record is cut
 * by the end. A memfd, sealed so that its size is fixed.
 *
 * A writer reserves space by moving @head with a compare-and-exchange: no lock,
 * so that a signal handler may interrupt a writer, and a descheduled one stops
 * only the reader. Then it stores the record's size with RING_BUSY, fills
 * the record in and stores the size alone (release). The reader takes records in
 * order, up to the first whose size is 0 or busy. It clears what it took before
 * it moves @tail (release), so that reserved space begins as zeros.
 *
 * Records are those of format/format.h with process = 0 and the TSC as time; the
 * first is PROCESS. The reader believes nothing of what it finds.
 */
#ifndef CCSAMPLE_TRACEE_PRELOAD_RING_H
#define CCSAMPLE_TRACEE_PRELOAD_RING_H

#include <stdint.h>

#define RING_MAGIC	0x31676e6972736363ull	/* "ccsring1" */
#define RING_HEADER	4096u
#define RING_DATA	(8u << 20)	/* 0.1 s of a program that does nothing but allocate */
#define RING_FILE	(RING_HEADER + RING_DATA)
#define RING_MAPPED	(RING_HEADER + 2 * RING_DATA)

#define RING_BUSY	(1u << 31)	/* in a record's size: it is being written */

#define RING_ENVIRONMENT "CCSAMPLE_SIDEBAND"	/* the socket's path */
#define RING_LEAST_ENVIRONMENT "CCSAMPLE_LEAST_BLOCK"	/* bytes, at first; preload/native.h */
#define RING_FILTERS_ENVIRONMENT "CCSAMPLE_FILTERS"	/* of system calls: the recorder's number */
#define RING_LEAVING_ENVIRONMENT "CCSAMPLE_LEAVING"	/* 1: LEAVING is sent, and answered */

struct ring {
	uint64_t magic;
	uint64_t data_size;		/* RING_DATA */
	uint64_t exec_time;		/* TSC of the exec that is under way, 0 = none */
	uint64_t orphans;		/* children that could not begin: they are not recorded */
	uint64_t reserved[4];
	uint64_t head;			/* bytes ever reserved */
	uint64_t reserved_head[7];
	uint64_t tail;			/* bytes ever taken: the reader's */
	uint64_t reserved_tail[7];
	uint64_t lost;			/* what was not written, for want of space or otherwise */
	uint64_t reserved_lost[7];
};
_Static_assert(sizeof(struct ring) == 256, "ring");

/*
 * The program's messages: the first carries the memfd, where there could be one. LEAVING,
 * where the recorder wants it, is answered, by any message, when it has looked at the program's
 * memory. A child that has become another user, or has another root, sends CHILD by the connection
 * that it has of its parent.
 */
enum ring_message {
	RING_HELLO = 1,
	RING_LEAVING = 2,
	RING_CHILD = 3,			/* carries the connection of a child that finds no socket */
};

#endif /* CCSAMPLE_TRACEE_PRELOAD_RING_H */
