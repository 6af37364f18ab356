/* SPDX-License-Identifier: GPL-2.0-only */
/* What the processor offers, and what is known of its model. */
#ifndef CCSAMPLE_KMOD_CPU_H
#define CCSAMPLE_KMOD_CPU_H

#include <linux/types.h>

struct ccsample_model;

struct ccsample_cpu {
	unsigned int version;		/* of architectural perfmon, CPUID 0xa EAX[7:0] */
	unsigned int pebs_format;	/* PERF_CAPABILITIES[11:8] */
	unsigned int counters;		/* general-purpose, CPUID 0xa EAX[15:8] */
	unsigned int counter_bits;	/* CPUID 0xa EAX[23:16] */
	unsigned int carriers;		/* how many counters can carry a memory event */
	bool baseline;			/* adaptive records, PERF_CAPABILITIES[14] */
	u32 record_bytes;		/* of the records asked for */
	u32 tsc_at;			/* offset of the time stamp in them, 0 = none */
	u32 features;			/* enum ccsample_feature */
	u32 least_period;
	u32 period_bits;		/* of the longest gap that a counter can be set to */
	const struct ccsample_model *model;	/* NULL = unknown */
};

/**
 * ccsample_cpu_probe() - read the features of the CPU that runs this.
 * @cpu: filled on success only
 *
 * Return: NULL, or why this processor cannot be sampled.
 */
const char *ccsample_cpu_probe(struct ccsample_cpu *cpu);

/* The processor, as probed when the module was loaded. */
extern struct ccsample_cpu ccsample_cpu;

#endif /* CCSAMPLE_KMOD_CPU_H */
