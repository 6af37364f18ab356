// SPDX-License-Identifier: GPL-2.0-only
/* Quoting in DOT: whatever a name is, it is one string, and reads as it was (20,000 random ones). */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/clean.h"
#include "base/random.h"
#include "output/dot.h"
#include "quoting.h"
#include "tap.h"

/*
 * As Graphviz reads it: a backslash and a quote are a quote (scanner), then in labels two backslashes
 * are one. Return: false where the string ends early, or not at all, or has another escape.
 */
static bool reads_as(const char *written, const char *text)
{
	if (*written++ != '"')
		return false;
	for (; *written != '"'; written++, text++) {
		if (*written == '\\' && *++written != '"' && *written != '\\')
			return false;
		if (!*written || *written != *text)
			return false;
	}
	return !written[1] && !*text;
}

static void random_names(void)
{
	static const char some[] = "\"\\Nl<>{}|;\n\t#/*a\x1b";
	uint64_t state = 1;
	uint32_t wrong = 0;
	char text[40];

	for (int i = 0; i < 20000; i++) {
		char *got, *clean;

		for (size_t j = 0; j < sizeof(text) - 1; j++) {
			text[j] = i % 2 ? some[random_below(&state, sizeof(some) - 1)] :
				  (char)random_next(&state);
		}
		text[sizeof(text) - 1] = 0;
		got = quoted(dot_text, text);
		clean = text_clean(text);
		wrong += !reads_as(got, clean);
		free(clean);
		free(got);
	}
	ok(!wrong, "20,000 random names are one string each, and read as they were");
}

int main(void)
{
	gives(dot_text, "a b", "\"a b\"", "plain");
	gives(dot_text, "", "\"\"", "nothing");
	gives(dot_text, "a\"];n1->n2[label=\"", "\"a\\\"];n1->n2[label=\\\"\"", "quotes");
	gives(dot_text, "C:\\N\\", "\"C:\\\\N\\\\\"", "backslashes: no escapes, nor one of the last quote");
	gives(dot_text, "<b>&lt;</b>", "\"<b>&lt;</b>\"", "no HTML-like label: it is in quotes");
	random_names();
	return done();
}
