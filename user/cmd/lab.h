/* SPDX-License-Identifier: GPL-2.0-only */
/* What the parts of `ccsample lab` share. */
#ifndef CCSAMPLE_CMD_LAB_H
#define CCSAMPLE_CMD_LAB_H

#include <stdbool.h>
#include <stdint.h>

#include "host/lab.h"

struct lab_options {
	struct lab_request lab;
	bool cpu_given;
	double seconds;			/* of the jitter meter */
	uint64_t gap_ns;		/* the least gap that counts */
	uint64_t period, burst;		/* of its sampling */
	bool json;
};

/* Return: the exit status. */
int lab_jitter(const struct lab_options *options);

#endif /* CCSAMPLE_CMD_LAB_H */
