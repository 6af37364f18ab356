/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The reference engine as a source: runs a program in it and writes what the
 * program's process images send over a socket.
 */
#ifndef CCSAMPLE_RECORD_ENGINE_H
#define CCSAMPLE_RECORD_ENGINE_H

#include "format/recording.h"
#include "record/request.h"

struct engine;

/**
 * engine_open() - find the engine, Valgrind and the program; start nothing yet.
 *
 * Return: NULL after one line on standard error that says what is missing.
 */
struct engine *engine_open(const struct record_request *request);

/**
 * engine_run() - run the program to its end, and its children to theirs.
 *
 * While the program runs, SIGINT, SIGQUIT and SIGHUP are left to it (a terminal
 * sends them to both), and SIGTERM is passed on. Once it has ended, each of
 * them ends the wait for children in the background. A recording that cannot be
 * written does not stop the program.
 *
 * Return: 0, or -1 after one line if the program could not be started.
 */
int engine_run(struct engine *engine, struct recording_writer *writer,
	       struct record_result *result);

void engine_close(struct engine *engine);

#endif /* CCSAMPLE_RECORD_ENGINE_H */
