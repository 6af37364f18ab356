// SPDX-License-Identifier: GPL-2.0-only
#include <stdarg.h>
#include <stdio.h>

#include "base/fail.h"
#include "base/progress.h"

static void say(const char *prefix, const char *format, va_list args)
{
	progress_clear();
	fflush(stdout);
	fputs(prefix, stderr);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
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
