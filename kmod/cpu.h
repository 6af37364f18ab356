/* SPDX-License-Identifier: GPL-2.0-only */
/* What the processor offers, and what is known of its model. */
#ifndef CCSAMPLE_KMOD_CPU_H
#define CCSAMPLE_KMOD_CPU_H

#include <linux/types.h>

/* A named event: a raw code as perf's, and the cache level whose load misses it counts. */
struct ccsample_named_event {
	const char *name;
	u32 config;
	u32 level;
};

/* One row of the table of models: data, no code asks for a model number. */
struct ccsample_model {
	u8 first, last;			/* CPUID model numbers of family 6 */
	const char *name;
	const struct ccsample_named_event *events;
	unsigned int nr_events;
	u32 least_period;		/* a shorter one is not safe */
	u32 microcode;			/* PEBS works from this revision on; 0 = from the first */
	bool bursts;			/* periods of one event are trusted */
	const char *warning;		/* an erratum worth knowing */
};

struct ccsample_cpu {
	unsigned int pebs_format;	/* PERF_CAPABILITIES[11:8] */
	unsigned int counters;		/* general-purpose, CPUID 0xa EAX[15:8] */
	unsigned int counter_bits;	/* CPUID 0xa EAX[23:16] */
	unsigned int carriers;		/* how many counters can carry a memory event */
	bool baseline;			/* adaptive records, PERF_CAPABILITIES[14] */
	u32 record_bytes;		/* of the records asked for */
	u32 tsc_at;			/* offset of the time stamp in them, 0 = none */
	u32 features;			/* enum ccsample_feature */
	u32 least_period;
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
