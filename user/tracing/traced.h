/* SPDX-License-Identifier: GPL-2.0-only */
/* What caches make of a recorded trace: by instruction, loop and data object. */
#ifndef CCSAMPLE_TRACING_TRACED_H
#define CCSAMPLE_TRACING_TRACED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "findings/findings.h"
#include "cachesim/hierarchy.h"
#include "space/space.h"
#include "program/symbols.h"
#include "warp/caches.h"

#define TRACED_PLANS	16
#define TRACED_CHANGES	16
#define TRACED_THREADS	4096

/* A loop of the trace whose number of iterations is changed. */
struct traced_scale {
	uint32_t loop;			/* its number in struct traced */
	uint64_t count;
};

/* An object with another layout: rows longer by so many bytes. */
struct traced_pad {
	const char *object;
	uint64_t bytes;
	uint64_t row;			/* bytes of a row, 0 = by its strides */
};

struct traced_options {
	struct hierarchy_plan plans[TRACED_PLANS];
	size_t plan_count;
	struct traced_scale scales[TRACED_CHANGES];
	size_t scale_count;
	struct traced_pad pads[TRACED_CHANGES];
	size_t pad_count;
	struct page_plan pages;		/* of L2 and L3; not PAGES_REAL */
	uint64_t limit;			/* references simulated at most, by all plans; 0 = any */
	bool (*interrupted)(void);	/* asked now and then; NULL = never */
	bool compositional;		/* estimate (warp/estimate.h), do not analyse */
	bool plain;			/* warp nothing */
	FILE *dump;			/* the trace as text goes there, and nothing is analysed */
};

/* An instruction that refers to memory. */
struct traced_site {
	uint64_t ip;
	uint64_t stack;			/* of its callers (prsd/callers.h), 0 = not known */
	struct code_region region;
	size_t context;			/* number in struct contexts */
};

struct traced_code {
	struct code_region region;	/* id: its number + 1 */
	uint64_t self;			/* references outside of the loops in it */
	uint64_t references;		/* inner loops included */
	struct trace_counts counts;	/* the same */
};

/* A loop that the trace shows, which need not be one of the code: all its executions. */
struct traced_loop {
	uint32_t number;		/* its place here, once all were read */
	uint32_t parent;		/* number, 0 = none */
	uint32_t depth;			/* 1 = outermost */
	uint32_t first, last;		/* sites: its lowest and highest instruction */
	uint64_t most;			/* iterations of its longest execution */
	uint64_t references;		/* within, inner loops included */
	struct trace_counts counts;	/* the same */
};

/* A site in a loop on an object. */
struct traced_row {
	uint32_t site;
	uint32_t loop;			/* innermost; 0 = in none that the trace shows */
	uint32_t code;			/* number + 1 */
	const struct object *object;
	uint64_t references;
	struct trace_counts counts;
};

struct traced_total {
	struct trace_counts counts;
	uint64_t references;
	uint64_t simulated;		/* not skipped by warping; 0 where all is estimated */
	double cycles;			/* memory latency: estimate_cycles() */
};

struct contexts;

struct traced {
	struct hierarchy_plan plans[TRACED_PLANS];
	size_t plan_count;
	struct traced_total totals[TRACED_PLANS];
	struct traced_site *sites;
	size_t site_count, site_capacity;
	struct traced_loop *loops;	/* [0] stands for no loop */
	size_t loop_count, loop_capacity;
	struct traced_row *rows;
	size_t row_count, row_capacity;
	struct traced_code *code;
	size_t code_count;
	struct contexts *contexts;
	uint64_t nodes, threads;
	uint64_t repeated;		/* references in loops that were padded one by one */
	bool whole;			/* the file was read to its end mark */
	uint64_t lost;			/* processes whose trace lacks its end */
	const char *error;		/* why the analysis stopped early; NULL */
	char *function;			/* whose references were traced alone; NULL = all */
	struct symbols *symbols;	/* what names lead into */
	struct spaces *spaces;
};

/**
 * traced_run() - analyse traces.
 * @paths, @count: one, or those of several ranks
 *
 * The counts by loop, site and object are of plans[0]. Each thread has caches of its own, empty at
 * its beginning. Return: NULL after one line on standard error.
 */
struct traced *traced_run(const char *const *paths, uint32_t count,
			  const struct traced_options *options);
void traced_free(struct traced *traced);

/**
 * traced_expand() - all references of a trace, threads as their pieces lie in the file.
 * @reference: its thread by image << 32 | number
 *
 * Return: 0, or -1 after one line (said here, or by @reference, which returns -1 for it).
 */
int traced_expand(const char *path,
		  int (*reference)(void *context, uint64_t thread, uint64_t ip, uint64_t address,
				   uint32_t size, bool store),
		  void *context);

/*
 * Whether a file is a recording that holds a trace, or is damaged before it says what it holds,
 * which readers of traces say; false for standard input.
 */
bool traced_is(const char *path);

#endif /* CCSAMPLE_TRACING_TRACED_H */
