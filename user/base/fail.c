// SPDX-License-Identifier: GPL-2.0-only
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clean.h"
#include "base/fail.h"
#include "base/progress.h"

/* What stands in it may come from a file that somebody else has made: see base/clean.h. */
static void say(const char *prefix, const char *format, va_list args)
{
	char *text = NULL, *clean;

	progress_clear();
	fflush(stdout);
	if (vasprintf(&text, format, args) < 0)
		text = NULL;
	clean = text_clean(text ? text : format);
	fprintf(stderr, "%s%s\n", prefix, clean);
	free(clean);
	free(text);
}

int fail(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say("ccsample: ", format, args);
	va_end(args);
	return -1;
}

void warning(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say("ccsample: warning: ", format, args);
	va_end(args);
}

void note(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say("ccsample: ", format, args);
	va_end(args);
}
