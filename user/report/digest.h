/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What several levels show, said once: loops in conflict or concentrated, each at all levels where
 * it is, and what is left of these levels.
 */
#ifndef CCSAMPLE_REPORT_DIGEST_H
#define CCSAMPLE_REPORT_DIGEST_H

#include "report/entry.h"
#include "report/text-others.h"

/* A loop, or a nest, at all levels where it is in conflict or concentrated. */
struct joined {
	struct entry at[ENTRY_LEVELS];	/* inner levels first */
	size_t count;
};

struct digest {
	const struct findings *findings;
	struct others levels[ENTRY_LEVELS];	/* with all of their entries */
	size_t level_count;
	struct joined *loops;		/* those first of which most could be saved at some level */
	size_t count;
};

/**
 * digest_init() - join the entries of levels by loop.
 * @levels: ascending, at most ENTRY_LEVELS
 * @fold: leave out what is small; what is small at one level alone is left out there
 */
void digest_init(struct digest *digest, const struct findings *findings, const uint32_t *levels,
		 size_t level_count, bool fold);

/* report_others() of the levels, where the first @shown loops are described. */
size_t digest_others(const struct digest *digest, size_t shown, bool told,
		     struct sentence sentences[OTHERS_MOST]);
void digest_drop(struct digest *digest);

#endif /* CCSAMPLE_REPORT_DIGEST_H */
