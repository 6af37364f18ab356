// SPDX-License-Identifier: GPL-2.0-only
/* What is said of made-up runs: the verdict, and sites of the plan where nothing was staggered. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cure/cure.h"
#include "tap.h"

#define RUNS 8

/* Every second pair 5% faster, the others as much slower. */
static char *text_of(uint32_t sites, uint32_t unmet)
{
	static struct pads_plan plan;
	struct cure_sample plain[RUNS], cured[RUNS];
	struct cure cure = { .plan = &plan };
	struct cure_trial trial = {
		.runs = RUNS, .unmet = unmet, .plain = plain, .cured = cured,
	};
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	plan.site_count = sites;
	for (int i = 0; i < RUNS; i++)
		for (int m = 0; m < CURE_MEASURES; m++) {
			plain[i].value[m] = 1e9;
			cured[i].value[m] = i % 2 ? 0.95e9 : 1.05e9;
		}
	cure_text(out, &cure, &trial);
	fclose(out);
	return text;
}

static void says(uint32_t sites, uint32_t unmet, const char *words, const char *what)
{
	char *text = text_of(sites, unmet);

	ok(strstr(text, "verdict: undecided") && strstr(text, words), "%s: %s", what, text);
	free(text);
}

int main(void)
{
	says(0, 0, "more runs would show it (--verify 32)", "without a plan");
	says(4, 2, "more runs would show it", "half of the sites");
	says(4, 3, "at 3 of 4 sites of the plan, which more runs do not change",
	     "fewer than half of the sites");
	return done();
}
