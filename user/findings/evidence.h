/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What samples say of data, apart from verdicts: the lines that miss, how far
 * instructions step through objects, and which objects evict which.
 */
#ifndef CCSAMPLE_FINDINGS_EVIDENCE_H
#define CCSAMPLE_FINDINGS_EVIDENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "findings/findings.h"
#include "findings/meetings.h"
#include "format/format.h"

struct evidence;
struct miss_row;
struct wire;
struct wire_numbers;
struct pass;

struct evidence *evidence_new(void);
void evidence_free(struct evidence *evidence);

/* A recording ends, and its threads with it. */
void evidence_end(struct evidence *evidence);

/**
 * evidence_batch() - samples of one thread and event follow.
 * @event: number of the event
 * @cache: the level that it misses, NULL = not known
 */
void evidence_batch(struct evidence *evidence, size_t event, const struct ccs_samples *batch,
		      const struct cache_level *cache);

/* One sample: context by number in the pass, its site and what it missed on, where that lies. */
void evidence_sample(struct evidence *evidence, size_t context, struct met in, uint64_t address);

/**
 * evidence_place() - the set and line of the last sample.
 * @row: its level, set and class; receives the evictors of a re-miss
 *
 * Return: true for a re-miss: its line missed before in this burst, when fewer lines than the
 * cache holds had been brought in since. Where its class is known: true for a conflict.
 */
bool evidence_place(struct evidence *evidence, struct miss_row *row, uint64_t line);

/* Writes strides and pairs, or adds those of another process, numbered as it did. */
void evidence_wire(struct evidence *evidence, struct wire *wire,
		   const struct wire_numbers *numbers);

/* Fills in lines, strides and pairs of contexts, whose objects are filled in. */
void evidence_fill(struct findings *findings, struct pass *pass, struct context **by_number);

#endif /* CCSAMPLE_FINDINGS_EVIDENCE_H */
