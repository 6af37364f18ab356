// SPDX-License-Identifier: GPL-2.0-only
/* What a command does after the child that it runs in, or not. No caches, no chance. */
#include <stdlib.h>

#include "options/options.h"
#include "tap.h"

struct arguments {
	uint32_t status;		/* of the child */
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

int main(void)
{
	ok(command_of("0") == 3 && ran_after == 1,
	   "a child that ended well: the command goes on, and its status is that");
	ok(command_of("1") == 1 && ran_after == 1, "one that failed: it does not");
	ok(command_of("x") == 2 && ran_after == 1, "nor after wrong usage");
	return done();
}
