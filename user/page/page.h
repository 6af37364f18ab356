/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Findings as one HTML file that needs nothing else: no network, no other file, no script to be
 * read. Takes what the text and JSON views take, and tallies of what pages alone show; writes
 * everything that is shown itself, as tables and SVG. Calls report/ and advise/ for words.
 */
#ifndef CCSAMPLE_PAGE_PAGE_H
#define CCSAMPLE_PAGE_PAGE_H

#include <stdio.h>

#include "advise/advise.h"
#include "page/tally.h"
#include "report/rows.h"

struct page_sources {
	const struct findings *findings;
	const struct view_options *view;
	const struct tallies *tallies;	/* sorted */
	const struct keep *keep;	/* of the bursts; NULL, or empty, where there are none */
};

/* The report of a recording, or of several that are one run's. */
void page_report(FILE *out, const struct page_sources *sources);

#endif /* CCSAMPLE_PAGE_PAGE_H */
