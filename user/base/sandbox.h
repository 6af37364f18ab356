/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a process that reads hostile files may no longer do, by Landlock and a filter of system
 * calls where the kernel has them. It may read; it may not write but to what is open already, nor
 * run programs, use the network, signal or trace other processes, or change modes of files.
 */
#ifndef CCSAMPLE_BASE_SANDBOX_H
#define CCSAMPLE_BASE_SANDBOX_H

#include <stdbool.h>

/* What is allowed nevertheless. */
struct sandbox {
	const char *directory;		/* files may be made in it; NULL = nowhere */
	const char *program;		/* may be run, in the same sandbox; NULL = none */
	bool serves;			/* takes connections of an open socket; opens no file */
};

/* Enters it, for good. Where the kernel lacks a part, or a container forbids it, it is left out. */
void sandbox_enter(const struct sandbox *sandbox);

/* The version of Landlock that is there: files from 1 on, TCP from 4 on; 0 = none. */
int sandbox_landlock(void);

/* Are system calls filtered? */
bool sandbox_filters(void);

#endif /* CCSAMPLE_BASE_SANDBOX_H */
