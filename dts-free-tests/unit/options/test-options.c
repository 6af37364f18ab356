// SPDX-License-Identifier: GPL-2.0-only
/* What a command does after the child that it runs in, or not; durations. No caches, no chance. */
#include <stdlib.h>

#include "base/array.h"
#include "options/options.h"
#include "tap.h"

struct arguments {
	uint32_t status;		/* of the child */
	double seconds;
};

static int ran_after;

static int run(void *options)
{
	return ((struct arguments *)options)->status;
}

static int then(void *options)
{
	(void)options;
	ran_after++;
	return 3;
}

static const struct option_row rows[] = {
	{ "status", 's', "N", "ends so", option_number32,
	  .target = offsetof(struct arguments, status), 0, 9 },
	{ "time", 't', "S", "no matter", option_seconds,
	  .target = offsetof(struct arguments, seconds) },
	{ }
};

static const struct command command = {
	.name = "test", .groups = (const struct option_group[]){ { .rows = rows }, { } },
	.reads_programs = true, .size = sizeof(struct arguments), .run = run, .then = then,
};

static int command_of(const char *status)
{
	char *argv[] = { (char *)"test", (char *)"--status", (char *)status, NULL };

	return command_run(&command, 3, argv);
}

static double seconds_of(const char *text)
{
	double seconds;

	return option_seconds(&rows[1], text, &seconds) ? -1 : seconds;
}

static void test_seconds(void)
{
	static const char *const wrong[] = {
		"", "0", "-1", "s", "ms", "1x", "1 s", "2d", "1ss", "0.5ms", "nan", "inf", "1001h",
		"1e300h", "1,5",
	};
	size_t i;

	ok(seconds_of("10") == 10 && seconds_of("0.5") == .5 && seconds_of("500ms") == .5 &&
	   seconds_of("2s") == 2 && seconds_of("1.5m") == 90 && seconds_of("1h") == 3600,
	   "durations in seconds, and in units");
	for (i = 0; i < ARRAY_SIZE(wrong); i++)
		ok(seconds_of(wrong[i]) < 0, "'%s' is none", wrong[i]);
}

int main(void)
{
	test_seconds();
	ok(command_of("0") == 3 && ran_after == 1,
	   "a child that ended well: the command goes on, and its status is that");
	ok(command_of("1") == 1 && ran_after == 1, "one that failed: it does not");
	ok(command_of("x") == 2 && ran_after == 1, "nor after wrong usage");
	return done();
}
