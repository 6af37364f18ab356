/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Long bursts (LONG_BURST of a recording) through L1 and L2. What either held before is not known;
 * of L2 the same is certain as of L1 (burst-cache.h), for references that surely miss L1. Those
 * that may hit it are taken to use L2, too, and count as unknown there.
 */
#ifndef CCSAMPLE_FINDINGS_LONG_BURSTS_H
#define CCSAMPLE_FINDINGS_LONG_BURSTS_H

#include "bursts/outcomes.h"
#include "findings/bursts.h"

struct long_bursts;

struct long_bursts *long_bursts_new(void);
void long_bursts_free(struct long_bursts *all);

/* What bursts go through, their level's event declared. Return: false if no L2 is known. */
bool long_bursts_plan(struct long_bursts *all, struct pass *pass, struct burst_l2_plan *plan);

/* @outcomes: of burst->burst.references, at least 1, at L2; NULL = no such are known */
void long_bursts_take(struct long_bursts *all, struct pass *pass,
		      const struct ccs_long_burst *burst, const struct burst_outcomes *outcomes);

/*
 * Any other burst, of which little is certain at L2 but conflicts: it says of loops what it can
 * (RCD_SHORT in rcd.h), and nothing of how often L2 misses.
 */
void long_bursts_take_short(struct long_bursts *all, struct pass *pass,
			    const struct ccs_burst *burst, const struct burst_outcomes *outcomes);

/* A recording ends. */
void long_bursts_end(struct long_bursts *all, struct pass *pass);

/* As those of bursts.h. */
void long_bursts_miss(struct long_bursts *all, size_t context);
void long_bursts_unknown(struct long_bursts *all, size_t context, uint64_t count);
struct burst_totals long_bursts_totals(struct long_bursts *all);

/* All bursts, short ones too, as they are weighted for shares of L2's misses. */
struct burst_weights *long_bursts_shares(const struct long_bursts *all);

#endif /* CCSAMPLE_FINDINGS_LONG_BURSTS_H */
