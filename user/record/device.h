/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel module as a source: samples a program on the hardware, through a
 * session of /dev/ccsample on each CPU that it may use.
 *
 *	device-session.c	one session: file, mappings, ioctls
 *	device-marks.c		whose records are whose
 *	device-drain.c		slots to runs of samples
 *	device-spans.c		how many events they stand for
 *	processes.c		which image a process was
 *	device-merge.c		runs and what processes tell, in order
 *	device-plan.c		what is asked of the sessions
 *	device-child.c		the program
 *	device-sessions.c	all sessions, looked after
 *	device-end.c		what was counted and lost
 *	device.c		the loop around them
 */
#ifndef CCSAMPLE_RECORD_DEVICE_H
#define CCSAMPLE_RECORD_DEVICE_H

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "ccsample.h"
#include "format/recording.h"
#include "record/request.h"

#define DEVICE_POLL_BUSY	0

struct device_request {
	struct record_request *record;	/* events are completed by device_open() */
	const char *cpus;		/* "0,2-3"; NULL = all that the program may use */
	pid_t pid;			/* a running process; 0 = record->argv is started */
	uint64_t memory;		/* bytes of records a CPU, 0 = the module's default */
	uint32_t poll_ms;		/* between two looks at the sessions, DEVICE_POLL_BUSY = none */
	bool kernel;			/* events in the kernel too */
};

struct device;

/* Can sessions be opened on this machine? Return: NULL, or why not, as words. */
const char *device_absent(void);

/**
 * device_open() - look what the processor offers, and settle the events on it.
 *
 * What cannot be done as asked, and goes on otherwise, is told in a warning.
 *
 * Return: NULL after one line on standard error.
 */
struct device *device_open(const struct device_request *request);

/**
 * device_run() - start the program, or attach to it, and record it to its end.
 *
 * Signals are treated as by engine_run(); a process that was attached to is left
 * alone, and SIGINT ends its recording. A session that ends before the program
 * is told in one line, and the recording goes on with the others.
 *
 * Return: 0, or -1 after one line if nothing could be recorded.
 */
int device_run(struct device *device, struct recording_writer *writer,
	       struct record_result *result);

void device_close(struct device *device);

#endif /* CCSAMPLE_RECORD_DEVICE_H */
