/* SPDX-License-Identifier: GPL-2.0-only */
/* Runs a source from the program's start to its end. */
#ifndef CCSAMPLE_RECORD_RUN_H
#define CCSAMPLE_RECORD_RUN_H

#include "format/recording.h"
#include "record/source.h"

struct recorder;

/**
 * recorder_open() - find what a source needs, before a recording is created.
 * @request: outlives the recorder
 *
 * Return: NULL after one line on standard error.
 */
struct recorder *recorder_open(const struct source_ops *source, struct record_request *request);

/**
 * recorder_run() - record the program to its end, and its children to theirs; free the recorder.
 * @writer: NULL = records go to the request's listener alone
 *
 * While a program that we started runs, SIGINT, SIGQUIT and SIGHUP are left to it
 * (a terminal sends them to both), and SIGTERM is passed on. Once it has ended,
 * each of them ends the wait for children in the background; of a process that
 * ran already, each ends the recording. A recording that cannot be written does
 * not stop the program.
 *
 * Return: 0, or -1 after one line if nothing could be recorded.
 */
int recorder_run(struct recorder *recorder, struct recording_writer *writer,
		 struct record_result *result);

/* Free a recorder that was not run. */
void recorder_close(struct recorder *recorder);

#endif /* CCSAMPLE_RECORD_RUN_H */
