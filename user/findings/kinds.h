/* SPDX-License-Identifier: GPL-2.0-only */
/* What a sample says of its miss besides where: load or store, class, evictor. */
#ifndef CCSAMPLE_FINDINGS_KINDS_H
#define CCSAMPLE_FINDINGS_KINDS_H

#include "findings/misses.h"

/* Is it of an instruction that reads and writes? */
bool kinds_both(const struct ccs_sample *sample);

/* Counts it for its event. */
void kinds_count(struct event_totals *event, const struct ccs_sample *sample);

/* What is known of its class. */
enum rcd_class kinds_class(const struct event_totals *event, const struct ccs_sample *sample);

/*
 * What a conflict's line was evicted for; of object 0 = unknown, as it is of what lies on a stack,
 * for whose frame that was is in no sample.
 */
struct met kinds_evictor(const struct event_totals *event, struct space *space,
			 const struct miss_row *row);

#endif /* CCSAMPLE_FINDINGS_KINDS_H */
