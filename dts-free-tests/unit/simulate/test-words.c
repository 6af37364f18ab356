// SPDX-License-Identifier: GPL-2.0-only
/* A simulation in words: what is doubtful is said, and only that. 32K,8,64; no pages. */
#include <stdlib.h>
#include <string.h>

#include "simulate/words.h"
#include "tap.h"

/* Does one of the doubts hold these words? All are freed. */
static bool says(const struct sim_findings *findings, const struct simulation_view *view,
		 size_t most, const char *words)
{
	char *doubts[SIMULATION_DOUBTS];
	size_t count = simulation_doubts(findings, view, doubts);
	bool found = false;

	for (size_t i = 0; i < count; i++) {
		found |= strstr(doubts[i], words) != NULL;
		free(doubts[i]);
	}
	return found && count <= most;
}

static void test_doubts(void)
{
	struct sim_findings findings = { .instructions = 1000, .simulated = 1000 };
	struct simulation_view view = { .input = "trace" };
	char *doubts[SIMULATION_DOUBTS];

	ok(!simulation_doubts(&findings, &view, doubts), "a whole simulation: no doubt");
	findings.simulated = 250;
	ok(says(&findings, &view, 1, "25.00% of the instructions"), "a part of the instructions");
	findings.simulated = 1000;
	view.bad_lines = 3;
	view.first_bad = 17;
	ok(says(&findings, &view, 1, "3 lines") && says(&findings, &view, 1, "line 17"),
	   "lines that are no references, and the first of them");
	findings.lost = 2;
	findings.unresolved = 5;
	findings.beyond = 7;
	findings.function = "main";
	findings.out_of_memory = true;
	findings.simulated = 1;
	ok(says(&findings, &view, SIMULATION_DOUBTS, "only the references of main") &&
	   says(&findings, &view, SIMULATION_DOUBTS, "2 process images") &&
	   says(&findings, &view, SIMULATION_DOUBTS, "5 look-ups") &&
	   says(&findings, &view, SIMULATION_DOUBTS, "7 look-ups") &&
	   says(&findings, &view, SIMULATION_DOUBTS, "ran out of memory"), "all at once");
}

static void test_cache(void)
{
	const struct level_plan plan = { .geometry = { 64, 8, 64, 6 } };
	char *first = simulation_cache_text(&plan, 0), *second = simulation_cache_text(&plan, 1);

	ok(!strncmp(first, "32 KiB, 8 ways, 64 sets, ", strlen("32 KiB, 8 ways, 64 sets, ")),
	   "a cache: size, ways, sets");
	ok(!strncmp(second, first, strlen(first)) && strlen(second) > strlen(first),
	   "an outer one also says what it includes");
	free(second);
	free(first);
}

int main(void)
{
	test_doubts();
	test_cache();
	return done();
}
