/* SPDX-License-Identifier: GPL-2.0-only */
/* The DS management area and the registers around it. */
#ifndef CCSAMPLE_KMOD_DS_H
#define CCSAMPLE_KMOD_DS_H

#include <linux/types.h>
#include <asm/msr.h>
#include <asm/perf_event.h>

#define CCSAMPLE_RESETS		48
#define CCSAMPLE_BRANCH		24	/* bytes of a record of branch trace store (BTS) */
#define CCSAMPLE_BRANCHES	150

/* SDM volume 3, figure 18-12 ("64-bit DS area"); and what else is in the page. */
struct ccsample_ds {
	u64 bts_base, bts_index, bts_maximum, bts_threshold;
	u64 base, index, maximum, threshold;
	u64 reset[CCSAMPLE_RESETS];	/* what a counter restarts from; general-purpose first */
	u8 branches[CCSAMPLE_BRANCHES * CCSAMPLE_BRANCH];	/* of nobody's */
};

/*
 * The plain instructions: the NMI side must not be traced, and needs no
 * paravirtualised register (no hypervisor that takes them over has a DS area).
 */
static __always_inline u64 ccsample_rdmsr(u32 msr)
{
	return __rdmsr(msr);
}

static __always_inline void ccsample_wrmsr(u32 msr, u64 value)
{
	native_wrmsr(msr, (u32)value, (u32)(value >> 32));
}

/*
 * "PEBS behavior is unpredictable if IA32_PERFEVTSELx or IA32_PMCx is changed for a PEBS-enabled
 * counter while an event is being counted" (SDM volume 3, "Processor Event Based Sampling (PEBS)
 * Facility"): all counters stand meanwhile, on the CPU that runs this. An NMI may let them go on,
 * as perf's handler does; in the kernel those of user events count nothing all the same.
 *
 * Return: for ccsample_count_on(); 0 where they stood already.
 */
static __always_inline u64 ccsample_count_off(void)
{
	u64 counting = ccsample_rdmsr(MSR_CORE_PERF_GLOBAL_CTRL);

	ccsample_wrmsr(MSR_CORE_PERF_GLOBAL_CTRL, 0);
	return counting;
}

static __always_inline void ccsample_count_on(u64 counting)
{
	if (counting)
		ccsample_wrmsr(MSR_CORE_PERF_GLOBAL_CTRL, counting);
}

/* The high half of a product; for __int128 gcc would align the kernel's stack first. */
static __always_inline u64 ccsample_mul_high(u64 a, u64 b)
{
	u64 high;

	asm("mulq %2" : "=d" (high), "+a" (a) : "rm" (b) : "cc");
	return high;
}

static __always_inline u64 ccsample_rdpmc(unsigned int counter)
{
	u64 low, high;

	asm volatile("rdpmc" : "=a" (low), "=d" (high) : "c" (counter));
	return low | high << 32;
}

#endif /* CCSAMPLE_KMOD_DS_H */
