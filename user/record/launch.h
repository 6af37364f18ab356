/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds what the engine needs, and how it is called. */
#ifndef CCSAMPLE_RECORD_LAUNCH_H
#define CCSAMPLE_RECORD_LAUNCH_H

#include "record/request.h"

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
 * launch_arguments() - how Valgrind is called.
 * @socket: the path where the recorder listens
 *
 * Return: ended by NULL, for launch_free_arguments().
 */
char **launch_arguments(const struct launch *launch, const struct record_request *request,
			const char *socket);
void launch_free_arguments(char **arguments);

void launch_free(struct launch *launch);

#endif /* CCSAMPLE_RECORD_LAUNCH_H */
