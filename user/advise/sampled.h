/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sampled misses of L1, kept where a recording has these and no bursts of references: in which sets
 * they would be after a change of layout. What hits now, and would miss then, they do not show.
 */
#ifndef CCSAMPLE_ADVISE_SAMPLED_H
#define CCSAMPLE_ADVISE_SAMPLED_H

#include "advise/layout.h"
#include "findings/misses.h"
#include "rcd/interval.h"

/* Keeps a miss, or an even choice. @site: of its instruction */
void sampled_take(struct keep *keep, const struct miss_row *miss, uint32_t site);

/* How one piece of code alone walks, by its sampled misses. @context: its number */
struct strides *sampled_strides(const struct keep *keep, size_t context);

/* Frees them: there are references. */
void sampled_drop(struct keep *keep);

/* What is chosen by one half of the misses is judged by the other. */
enum sampled_half { SAMPLED_CHOOSE, SAMPLED_JUDGE };

struct sampled_effect {
	size_t misses;			/* of the half, that were looked at; 0 = too few */
	/* cf: the set had one at most ways misses ago, but not this line among its last ways */
	double before, after;
	struct interval was, interval;	/* of @before and @after, 95% */
	double gain_low;		/* what cf falls by: where its 95% interval begins */
};

/**
 * sampled_try() - cf of a piece of code after changes.
 * @keep: ended
 * @context: its number in the findings
 * @half: whose misses are counted
 * @known: of other changes, but the same code and half: as it was before is not counted again; NULL
 */
struct sampled_effect sampled_try(const struct keep *keep, size_t context,
				  const struct layout_change *changes, size_t count,
				  enum sampled_half half, const struct sampled_effect *known);

#endif /* CCSAMPLE_ADVISE_SAMPLED_H */
