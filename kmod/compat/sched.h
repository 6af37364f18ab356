/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CCSAMPLE_KMOD_COMPAT_SCHED_H
#define CCSAMPLE_KMOD_COMPAT_SCHED_H

#include <linux/sched.h>

/* vCPU threads alone have preemption notifiers (virt/kvm/kvm_main.c). */
static inline bool runs_virtual_machine(const struct task_struct *task)
{
#ifdef CONFIG_PREEMPT_NOTIFIERS
	return !hlist_empty(&task->preempt_notifiers);
#else
	return false;
#endif
}

#endif /* CCSAMPLE_KMOD_COMPAT_SCHED_H */
