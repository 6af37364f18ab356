/* SPDX-License-Identifier: GPL-2.0-only */
/* A merged trace in the making: merge.c reads ranks, merge-write.c writes what they have. */
#ifndef CCSAMPLE_TRACING_MERGE_INTERNAL_H
#define CCSAMPLE_TRACING_MERGE_INTERNAL_H

#include "format/recording.h"
#include "prsd/adopt.h"
#include "prsd/encode.h"
#include "prsd/merge.h"

/* The threads of an image that did something; of a record about it, none. */
struct trace_team {
	uint32_t process, threads;	/* image, 1, 2, ..; set */
};

struct trace_merger {
	struct recording_writer *out;
	struct trace_dictionary dictionary;
	struct member_sets sets;	/* of threads and of ranks */
	struct merge merge;		/* of ranks; key: team << 32 | shape or record */
	struct trace_team *teams;
	size_t team_count, team_capacity;
	struct map team_numbers;	/* process << 32 | threads -> number + 1 */
	struct ccs_record **records;	/* about images and objects */
	size_t record_count, record_capacity;
	struct map record_numbers;	/* hash -> number + 1 */
	uint32_t rank, ranks;		/* the current one; in total */
	uint64_t references;
	/* What is written. */
	struct trace_encoder encoder;
	struct trace_team team;		/* that the file is at */
	uint32_t set;
	int error;
};

/* Return: 0, or -1 after one line. */
int merger_open(struct trace_merger *merger, const char *out, uint32_t ranks);
/* @failed: nothing is kept. Return: 0, or -1 after one line. */
int merger_close(struct trace_merger *merger, int failed);

/* Whether records of a type are kept. */
bool merger_keeps(uint16_t type);

/* Keys of items; records of equal content have the same. */
uint64_t merger_key(struct trace_merger *merger, uint32_t process, uint32_t threads,
		    uint32_t shape);
uint64_t merger_record(struct trace_merger *merger, const struct ccs_record *record);

/* The step's shape in a loop over the group's members; SHAPE_NONE beyond a limit. */
uint32_t merger_wrap(struct trace_merger *merger, const struct merge_step *step,
		     const struct merge_group *group);

/* Writes all. Return: 0, or -1 after one line. */
int merger_write(struct trace_merger *merger);

#endif /* CCSAMPLE_TRACING_MERGE_INTERNAL_H */
