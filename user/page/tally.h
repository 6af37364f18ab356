/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a page shows of one piece of code and the findings do not hold: samples by instruction, and
 * by data object and set. Counted while the recordings are read, by the one pass over them.
 */
#ifndef CCSAMPLE_PAGE_TALLY_H
#define CCSAMPLE_PAGE_TALLY_H

#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "findings/findings.h"

#define FOLD_COLUMNS	128u		/* most columns of a fold */
#define FOLDS_MOST	20000u		/* kept; of 512 bytes each */

/* A sampled instruction, at one level. */
struct site_tally {
	size_t context;			/* its number in the pass */
	uint32_t level;
	uint32_t number;		/* of the instruction, in the pass */
	struct module *module;		/* NULL = in no file */
	uint64_t address;		/* link-time, or the plain address */
	const char *file;		/* NULL = unknown */
	uint32_t line;			/* 0 = unknown */
	uint64_t samples;
	uint64_t conflicts;		/* of them: re-misses, or known to be conflicts */
	double evictions;		/* re-misses that its misses caused, wherever: of each, the
					 * evictors have equal parts
					 */
};

/* A context's samples on an object, by set. */
struct fold_tally {
	size_t context;
	uint32_t level;
	const struct object *object;
	uint64_t samples;
	uint32_t columns;		/* the level's sets, or fewer: then neighbours share one */
	uint32_t counts[FOLD_COLUMNS];
};

struct tallies {
	struct site_tally *sites;
	size_t site_count, site_capacity;
	struct fold_tally *folds;
	size_t fold_count, fold_capacity;
	struct map site_numbers, fold_numbers;	/* to places + 1 */
	struct analysis_options before;	/* whose calls go on */
};

/**
 * tallies_attach() - have the tallies fed with the recordings that are analyzed with these options.
 * @tallies: zeroed
 * @options: what they call already is called on
 */
void tallies_attach(struct tallies *tallies, struct analysis_options *options);

/* All was read: by context, level, then file, line and address, or most samples first. */
void tallies_sort(struct tallies *tallies);
void tallies_drop(struct tallies *tallies);

/**
 * tallies_sites() - the sampled instructions of a context at a level.
 * @count: their number
 *
 * Return: the first, in the order of files, lines and addresses.
 */
const struct site_tally *tallies_sites(const struct tallies *tallies, const struct context *context,
				       uint32_t level, size_t *count);

/* The same of objects by set. */
const struct fold_tally *tallies_folds(const struct tallies *tallies, const struct context *context,
				       uint32_t level, size_t *count);

#endif /* CCSAMPLE_PAGE_TALLY_H */
