// SPDX-License-Identifier: GPL-2.0-only
/* How often levels miss, in words: what is known, vague or unknown of bursts that were made up here. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/words.h"
#include "tap.h"

static struct findings findings;

static void says(uint32_t level, const char *wanted, const char *name)
{
	char *text = NULL;

	report_append_ratio(&text, &findings, level, " miss", "");
	ok(!strcmp(text, wanted), "%s: %s", name, text);
	/* What JSON, diff and check have. */
	ok(isnan(findings_miss_ratio(&findings, level).ratio) == !strncmp(text, "unknown", 7),
	   "%s: ... in all views", name);
	free(text);
}

/* So many bursts, of whose 1,000 references so many miss, but for a spread of so many. */
static struct burst_totals totals(uint64_t bursts, double misses, double spread)
{
	return (struct burst_totals){
		.known = true, .bursts = bursts, .weighted_counted = 1000, .weighted_misses = misses,
		.spread = spread / 1000,
	};
}

int main(void)
{
	findings.bursts = totals(50, 900, 50);
	findings.long_bursts = totals(4, 200, 50);
	says(1, "900 miss (850 to 950)", "L1");
	says(2, "200 miss (150 to 250)", "L2");
	findings.long_bursts = totals(1, 140, 1000);
	says(2, "140 miss (0 to 950: there is only 1 long burst)", "L2 misses no more than L1");
	findings.bursts = totals(50, 990, 50);
	says(2, "unknown in L2: there is only 1 long burst", "... which may be all");
	findings.long_bursts = totals(3, 140, 1000);
	says(2, "unknown in L2: the 3 long bursts differ", "... of three bursts");
	findings.bursts = totals(3, 140, 1000);
	says(1, "unknown in L1D: the 3 bursts differ", "L1, of three bursts that differ");
	return done();
}
