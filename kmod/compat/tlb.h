/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CCSAMPLE_KMOD_COMPAT_TLB_H
#define CCSAMPLE_KMOD_COMPAT_TLB_H

#include <linux/irqflags.h>
#include <asm/cpufeature.h>
#include <asm/invpcid.h>
#include <asm/processor-flags.h>

/*
 * This CPU's TLB, global pages and all address spaces: what __flush_tlb_all() does, which current
 * kernels export to KVM alone. SDM volume 3, "Operations that Invalidate TLBs and Paging-Structure
 * Caches": INVPCID of type 2, or a change of CR4.PGE.
 */
static inline void ccsample_flush_tlb_all(void)
{
	unsigned long flags, cr4;

	if (boot_cpu_has(X86_FEATURE_INVPCID)) {
		invpcid_flush_all();
		return;
	}
	local_irq_save(flags);
	asm volatile("mov %%cr4, %0" : "=r" (cr4));
	asm volatile("mov %0, %%cr4" : : "r" (cr4 ^ X86_CR4_PGE) : "memory");
	asm volatile("mov %0, %%cr4" : : "r" (cr4) : "memory");
	local_irq_restore(flags);
}

#endif /* CCSAMPLE_KMOD_COMPAT_TLB_H */
