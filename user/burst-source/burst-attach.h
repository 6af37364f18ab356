/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The library of bursts in a process that runs already (tracee/bursts/attach.c): put there, its
 * threads armed, those that begin later too; and taken away without a trace. The process is stopped
 * for moments only, and not traced between them.
 */
#ifndef CCSAMPLE_BURST_SOURCE_BURST_ATTACH_H
#define CCSAMPLE_BURST_SOURCE_BURST_ATTACH_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "bursts/log.h"

struct burst_attach;

/* What is known of a thread when it is armed: its CPU time. */
typedef void burst_attach_thread_fn(void *context, pid_t tid, uint64_t cpu_ns);

/* Return: NULL after one line: it cannot be attached to. Nothing was done to it. */
struct burst_attach *burst_attach_open(pid_t pid);

/**
 * burst_attach_start() - make the log, in memory of the process, and begin.
 * @each: called for each thread, now and in burst_attach_look()
 *
 * Return: 0, or -1 after one line: the process is as it was.
 */
int burst_attach_start(struct burst_attach *attach, struct burst_log *log,
		       const struct burst_log_options *options, burst_attach_thread_fn *each,
		       void *context);

/*
 * Arms threads that have begun since; where it could not begin, threads that were stopped late for
 * that go on. @now: ns; most calls do nothing.
 */
void burst_attach_look(struct burst_attach *attach, uint64_t now);

/* It has ended, or become another program. */
bool burst_attach_gone(const struct burst_attach *attach);

/* CPU time of the whole process since the start, ns. */
uint64_t burst_attach_spent(const struct burst_attach *attach);

/* The process is as it was, or one line says what is left in it. */
void burst_attach_leave(struct burst_attach *attach);

void burst_attach_close(struct burst_attach *attach);

#endif /* CCSAMPLE_BURST_SOURCE_BURST_ATTACH_H */
