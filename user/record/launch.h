/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds what the engine needs, and starts a program in it. */
#ifndef CCSAMPLE_RECORD_LAUNCH_H
#define CCSAMPLE_RECORD_LAUNCH_H

#include <sys/types.h>

#include "record/request.h"
#include "record/signals.h"

struct launch {
	char *engine_dir;		/* VALGRIND_LIB */
	char *valgrind;
	char *program;			/* where it was found */
};

/**
 * launch_find() - look for the engine, for Valgrind, and whether the program can run at all.
 *
 * Return: 0, or -1 after one line.
 */
int launch_find(struct launch *launch, const char *program);

/**
 * launch_start() - start the program.
 * @socket: abstract name where the recorder listens
 * @signals: the program's
 *
 * Return: its process, or -1 after one line.
 */
pid_t launch_start(const struct launch *launch, const struct record_request *request,
		   const char *socket, const struct signals_before *signals);

void launch_free(struct launch *launch);

#endif /* CCSAMPLE_RECORD_LAUNCH_H */
