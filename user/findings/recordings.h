/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Several recordings of one kind in one pass: the ranks of a parallel program. What belongs to a
 * process goes when its recording ends; code, data and counts are kept.
 */
#ifndef CCSAMPLE_FINDINGS_RECORDINGS_H
#define CCSAMPLE_FINDINGS_RECORDINGS_H

#include "format/inputs.h"
#include "findings/pass.h"
#include "format/recording.h"

/**
 * recordings_read() - one after the other.
 * @first, @end: of them, those from @first on, before @end
 *
 * Return: 0, or -1 after one line.
 */
int recordings_read(struct pass *pass, const struct inputs *inputs, size_t first, size_t end);

/* As if so many had been read, by others; pass_head() of the first one went before. */
void recordings_skip(struct pass *pass, uint32_t count);

/* The records of a recording follow. */
void recordings_begin(struct pass *pass, const char *path);

/* They were all. */
void recordings_end(struct pass *pass, const struct recording *recording);

/*
 * What a later recording says of itself, held against the first. Where they cannot be one,
 * pass->refused says why.
 */
void recordings_meta(struct pass *pass, const struct ccs_meta *meta);
void recordings_cache(struct pass *pass, const struct cache_level *level);
void recordings_event(struct pass *pass, const struct ccs_event *event);

/* Its time as the first one's set map counts it. */
uint64_t recordings_time(struct pass *pass, uint64_t time);

/* Fills in how samples are spread over recordings. */
void recordings_fill(struct findings *findings, struct pass *pass, struct context **by_number);

#endif /* CCSAMPLE_FINDINGS_RECORDINGS_H */
