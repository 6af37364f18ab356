// SPDX-License-Identifier: GPL-2.0-only
#include <time.h>
#include <unistd.h>

#include "report/follow.h"
#include "report/views.h"

#define CLEAR	"\033[H\033[J"	/* ECMA-48: CUP, ED */

void report_live(FILE *out, const struct findings *findings, const struct view_options *options)
{
	bool terminal = isatty(fileno(out));
	time_t now = time(NULL);
	struct tm local;
	char text[32];

	strftime(text, sizeof(text), "%F %T", localtime_r(&now, &local));
	fprintf(out, "%s%s\n\n", terminal ? CLEAR : "", text);
	report_text(out, findings, options);
	if (!terminal)
		fputc('\n', out);
}
