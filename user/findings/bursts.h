/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Recordings of bursts of references (`record --source bursts`): their references through L1, the
 * misses that are certain into the pass as samples, each with its class.
 */
#ifndef CCSAMPLE_FINDINGS_BURSTS_H
#define CCSAMPLE_FINDINGS_BURSTS_H

#include "bursts/reference.h"
#include "findings/findings.h"
#include "format/format.h"
#include "rcd/rcd.h"

struct pass;
struct bursts;

/* A sample of an event whose classes are known. */
struct classed_sample {
	struct ccs_sample sample;
	uint32_t class;			/* enum rcd_class */
	uint32_t reserved;
};

/* A burst of references that holds together, for those who asked. Valid for the call only. */
struct whole_burst {
	const struct ccs_burst *record;
	const struct burst_reference *references;	/* record->references */
	bool misses;			/* L1, of this geometry, surely */
	struct space *space;		/* as it is when the burst ends */
	const struct cache_geometry *geometry;
};

struct bursts *bursts_new(void);
void bursts_free(struct bursts *bursts);

/* A burst begins, a long one; a piece of it. What does not hold together is counted, no more. */
void bursts_take(struct pass *pass, const struct ccs_burst *burst);
void bursts_take_long(struct pass *pass, const struct ccs_long_burst *burst);
void bursts_take_piece(struct pass *pass, const struct ccs_burst_piece *piece);

/* A recording ends. */
void bursts_end(struct pass *pass);

/* The burst whose pieces are coming is left out. */
void bursts_leave(struct bursts *bursts);

/* A miss of a level handed on was found to be this context's, by its number. */
void bursts_miss(struct bursts *bursts, uint32_t level, size_t context);

/* So many of its references may be some. */
void bursts_unknown(struct bursts *bursts, uint32_t level, size_t context, uint64_t count);

/* All that was taken, weighted; then a context's share of the misses of a level: 1 or 2. */
struct burst_totals bursts_totals(struct bursts *bursts, uint32_t level);
double bursts_references(const struct bursts *bursts, uint64_t number);	/* of L1, see there */
double bursts_share(const struct bursts *bursts, uint32_t level, size_t context);
struct interval bursts_share_interval(const struct bursts *bursts, uint32_t level, size_t context);

/* ... of several together. @contexts: a flag for each context */
struct interval bursts_shares_interval(const struct bursts *bursts, uint32_t level,
				       const bool *contexts);

#endif /* CCSAMPLE_FINDINGS_BURSTS_H */
