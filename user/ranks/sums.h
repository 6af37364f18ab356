/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Many recordings added up by several processes (ranks): each reads a share of them, what it
 * counted goes to another one as bytes, and that adds it to its own. Shares follow one another:
 * what comes out is what one process finds that reads all.
 *
 * Takes recordings of samples. Bursts of references are simulated one by one and weighted by all of
 * them: such recordings are left to one process.
 */
#ifndef CCSAMPLE_RANKS_SUMS_H
#define CCSAMPLE_RANKS_SUMS_H

#include "base/wire.h"
#include "findings/findings.h"
#include "format/inputs.h"

/**
 * sums_read() - count what a share of the recordings holds.
 * @rank: of @ranks
 * @sums: receives it
 *
 * Return: 0, or -1 after one line.
 */
int sums_read(const struct inputs *inputs, const struct analysis_options *options, uint32_t rank,
	      uint32_t ranks, struct wire *sums);

/**
 * sums_add() - add up shares that follow one another.
 * @shares: of which the first one comes first
 * @sums: receives the sum; NULL = it is wanted as findings, of all recordings
 * @findings: where @sums is NULL: receives them, or NULL, where one process must read all
 *
 * Return: 0, or -1 after one line.
 */
int sums_add(const struct inputs *inputs, const struct analysis_options *options,
	     struct wire *shares, size_t count, struct wire *sums, struct findings **findings);

#endif /* CCSAMPLE_RANKS_SUMS_H */
