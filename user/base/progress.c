// SPDX-License-Identifier: GPL-2.0-only
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clean.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/progress.h"

static double started, written;
static bool shown;

void progress_start(void)
{
	started = now_seconds();
	written = 0;
}

bool progress_due(void)
{
	double time = now_seconds();

	return time - started > 2 && time - written > 0.1 && isatty(STDERR_FILENO);
}

void progress(const char *format, ...)
{
	char *clean;
	va_list args;

	va_start(args, format);
	clean = text_clean_format(format, args);
	va_end(args);
	fprintf(stderr, "\r\033[K%s", clean);
	fflush(stderr);
	free(clean);
	written = now_seconds();
	shown = true;
}

void progress_clear(void)
{
	if (!shown)
		return;
	fputs("\r\033[K", stderr);
	shown = false;
}
