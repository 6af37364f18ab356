// SPDX-License-Identifier: GPL-2.0-only
#include <stdarg.h>
#include <stdio.h>

#include "tap.h"

static int checks, failures;

bool ok(bool passed, const char *name, ...)
{
	va_list args;

	printf("%sok %d - ", passed ? "" : "not ", ++checks);
	failures += !passed;
	va_start(args, name);
	vprintf(name, args);
	va_end(args);
	putchar('\n');
	fflush(stdout);
	return passed;
}

void skip(const char *reason, const char *name, ...)
{
	va_list args;

	printf("ok %d - ", ++checks);
	va_start(args, name);
	vprintf(name, args);
	va_end(args);
	printf(" # SKIP %s\n", reason);
}

int done(void)
{
	printf("1..%d\n", checks);
	return failures || !checks;
}
