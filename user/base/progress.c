// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clean.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/progress.h"

#define LEAST_PART	0.05	/* of a job, that an estimate needs */

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

/* As long again as what is done took, in its proportion. */
void progress_left_text(char *text, size_t size, double seconds, double part)
{
	double left = seconds * (1 - part) / part;

	if (!(part >= LEAST_PART) || part > 1)
		snprintf(text, size, "%s", "");
	else if (left < 99.5)
		snprintf(text, size, ", about %.0f s left", ceil(left));
	else if (left < 99.5 * 60)
		snprintf(text, size, ", about %.0f min left", ceil(left / 60));
	else
		snprintf(text, size, ", about %.0f h left", ceil(left / 3600));
}

const char *progress_left(double part)
{
	static char text[48];

	progress_left_text(text, sizeof(text), now_seconds() - started, part);
	return text;
}

void progress_clear(void)
{
	if (!shown)
		return;
	fputs("\r\033[K", stderr);
	shown = false;
}
