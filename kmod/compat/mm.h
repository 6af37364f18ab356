/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CCSAMPLE_KMOD_COMPAT_MM_H
#define CCSAMPLE_KMOD_COMPAT_MM_H

#include <linux/mm.h>
#include <linux/version.h>

/* 6.3 took vm_flags away from direct writes. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 3, 0)
static inline void vm_flags_mod(struct vm_area_struct *vma, unsigned long set, unsigned long clear)
{
	vma->vm_flags = (vma->vm_flags | set) & ~clear;
}
#endif

#endif /* CCSAMPLE_KMOD_COMPAT_MM_H */
