// SPDX-License-Identifier: GPL-2.0-only
/* Quoting in HTML: no byte of a name is markup, between tags or in an attribute. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "output/html.h"
#include "tap.h"

static char *quoted(const char *text)
{
	char *written = NULL;
	size_t size;
	FILE *out = open_memstream(&written, &size);

	html_text(out, text);
	fclose(out);
	return written;
}

static void gives(const char *text, const char *expected, const char *name)
{
	char *got = quoted(text);

	if (!ok(!strcmp(got, expected), "%s", name))
		printf("# %s\n", got);
	free(got);
}

/* Nothing of random bytes ends a text or a value in double quotes. */
static void random_bytes(void)
{
	uint32_t state = 1, wrong = 0;
	char text[64];

	for (int i = 0; i < 20000; i++) {
		char *got;

		for (size_t j = 0; j < sizeof(text) - 1; j++) {
			state = state * 1103515245u + 12345;
			text[j] = state >> 16 ? state >> 16 : 1;
		}
		text[sizeof(text) - 1] = '\0';
		got = quoted(text);
		wrong += !!strpbrk(got, "<>\"'\x1b\r\n\t\x7f");
		for (const char *at = got; (at = strchr(at, '&')); at++)
			wrong += strncmp(at, "&amp;", 5) && strncmp(at, "&lt;", 4) &&
				 strncmp(at, "&gt;", 4) && strncmp(at, "&quot;", 6) &&
				 strncmp(at, "&#39;", 5);
		free(got);
	}
	ok(!wrong, "random bytes (seed 1): no markup (%u wrong)", wrong);
}

int main(void)
{
	char *written = NULL;
	size_t size;
	FILE *out;

	gives("</script><b a=\"x\" c='y'>&amp;", "&lt;/script&gt;&lt;b a=&quot;x&quot; c=&#39;y&#39;&gt;&amp;amp;",
	      "markup is text");
	gives("a\x1b[31m\r\nb\tc", "a?[31m? b c", "control characters are replaced");
	gives("\xe2\x80\xaeright\xe2\x81\xa6", "?right?", "marks of direction are replaced");
	gives("\xff<\xc3", "\xef\xbf\xbd&lt;\xef\xbf\xbd", "bytes that are no UTF-8 are replaced");
	gives("\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d", "\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d", "letters stay");
	gives(NULL, "", "NULL is nothing");
	random_bytes();
	out = open_memstream(&written, &size);
	html_put(out, "<%s> %d%%", "a&b", 5);
	html_put_free(out, strdup("\""));
	fclose(out);
	ok(!strcmp(written, "&lt;a&amp;b&gt; 5%&quot;"), "so is what is formatted");
	free(written);
	return done();
}
