/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel module as a source: samples a program on the hardware, through a
 * session of /dev/ccsample on each CPU that it may use.
 *
 *	session.c	one session: file, mappings, ioctls
 *	marks.c		whose records are whose
 *	drain.c		slots to runs of samples
 *	spans.c		how many events they stand for
 *	fills.c		lines that misses of the other kind bring in
 *	merge.c		runs and the records of processes, in order
 *	plan.c		what is asked of the sessions
 *	sessions.c	all sessions, looked after
 *	pace.c		the period that adapts: the policy
 *	adapt.c		... and what it asks of the sessions
 *	cpu-time.c	what the program takes
 *	end.c		what was counted and lost
 *	device.c	the source
 */
#ifndef CCSAMPLE_DEVICE_DEVICE_H
#define CCSAMPLE_DEVICE_DEVICE_H

#include "ccsample.h"

/* Does the device open? Return: NULL, or why not, as words. */
const char *device_absent(void);

/* Would it open sessions for us, as far as rights go? Return: NULL, or why not, as words. */
const char *device_denied(void);

#endif /* CCSAMPLE_DEVICE_DEVICE_H */
