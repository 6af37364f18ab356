// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/memory.h"
#include "base/temporary.h"
#include "cure/cure.h"
#include "cure/measure.h"

_Static_assert(MEASURE_LEAST == CURE_RUNS_LEAST && MEASURE_MOST == CURE_RUNS_MOST, "runs");

int measure_plan(struct measure *measure)
{
	int fd = temporary_file("plan", &measure->plan);

	if (fd < 0)
		return fail("cannot make %s: %s", measure->plan, strerror(errno));
	close(fd);
	return 0;
}

static int show(const struct cure *cure, uint32_t runs)
{
	struct cure_trial trial;

	if (cure_measure(cure, runs, true, &trial))
		return -1;
	printf("\nMeasured         the cures that need no recompiling, in the program itself\n");
	cure_text(stdout, cure, &trial);
	cure_trial_free(&trial);
	return 0;
}

int measure_run(const struct measure *measure, const char *plan)
{
	struct cure cure = { .argv = measure->argv, .plan_path = plan };
	struct stat status;
	int result = -1;

	if (stat(plan, &status))
		return fail("cannot find the plan %s again: %s", plan, strerror(errno));
	if (!status.st_size)
		return 0;
	if (!cure_open(&cure))
		result = show(&cure, measure->runs);
	cure_close(&cure);
	return result;
}

void measure_drop(struct measure *measure)
{
	if (measure->plan)
		unlink(measure->plan);
	free(measure->plan);
}
