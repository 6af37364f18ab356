/* SPDX-License-Identifier: GPL-2.0-only */
/* What the processor's cores offer, and what is known of their model; a hybrid has two kinds. */
#ifndef CCSAMPLE_KMOD_CPU_H
#define CCSAMPLE_KMOD_CPU_H

#include <linux/types.h>

struct ccsample_model;

#define CCSAMPLE_FORMAT_ARCHITECTURAL	7	/* no number of the processor's, which says 15 */

/* One kind of core. */
struct ccsample_cpu {
	unsigned int core;		/* enum ccsample_core */
	unsigned int pebs_format;	/* PERF_CAPABILITIES[11:8], CCSAMPLE_FORMAT_ARCHITECTURAL */
	unsigned int counters;		/* general-purpose, CPUID 0xa EAX[15:8] */
	unsigned int fixed;		/* CPUID 0xa EDX[4:0] */
	unsigned int counter_bits;	/* CPUID 0xa EAX[23:16] */
	unsigned int carriers;		/* how many counters can carry a memory event */
	bool baseline;			/* adaptive records, PERF_CAPABILITIES[14] */
	u32 record_bytes;		/* of the records asked for */
	u32 tsc_at;			/* offset of the time stamp in them, 0 = none */
	u32 features;			/* enum ccsample_feature */
	u32 least_period;
	u32 least_burst;		/* records that a slot takes at least */
	u32 period_bits;		/* of the longest gap that a counter can be set to */
	const struct ccsample_model *model;	/* NULL = unknown */
};

/**
 * ccsample_cpu_init() - read the features of each kind of core that is online.
 *
 * Return: NULL, or why this processor cannot be sampled.
 */
const char *ccsample_cpu_init(void);

/* A CPU comes online, and runs this: its kind may be one that was not there before. */
void ccsample_cpu_online(void);

/* Return: a CPU's kind; NULL = of a hybrid, one that was never online, or cannot be sampled. */
const struct ccsample_cpu *ccsample_cpu_of(int cpu);

#endif /* CCSAMPLE_KMOD_CPU_H */
