/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Why a processor cannot be sampled: one list, for the module, which says it in
 * the kernel log, and for `ccsample doctor`, which says it without the module.
 */
#ifndef CCSAMPLE_KMOD_REFUSALS_H
#define CCSAMPLE_KMOD_REFUSALS_H

#include <linux/types.h>

enum ccsample_refusal {
	CCSAMPLE_FIT,
	CCSAMPLE_NOT_INTEL,
	CCSAMPLE_HYBRID,
	CCSAMPLE_ARCHITECTURAL,
	CCSAMPLE_NO_DS,
	CCSAMPLE_NO_DTES64,
	CCSAMPLE_NO_PDCM,
	CCSAMPLE_SWITCHED_OFF,
	CCSAMPLE_UNREADABLE,
	CCSAMPLE_FORMAT_0,
	CCSAMPLE_FORMAT_NEWER,
	CCSAMPLE_NO_BASELINE,
	CCSAMPLE_OLD_MICROCODE,
	CCSAMPLE_REALTIME,
	CCSAMPLE_REFUSALS_NR
};

static const char *const ccsample_refusals[CCSAMPLE_REFUSALS_NR] = {
	[CCSAMPLE_NOT_INTEL] = "it is not an Intel one, and PEBS is",
	[CCSAMPLE_HYBRID] = "it is a hybrid (cores of several kinds), and none that is known",
	[CCSAMPLE_ARCHITECTURAL] =
		"its PEBS is the architectural one, which this kernel's perf lacks (6.19 has it)",
	[CCSAMPLE_NO_DS] = "it has no Debug Store (CPUID flag ds; most virtual machines hide it)",
	[CCSAMPLE_NO_DTES64] = "its Debug Store is not a 64-bit one (CPUID flag dtes64)",
	[CCSAMPLE_NO_PDCM] = "it does not report its PEBS format (CPUID flag pdcm)",
	[CCSAMPLE_SWITCHED_OFF] = "PEBS is unavailable (MISC_ENABLE bit 12)",
	[CCSAMPLE_UNREADABLE] = "its PERF_CAPABILITIES cannot be read",
	[CCSAMPLE_FORMAT_0] = "its PEBS records (format 0) hold no data address",
	[CCSAMPLE_FORMAT_NEWER] = "its PEBS format is newer than this module",
	[CCSAMPLE_NO_BASELINE] =
		"its PEBS records cannot be asked for a data address (no PEBS baseline)",
	[CCSAMPLE_OLD_MICROCODE] = "its microcode is too old for PEBS",
	[CCSAMPLE_REALTIME] = "this kernel has PREEMPT_RT",
};

/* IA32_PERF_CAPABILITIES, SDM volume 4, table 2-2. */
#define CCSAMPLE_CAPABILITIES_FORMAT(msr)	((unsigned int)((msr) >> 8 & 0xf))
#define CCSAMPLE_CAPABILITIES_FULL_WIDTH	(1ULL << 13)	/* writes of counters */
#define CCSAMPLE_CAPABILITIES_BASELINE		(1ULL << 14)

#define CCSAMPLE_FORMAT_OLDEST		1	/* the first with a data address (Nehalem) */
#define CCSAMPLE_FORMAT_STATUS		3	/* from here records hold their counter */
#define CCSAMPLE_FORMAT_ADAPTIVE	4	/* records made of groups (Ice Lake) */
#define CCSAMPLE_FORMAT_VALUES		6	/* records may hold counters (Lion Cove) */
#define CCSAMPLE_FORMAT_NEWEST		6

/* Features without which there is no PEBS; each 0 or 1. */
struct ccsample_features {
	__u8 intel;
	__u8 hybrid;			/* and not in the table of models */
	__u8 architectural;		/* PEBS without a Debug Store */
	__u8 driven;			/* ... and the kernel's perf knows it */
	__u8 ds;
	__u8 dtes64;
	__u8 pdcm;
	__u8 switched_off;
};

static inline enum ccsample_refusal ccsample_judge_features(const struct ccsample_features *has)
{
	if (!has->intel)
		return CCSAMPLE_NOT_INTEL;
	if (has->hybrid)
		return CCSAMPLE_HYBRID;
	if (has->architectural && !has->driven)
		return CCSAMPLE_ARCHITECTURAL;
	if (!has->ds && !has->architectural)
		return CCSAMPLE_NO_DS;
	if (!has->dtes64 && !has->architectural)
		return CCSAMPLE_NO_DTES64;
	if (!has->pdcm)
		return CCSAMPLE_NO_PDCM;
	return has->switched_off ? CCSAMPLE_SWITCHED_OFF : CCSAMPLE_FIT;
}

/* @capabilities: IA32_PERF_CAPABILITIES */
static inline enum ccsample_refusal ccsample_judge_format(const struct ccsample_features *has,
							  __u64 capabilities)
{
	unsigned int format = CCSAMPLE_CAPABILITIES_FORMAT(capabilities);

	if (has->architectural)
		return CCSAMPLE_FIT;
	if (format < CCSAMPLE_FORMAT_OLDEST)
		return CCSAMPLE_FORMAT_0;
	if (format > CCSAMPLE_FORMAT_NEWEST)
		return CCSAMPLE_FORMAT_NEWER;
	if (format >= CCSAMPLE_FORMAT_ADAPTIVE && !(capabilities & CCSAMPLE_CAPABILITIES_BASELINE))
		return CCSAMPLE_NO_BASELINE;
	return CCSAMPLE_FIT;
}

#endif /* CCSAMPLE_KMOD_REFUSALS_H */
