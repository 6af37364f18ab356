/* SPDX-License-Identifier: GPL-2.0-only */
/* Which processes a session samples: one, its threads and their descendants. */
#ifndef CCSAMPLE_KMOD_FILTER_H
#define CCSAMPLE_KMOD_FILTER_H

#include <linux/types.h>

struct ccsample_filter;
struct task_struct;

/**
 * ccsample_filter_new() - a filter on a process of the caller's pid namespace.
 * @pid: the process
 * @from_exec: it begins at the process's next exec; else now, its living descendants included
 * @lost: where children are counted that there was no memory for, on whichever CPU
 *
 * Return: the filter or an error pointer: -ESRCH no such process, or one that has
 * exited, -EPERM not for the caller to look into, -ENOMEM.
 */
struct ccsample_filter *ccsample_filter_new(int pid, bool from_exec, u64 *lost);
void ccsample_filter_free(struct ccsample_filter *f);

/* Is the task's process one of the filter's? From any context but NMI. */
bool ccsample_filter_has(const struct ccsample_filter *f, const struct task_struct *task);

/* The child of a member becomes one. */
void ccsample_filter_fork(struct task_struct *parent, struct task_struct *child);

/* So does a process whose exec was waited for; that takes no memory. */
void ccsample_filter_exec(struct task_struct *task);

/* A process is gone. */
void ccsample_filter_exit(struct task_struct *task);

#endif /* CCSAMPLE_KMOD_FILTER_H */
