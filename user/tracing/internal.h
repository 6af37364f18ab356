/* SPDX-License-Identifier: GPL-2.0-only */
/* A trace under analysis: traced.c reads it, rows.c counts, what-if.c changes it. */
#ifndef CCSAMPLE_TRACING_INTERNAL_H
#define CCSAMPLE_TRACING_INTERNAL_H

#include "format/recording.h"
#include "tracing/members.h"
#include "tracing/traced.h"
#include "base/map.h"
#include "format/format.h"
#include "warp/analyse.h"
#include "prsd/decode.h"
#include "warp/estimate.h"
#include "prsd/rewrite.h"

/* A process image's instructions. */
struct traced_image {
	struct map sites;		/* hash of instruction and callers -> number + 1 */
	uint32_t process;
	struct pages *pages;		/* one a plan */
	struct space *space;
};

/* What a pad has to know of its object, from a first pass. */
struct traced_layout {
	const struct object *object;	/* that was met last; NULL = none */
	uint64_t low;			/* where the lowest of its blocks begins, or its lowest byte
					 * that is referred to, where that is unknown
					 */
	uint64_t row;			/* bytes */
	struct map strides;		/* stride -> how often it is taken */
};

struct traced_run;

/* Loops as they are in the file, as they were changed, as they were found again: numbered apart. */
enum traced_kind { TRACED_READ, TRACED_CHANGED, TRACED_AGAIN, TRACED_KINDS };

/* The row that a slot outside of loops was counted in last. */
struct recent_row {
	const struct object *object;	/* NULL = none yet */
	uint32_t row;
};

struct loop_ids {
	uint32_t *ids;			/* by number of the loop: number in struct traced + 1 */
	size_t room;
};

/* The trace of one thread. */
struct traced_stream {
	struct traced_run *run;
	struct traced_image *image;
	uint32_t process;
	struct trace_decoder decoder;
	struct trace_rewriter rewriter;	/* what is analysed: with changes */
	struct trace_analysis *analyses;	/* one a plan, or */
	struct trace_estimate *estimates;
	struct loop_ids ids[TRACED_KINDS];
	struct recent_row **recent;	/* by block of the file, then slot */
	size_t recent_room;
	struct trace_compressor *again;	/* for nodes that a pad takes apart; NULL = none yet */
	struct map again_shapes;	/* slot address in memory -> shape + 1 */
	/* The current node. */
	const struct trace_shapes *from;
	uint64_t addresses[TRACE_SLOTS_MAX];
	const struct object *objects[TRACE_SLOTS_MAX];
	uint64_t bases[TRACE_SLOTS_MAX];	/* where these or their blocks begin, 0 = unknown */
	uint32_t pads[TRACE_SLOTS_MAX];		/* of these: number + 1, 0 = none */
};

struct traced_run {
	const struct traced_options *options;
	struct traced *traced;
	const char *const *paths;
	uint32_t path_count;
	struct trace_members members;	/* whose the records are */
	struct trace_decoder *merged;	/* of all members; NULL = none yet */
	uint32_t process;		/* of the current piece, as it says */
	struct map streams;		/* process << 32 | thread -> stream */
	struct traced_stream **all;
	size_t count, capacity;
	struct map images;		/* process -> image */
	struct traced_image **image_list;
	size_t image_count, image_capacity;
	struct map loop_ids;		/* sites low << 32 | high -> id + 1 */
	struct map site_loops;		/* site << 32 | loop -> number + 1 */
	struct map rows;		/* that << 32 | object -> row + 1 */
	uint64_t site_loop_count;
	uint32_t read_loops;		/* that the files have: the first ones */
	struct traced_layout layouts[TRACED_CHANGES];
	bool measuring;			/* the first pass, for pads */
	uint32_t slots;			/* of nodes since the last look at the clock */
	int stopped;			/* -1: the trace cannot be read on: traced->error, or */
	const char *path;		/* of the current file */
	int refused;			/* -1: it is no trace, which was said */
	uint64_t pieces;		/* of references that were read */
	const struct trace_analysis *busy;	/* the one that is at work */
	uint64_t simulated;		/* references, over all plans, but for that one's */
	uint64_t budget;		/* of all of them; see warp/touched.h */
};

/* traced.c */

/* The error ends the analysis; the first one counts. Return: -1. */
int traced_stop(struct traced_run *run, const char *error);

/* A thread's trace; those of a decoder's sink. */
struct traced_stream *traced_stream_new(struct traced_run *run, uint32_t process);
int traced_node(void *context, const struct trace_shapes *shapes, uint32_t shape,
		const uint64_t *addresses);
int traced_forget(void *context);

/* read.c */

/* All files. Return: 0, or -1 after one line where one cannot be opened, or is no trace. */
int traced_read(struct traced_run *run);

/* A format for fail(), which takes a path: files with records of a type are no traces. Or NULL */
const char *trace_refusal(uint16_t type);

/* No piece of a trace was in @recording. Return: -1 after one line, where it is not whole. */
int trace_is_empty(const char *path, const struct recording *recording);

/* A record of a type comes from @path. Return: 0, or -1 after one line: no trace has such. */
int trace_refuses(const char *path, uint16_t type);

/* rows.c */

/* The number of an instruction in traced->sites. */
uint32_t traced_site(struct traced_run *run, struct traced_image *image,
		     const struct trace_slot *slot);

/* Numbers all loops of a shape. */
void traced_number(struct traced_stream *s, enum traced_kind kind,
		   const struct trace_shapes *shapes, uint32_t shape);

/* Puts loops in order: behind those of the files come others, which pads brought about. */
void traced_order(struct traced_run *run);

/* Adds a node's counts to its rows and loops. */
void traced_count(struct traced_stream *s, enum traced_kind kind,
		  const struct trace_shapes *shapes, uint32_t shape,
		  const struct trace_counts *counts);

/* code.c */

/* Sums up rows by code, once all are counted. */
void traced_code_fill(struct traced *traced);

/* what-if.c */

/* First pass: what pads need to know. */
void traced_measure(struct traced_stream *s, const struct trace_shapes *shapes, uint32_t shape);

/* Chooses rows. Return: 0, or -1 after one line. */
int traced_measured(struct traced_run *run);

/* All was read. Return: 0, or -1 after one line: a loop that was to be scaled was not there. */
int traced_scaled(const struct traced_run *run);

/*
 * The current node's addresses in s->addresses as pads have them. Return: false where a pad takes
 * the node apart: nothing is changed then.
 */
bool traced_pads(struct traced_stream *s, const struct trace_shapes *shapes, uint32_t shape);

/* Its shape as the options have it, in s->rewriter.shapes; SHAPE_NONE beyond a limit. */
uint32_t traced_change(struct traced_stream *s, const struct trace_shapes *shapes, uint32_t shape);

/*
 * How far apart padded objects move from all others: farther than a program's memory reaches, and a
 * multiple of the bytes in a way of caches whose sets are 2^n times a divisor of this odd number.
 */
#define TRACED_AWAY	((uint64_t)3 * 3 * 5 * 7 * 11 * 13 << 40)

/* The pad of an object: its number + 1, 0 = none. */
uint32_t traced_pad(const struct traced_run *run, const struct object *object);

/* Where pad number @pad puts an address. @base: where its variable or block begins, 0 = unknown */
uint64_t traced_moved(const struct traced_run *run, uint32_t pad, uint64_t base, uint64_t address);

/* The padded object that was moved to an address; NULL = none. */
const struct object *traced_padded(const struct traced_run *run, uint64_t address);

/* dump.c */
void traced_dump(struct traced_stream *s, const struct trace_shapes *shapes, uint32_t shape);

#endif /* CCSAMPLE_TRACING_INTERNAL_H */
