/* SPDX-License-Identifier: GPL-2.0-only */
/* What the parts of `ccsample lab` share. */
#ifndef CCSAMPLE_CMD_LAB_H
#define CCSAMPLE_CMD_LAB_H

#include <stdbool.h>
#include <stdint.h>

struct lab_options {
	const char *root;		/* "" = this machine */
	char *state;			/* the file that keeps the former state */
	uint32_t cpu;
	uint64_t seconds;		/* of the jitter meter */
	uint64_t gap_ns;		/* from which on a gap counts */
	uint64_t period, burst;		/* of its sampling */
	bool json;
	char **words;			/* KNOB, KNOB=VALUE; word_count of them */
	int word_count;
};

/* Each: the exit status. */
int lab_tune(const struct lab_options *options);
int lab_reset(const struct lab_options *options);
int lab_jitter(const struct lab_options *options);

#endif /* CCSAMPLE_CMD_LAB_H */
