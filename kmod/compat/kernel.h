/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CCSAMPLE_KMOD_COMPAT_KERNEL_H
#define CCSAMPLE_KMOD_COMPAT_KERNEL_H

#include <linux/version.h>

/* sched_switch's probes have the task's state since 5.18, families resv_start_op since 6.1. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 1, 0)
#error "ccsample.ko needs Linux 6.1 or later"
#endif

#endif /* CCSAMPLE_KMOD_COMPAT_KERNEL_H */
