/* SPDX-License-Identifier: GPL-2.0-only */
/* A program that begins with the library of bursts. */
#ifndef CCSAMPLE_RECORD_BURST_PROGRAM_H
#define CCSAMPLE_RECORD_BURST_PROGRAM_H

#include "record/sideband.h"

struct burst_program {
	char *path, *library;
};

/* Return: 0, or -1 after one line: it is not there, or takes no library. */
int burst_program_find(struct burst_program *program, const char *name);
void burst_program_free(struct burst_program *program);

/* In the child, before exec. @area: path of the shared memory */
void burst_program_environment(const struct burst_program *program,
			       const struct sideband *sideband, const char *area);

#endif /* CCSAMPLE_RECORD_BURST_PROGRAM_H */
