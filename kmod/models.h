/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is known of processors: data only, for the module and for `ccsample
 * doctor`. No code asks for a model number.
 */
#ifndef CCSAMPLE_KMOD_MODELS_H
#define CCSAMPLE_KMOD_MODELS_H

#include <linux/types.h>

#define CCSAMPLE_MODEL_FAMILY	6	/* of all models below */

/*
 * A named event: a raw code as perf's, the cache level whose load misses it counts, and the code
 * of what seeks lines there. One of stores counts hits too; its records tell
 * (CCSAMPLE_EVENT_STORES).
 */
struct ccsample_named_event {
	const char *name;
	__u32 config;
	__u32 level;
	__u32 references;		/* 0 = none */
	const char *warning;		/* an erratum of it, "" = none */
	__u8 stores;
};

/* A hybrid's kinds of cores: CPUID 0x1a EAX[31:24] (SDM volume 2, CPUID, leaf 1AH). */
enum ccsample_core {
	CCSAMPLE_CORE_ALIKE,		/* the processor is no hybrid */
	CCSAMPLE_CORE_ATOM = 0x20,	/* E-core */
	CCSAMPLE_CORE_CORE = 0x40,	/* P-core */
};

/* The kernel's perf device of such cores (arch/x86/events/intel/core.c), NULL = not of its own. */
const char *ccsample_core_device(enum ccsample_core core);

/* One row of the table of models. */
struct ccsample_model {
	__u8 first, last;		/* CPUID model numbers */
	__u8 core;			/* of a hybrid: enum ccsample_core, 0 = of any */
	__u8 counters;			/* general-purpose; 0 = as CPUID 0xa has it */
	const char *name;
	const struct ccsample_named_event *events;
	unsigned int nr_events;
	__u32 least_period;		/* a shorter one is not safe */
	__u32 microcode;		/* PEBS works from this revision on; 0 = from the first */
	__u8 bursts;			/* periods of one event are trusted */
	__u8 split_latency;		/* CCSAMPLE_SPLIT_LATENCY, which no format says */
	const char *warning;		/* an erratum of all its events */
};

extern const struct ccsample_model ccsample_models[];
extern const unsigned int ccsample_models_nr;

/*
 * The cache level whose misses a raw code counts on a processor of this row of the table. 0 = of
 * none, as for all stores, which hit or miss.
 */
unsigned int ccsample_model_level(unsigned int row, __u64 config);

/* Return: why no event of this raw code is sampled, and what to do; NULL = one may be. */
const char *ccsample_model_unfit(__u64 config);

/*
 * Return: the row of a processor's cores of one kind, ccsample_models_nr where there is none; of a
 * hybrid's with its kind CCSAMPLE_CORE_ALIKE (the others are switched off, or it is not known) the
 * P-cores'.
 */
unsigned int ccsample_model_row(unsigned int family, unsigned int model, enum ccsample_core core);

#endif /* CCSAMPLE_KMOD_MODELS_H */
