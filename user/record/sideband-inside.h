/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by sideband.c, which takes records, and sideband-connect.c, which takes connections. */
#ifndef CCSAMPLE_RECORD_SIDEBAND_INSIDE_H
#define CCSAMPLE_RECORD_SIDEBAND_INSIDE_H

#include "base/timeline.h"
#include "record/held-ends.h"
#include "record/listener.h"
#include "record/ring-reader.h"
#include "record/sideband.h"

/* A connection: an image, from its first message until its ring is empty and has no writer. */
struct client {
	int fd;				/* -1 = has hung up */
	int pidfd;			/* -1 = the process has ended, or cannot be watched */
	pid_t pid;
	uint32_t image;			/* 0 until its first record is written */
	struct ring_reader *ring;
	struct held_ends held;		/* before what is in the ring */
	uint64_t time;			/* of its last record */
	uint64_t limit;			/* of what is taken now */
	uint64_t exec_time;		/* when it called exec, 0 = it has not */
	uint64_t end;			/* when it called exec, or was seen gone; 0 = neither */
	uint64_t since;			/* when the image before it did */
	uid_t user;			/* whose it is since then */
	bool fresh;			/* its ring has come, its limit is not set */
	bool leaving;			/* waits for sideband_release() */
	bool ended;			/* the process, or this image of it */
	bool execs;			/* it called exec; the next image has not come yet */
	bool exited;			/* EXIT was written */
};

struct sideband {
	struct images *images;
	char *library;
	uint32_t least_block;
	bool leaving;			/* images wait at their exit */
	struct listener listener;
	int epoll;
	struct client **clients;
	size_t count, room;
	uint32_t unseen;		/* execs after which no image came */
	uint32_t orphans;		/* children that could not report */
	uint64_t unopened;		/* rings that no file could be opened for */
	struct timeline reports;	/* when the library in which image wrote its first record */
};

/* It is not recorded any further, for a reason; the program goes on. */
void sideband_give_up(struct sideband *sideband, struct client *client, const char *wrong);

/* Adds a descriptor to what sideband_descriptor() watches. Return: 0, or -1 with errno. */
int sideband_watch(struct sideband *sideband, int fd);

#endif /* CCSAMPLE_RECORD_SIDEBAND_INSIDE_H */
