/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A recording that is read while it is written: what was found so far is shown now and then. A pass
 * cannot go on once findings are made of it, so a copy of this process makes and shows them:
 * nothing is read twice, however long the recording is.
 */
#ifndef CCSAMPLE_FINDINGS_FOLLOW_H
#define CCSAMPLE_FINDINGS_FOLLOW_H

#include "findings/pass.h"

struct follow {
	struct pass *pass;
	struct recording *recording;
	double last;			/* when it was shown or begun: seconds of now_seconds() */
	uint64_t records;		/* that were shown */
};

/* @pass: its options ask for it */
void follow_begin(struct follow *follow, struct pass *pass, struct recording *recording);

#endif /* CCSAMPLE_FINDINGS_FOLLOW_H */
