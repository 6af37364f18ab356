/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CCSAMPLE_KMOD_COMPAT_ARCHPEBS_H
#define CCSAMPLE_KMOD_COMPAT_ARCHPEBS_H

#include <asm/msr-index.h>

/* From 6.19 on perf drives architectural PEBS; before, it has no precise events there. */
#ifdef MSR_IA32_PEBS_BASE
#define PERF_DRIVES_ARCHITECTURAL_PEBS	1
#else
#define PERF_DRIVES_ARCHITECTURAL_PEBS	0
#define MSR_IA32_PEBS_BASE		0x3f4
#define MSR_IA32_PEBS_INDEX		0x3f5
#endif

#ifndef MSR_IA32_PMC_V6_GP0_CFG_C
#define MSR_IA32_PMC_V6_GP0_CFG_C	0x1903
#define MSR_IA32_PMC_V6_FX0_CFG_C	0x1983
#endif

#ifndef MSR_IA32_PMC_V6_GP0_CFG_A
#define MSR_IA32_PMC_V6_GP0_CFG_A	0x1901
#define MSR_IA32_PMC_V6_STEP		4
#endif

#endif /* CCSAMPLE_KMOD_COMPAT_ARCHPEBS_H */
