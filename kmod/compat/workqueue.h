/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CCSAMPLE_KMOD_COMPAT_WORKQUEUE_H
#define CCSAMPLE_KMOD_COMPAT_WORKQUEUE_H

#include <linux/version.h>
#include <linux/workqueue.h>

/* 6.17 renamed it; later kernels complain in their log of who uses the old name. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 17, 0)
#define system_dfl_wq	system_unbound_wq
#endif

#endif /* CCSAMPLE_KMOD_COMPAT_WORKQUEUE_H */
