// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "output/text.h"
#include "report/follow.h"
#include "report/views.h"

#define CLEAR	"\033[H\033[J"	/* ECMA-48: CUP, ED */

static void put_time(FILE *out)
{
	time_t now = time(NULL);
	struct tm local;
	char text[32];

	strftime(text, sizeof(text), "%F %T", localtime_r(&now, &local));
	fprintf(out, "%s%s\n\n", isatty(fileno(out)) ? CLEAR : "", text);
}

static char *report_of(FILE *out, const struct findings *findings,
		       const struct view_options *options)
{
	char *text;
	size_t bytes;
	FILE *memory = xmemstream(&text, &bytes, "a report");

	text_memory_for(out);
	report_text(memory, findings, options);
	fclose(memory);
	return text;
}

/* So many of its lines, the last one without an end, so that nothing scrolls. */
static void put_lines(FILE *out, const char *text, unsigned int lines)
{
	const char *end = strchrnul(text, '\n');

	while (--lines && *end)
		end = strchrnul(end + 1, '\n');
	fwrite(text, 1, end - text, out);
	fflush(out);
}

void report_live(FILE *out, const struct findings *findings, const struct view_options *options)
{
	struct winsize size;
	char *text;

	if (ioctl(fileno(out), TIOCGWINSZ, &size) || size.ws_row < LIVE_LEAST) {
		report_live_end(out, findings, options);
		return;
	}
	text = report_of(out, findings, options);
	put_time(out);
	put_lines(out, text, size.ws_row - 2);
	free(text);
}

void report_live_end(FILE *out, const struct findings *findings,
		     const struct view_options *options)
{
	put_time(out);
	report_text(out, findings, options);
	if (!isatty(fileno(out)))
		fputc('\n', out);
}
