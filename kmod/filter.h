/* SPDX-License-Identifier: GPL-2.0-only */
/* Which processes a session samples: one, its threads and their descendants. */
#ifndef CCSAMPLE_KMOD_FILTER_H
#define CCSAMPLE_KMOD_FILTER_H

#include <linux/list.h>
#include <linux/types.h>

struct ccsample_filter;
struct task_struct;

/* A session of a filter: those that follow the same process from the same time on have one. */
struct ccsample_filter_user {
	struct ccsample_filter *filter;	/* NULL = everybody */
	struct list_head list;
	u64 *lost;			/* where to count children that had no memory, on any CPU */
};

/**
 * ccsample_filter_get() - a filter on a process of the caller's pid namespace.
 * @pid: the process
 * @from_exec: it begins at the process's next exec; else now, its living descendants included
 * @user: with `lost`; gets `filter`
 *
 * Return: 0, -ESRCH no such process, or one that has exited, -EPERM not for the caller to look
 * into, -ENOMEM.
 */
int ccsample_filter_get(int pid, bool from_exec, struct ccsample_filter_user *user);

/* May sleep. Nothing looks at the session's filter any more. */
void ccsample_filter_put(struct ccsample_filter_user *user);

/* Is the task's process one of the filter's? From any context but NMI. */
bool ccsample_filter_has(const struct ccsample_filter *f, const struct task_struct *task);

/* The child of a member becomes one. */
void ccsample_filter_fork(struct task_struct *parent, struct task_struct *child);

/* So does a process whose exec was waited for; that takes no memory. */
void ccsample_filter_exec(struct task_struct *task);

/* A process is gone. */
void ccsample_filter_exit(struct task_struct *task);

#endif /* CCSAMPLE_KMOD_FILTER_H */
