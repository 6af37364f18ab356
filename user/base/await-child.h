/* SPDX-License-Identifier: GPL-2.0-only */
/* The end of a child, and what it took. */
#ifndef CCSAMPLE_BASE_AWAIT_CHILD_H
#define CCSAMPLE_BASE_AWAIT_CHILD_H

#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

/**
 * await_child() - wait until it ends.
 * @name: for messages
 * @status: as waitpid()
 * @usage: NULL = not asked for
 *
 * Return: 0, or -1 after one line.
 */
int await_child(pid_t pid, const char *name, int *status, struct rusage *usage);

uint64_t timeval_ns(const struct timeval *time);

/* CPU time in ns, of user mode and of the kernel. */
uint64_t usage_ns(const struct rusage *usage);

#endif /* CCSAMPLE_BASE_AWAIT_CHILD_H */
