/* SPDX-License-Identifier: GPL-2.0-only */
/* The program of a native recording: held before its exec until sessions wait for it. */
#ifndef CCSAMPLE_RECORD_DEVICE_CHILD_H
#define CCSAMPLE_RECORD_DEVICE_CHILD_H

#include <sys/types.h>

#include "record/device.h"
#include "record/sideband.h"
#include "record/signals.h"

struct device_child {
	char *path;			/* of the program */
	const char *name;		/* as the user calls it */
	pid_t pid;			/* 0 = none */
	int go;				/* a byte written here lets it exec */
	int report;			/* the errno of an exec that failed comes here */
};

/* Looks for the program, if one is to be started. Return: 0, or -1 after one line. */
int device_child_find(struct device_child *child, const struct device_request *request);

/* Return: 0 with the child waiting, or -1 after one line. */
int device_child_start(struct device_child *child, const struct record_request *record,
		       const struct sideband *sideband, const struct signals_before *signals);

/* Lets it exec. Return: 0, or -1 after one line if it could not. */
int device_child_go(struct device_child *child);

/* A child that still waits ends, unrun. */
void device_child_abandon(struct device_child *child);

void device_child_free(struct device_child *child);

#endif /* CCSAMPLE_RECORD_DEVICE_CHILD_H */
