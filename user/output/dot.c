// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "base/clean.h"
#include "output/dot.h"

void dot_text(FILE *out, const char *text)
{
	char *clean = text_clean(text);

	fputc('"', out);
	for (const char *at = clean; *at; at++) {
		if (*at == '"' || *at == '\\')
			fputc('\\', out);
		fputc(*at, out);
	}
	fputc('"', out);
	free(clean);
}

void dot_put_free(FILE *out, char *text)
{
	dot_text(out, text);
	free(text);
}
