/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by sideband.c, which takes records, and sideband-connect.c, which takes connections. */
#ifndef CCSAMPLE_RECORD_SIDEBAND_INSIDE_H
#define CCSAMPLE_RECORD_SIDEBAND_INSIDE_H

#include "base/map.h"
#include "record/listener.h"
#include "record/ring-reader.h"
#include "record/sideband.h"

/* A connection: an image, from its first message until its ring is empty and nobody fills it. */
struct client {
	int fd;				/* -1 = has hung up */
	int pidfd;			/* -1 = the process has ended, or cannot be watched */
	pid_t pid;
	uint32_t image;			/* 0 until its first record is written */
	struct ring_reader *ring;
	uint64_t time;			/* of its last record */
	uint64_t limit;			/* of what is taken now */
	uint64_t exec_time;		/* when it called exec, 0 = it has not */
	uint64_t since;			/* when the image before it did */
	uint64_t reported;		/* when the library wrote its first record */
	bool fresh;			/* its ring has come, its limit is not set */
	bool leaving;			/* waits for sideband_release() */
	bool ended;			/* the process, or this image of it */
	bool execs;			/* it called exec; the next image has not come yet */
	bool exited;			/* EXIT was written */
};

/* Images of a process: from when on it was which. */
struct life {
	uint64_t time;
	uint64_t reported;		/* by the library in it: later than it began */
	uint32_t image;
	uint32_t before;		/* index + 1 in the list of lives */
};

struct sideband {
	struct images *images;
	char *library;
	char name[LISTENER_NAME];
	int epoll, listener;
	struct client **clients;
	size_t count, room;
	struct life *lives;
	size_t lives_count, lives_room;
	struct map latest;		/* pid to index + 1 in lives */
	bool refusal_said;
};

/* It is not recorded any further, for a reason; the program goes on. */
void sideband_give_up(struct sideband *sideband, struct client *client, const char *wrong);

/* Adds a descriptor to what sideband_descriptor() watches. Return: 0, or -1 with errno. */
int sideband_watch(struct sideband *sideband, int fd);

#endif /* CCSAMPLE_RECORD_SIDEBAND_INSIDE_H */
