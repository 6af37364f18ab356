// SPDX-License-Identifier: GPL-2.0-only
#include <stdarg.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/progress.h"

static double started, written;
static bool shown;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec * 1e-9;
}

void progress_start(void)
{
	started = now();
	written = 0;
}

bool progress_due(void)
{
	double time = now();

	return time - started > 2 && time - written > 0.1 && isatty(STDERR_FILENO);
}

void progress(const char *format, ...)
{
	va_list args;

	fputs("\r\033[K", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fflush(stderr);
	written = now();
	shown = true;
}

void progress_clear(void)
{
	if (!shown)
		return;
	fputs("\r\033[K", stderr);
	shown = false;
}
