/* SPDX-License-Identifier: GPL-2.0-only */
/* The options of `record` that only the hardware's source knows. */
#ifndef CCSAMPLE_CMD_RECORD_DEVICE_H
#define CCSAMPLE_CMD_RECORD_DEVICE_H

#include "record/request.h"

/* As text, NULL = not given. */
struct record_device {
	const char *cpus;		/* -C */
	const char *memory;		/* --memory, MiB a CPU */
	const char *poll;		/* --poll */
	bool kernel;			/* --kernel */
};

/* The first of them that was given, as it is spelt; NULL = none was. */
const char *record_device_given(const struct record_device *options);

/**
 * record_device_parse() - fill a request by them.
 *
 * Return: 0, or -1 after one line on standard error.
 */
int record_device_parse(const struct record_device *options, struct device_request *request);

#endif /* CCSAMPLE_CMD_RECORD_DEVICE_H */
