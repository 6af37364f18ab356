/* SPDX-License-Identifier: GPL-2.0-only */
/* What the processor offers: Debug Store, PEBS record format, counters. */
#ifndef CCSAMPLE_KMOD_CPU_H
#define CCSAMPLE_KMOD_CPU_H

#include <linux/types.h>

struct ccsample_cpu {
	unsigned int pebs_format;	/* PERF_CAPABILITIES[11:8] */
	unsigned int counters;		/* general-purpose, CPUID 0xa EAX[15:8] */
	bool baseline;			/* adaptive records, PERF_CAPABILITIES[14] */
};

/**
 * ccsample_cpu_probe() - read the features of the CPU that runs this.
 * @cpu: filled on success only
 *
 * Return: NULL, or why this processor cannot be sampled.
 */
const char *ccsample_cpu_probe(struct ccsample_cpu *cpu);

#endif /* CCSAMPLE_KMOD_CPU_H */
