/* SPDX-License-Identifier: GPL-2.0-only */
/* Runs a source from the program's start to its end. */
#ifndef CCSAMPLE_RECORD_RUN_H
#define CCSAMPLE_RECORD_RUN_H

#include "format/recording.h"
#include "record/source.h"

struct recorder;

/**
 * recorder_open() - find what a source needs, and only then create the recording.
 * @request: outlives the recorder
 * @output: the recording; NULL = none, records go to the request's listener alone
 * @writer: set to that of the recording, NULL = none; to be finished or discarded by the caller
 *
 * Return: NULL after one line on standard error.
 */
struct recorder *recorder_open(const struct source_ops *source, struct record_request *request,
			       const char *output, struct recording_writer **writer);

/**
 * recorder_run() - record the program to its end, and its children to theirs; free the recorder.
 *
 * While a program that we started runs, SIGINT, SIGQUIT and SIGHUP are left to it
 * (a terminal sends them to both), and SIGTERM is passed on. Once it has ended,
 * each of them ends the wait for children in the background; of a process that
 * ran already, each ends the recording. A recording that cannot be written does
 * not stop the program.
 *
 * Return: 0, or -1 after one line if nothing could be recorded.
 */
int recorder_run(struct recorder *recorder, struct record_result *result);

#endif /* CCSAMPLE_RECORD_RUN_H */
