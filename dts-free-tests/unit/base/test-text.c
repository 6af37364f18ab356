// SPDX-License-Identifier: GPL-2.0-only
/* Commands as a shell reads them, names of modules. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "tap.h"

static void joined(char *const *words, const char *expected)
{
	char *text = join_words(words);

	ok(!strcmp(text, expected), "%s: %s", expected, text);
	free(text);
}

static void plain(const char *text, const char *expected)
{
	char *name = drop_abi_tags(strdup(text));

	ok(!strcmp(name, expected), "%s: %s", expected, name);
	free(name);
}

int main(void)
{
	joined((char *[]){ "./app", "--port=7", "a,b", "x@y:/z+1%", NULL },
	       "./app --port=7 a,b x@y:/z+1%");
	joined((char *[]){ "server", "--save", "", "a b", NULL }, "server --save '' 'a b'");
	joined((char *[]){ "it's", "$HOME", "a\nb", NULL }, "'it'\\''s' '$HOME' 'a\nb'");
	ok(!strcmp(shown_input("-"), "standard input") && !strcmp(shown_input("-a"), "-a") &&
	   !strcmp(shown_input(NULL), "standard input"), "what an input is called");
	ok(!strcmp(shown_output("-"), "standard output") && !strcmp(shown_output("b"), "b"),
	   "... and an output");
	joined(NULL, "");
	joined((char *[]){ NULL }, "");
	plain("block of _umath.cpython-311-x86_64-linux-gnu.so (a.cpython-39-x86_64-linux-gnu.so+0x1c)",
	      "block of _umath.so (a.so+0x1c)");
	plain("a.cpython-311.pyc", "a.cpython-311.pyc");
	return done();
}
