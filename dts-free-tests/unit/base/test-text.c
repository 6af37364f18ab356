// SPDX-License-Identifier: GPL-2.0-only
/* Commands as a shell reads them. */
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

int main(void)
{
	joined((char *[]){ "./app", "--port=7", "a,b", "x@y:/z+1%", NULL },
	       "./app --port=7 a,b x@y:/z+1%");
	joined((char *[]){ "server", "--save", "", "a b", NULL }, "server --save '' 'a b'");
	joined((char *[]){ "it's", "$HOME", "a\nb", NULL }, "'it'\\''s' '$HOME' 'a\nb'");
	joined(NULL, "");
	joined((char *[]){ NULL }, "");
	return done();
}
