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

/* One row of the table of models. */
struct ccsample_model {
	__u8 first, last;		/* CPUID model numbers */
	const char *name;
	const struct ccsample_named_event *events;
	unsigned int nr_events;
	__u32 least_period;		/* a shorter one is not safe */
	__u32 microcode;		/* PEBS works from this revision on; 0 = from the first */
	__u8 bursts;			/* periods of one event are trusted */
	const char *warning;		/* an erratum of all its events */
};

extern const struct ccsample_model ccsample_models[];
extern const unsigned int ccsample_models_nr;

/*
 * The cache level whose misses a raw code counts on a processor of this row of the table. 0 = of
 * none, as for all stores, which hit or miss.
 */
unsigned int ccsample_model_level(unsigned int row, __u64 config);

/* Return: the row of a processor in the table, ccsample_models_nr where there is none. */
unsigned int ccsample_model_row(unsigned int family, unsigned int model);

#endif /* CCSAMPLE_KMOD_MODELS_H */
