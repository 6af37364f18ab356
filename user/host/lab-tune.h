/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CCSAMPLE_HOST_LAB_TUNE_H
#define CCSAMPLE_HOST_LAB_TUNE_H

#include <stdint.h>

#include "host/lab.h"

struct lab_request {
	const char *root;		/* "" = this machine */
	const char *state;		/* the file that keeps the former state */
	uint32_t cpu;
	char **words;			/* KNOB, KNOB=VALUE; word_count of them */
	int word_count;
};

/*
 * Sets the knobs, and restores the former state. Both print what they change.
 *
 * Return: the exit status: 0, 1 after one line, 2 after one line about the words.
 */
int lab_tune(const struct lab_request *request);
int lab_reset(const struct lab_request *request);

#endif /* CCSAMPLE_HOST_LAB_TUNE_H */
