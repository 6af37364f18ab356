// SPDX-License-Identifier: GPL-2.0-only
/* Quoting in HTML: no byte of a name is markup, between tags or in an attribute. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "output/html.h"
#include "quoting.h"
#include "tap.h"

/* Nothing of random bytes ends a text or a value in double quotes. */
static void random_bytes(void)
{
	uint64_t state = 1;
	uint32_t wrong = 0;
	char text[64];

	for (int i = 0; i < 20000; i++) {
		char *got;

		for (size_t j = 0; j < sizeof(text) - 1; j++) {
			text[j] = 1 + random_below(&state, 255);
		}
		text[sizeof(text) - 1] = '\0';
		got = quoted(html_text, text);
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

	gives(html_text, "</script><b a=\"x\" c='y'>&amp;", "&lt;/script&gt;&lt;b a=&quot;x&quot; c=&#39;y&#39;&gt;&amp;amp;",
	      "markup is text");
	gives(html_text, "a\x1b[31m\r\nb\tc", "a?[31m? b c", "control characters are replaced");
	gives(html_text, "\xe2\x80\xaeright\xe2\x81\xa6", "?right?", "marks of direction are replaced");
	gives(html_text, "\xff<\xc3", "\xef\xbf\xbd&lt;\xef\xbf\xbd", "bytes that are no UTF-8 are replaced");
	gives(html_text, "\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d", "\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d", "letters stay");
	gives(html_text, NULL, "", "NULL is nothing");
	random_bytes();
	out = open_memstream(&written, &size);
	html_put(out, "<%s> %d%%", "a&b", 5);
	html_put_free(out, strdup("\""));
	fclose(out);
	ok(!strcmp(written, "&lt;a&amp;b&gt; 5%&quot;"), "so is what is formatted");
	free(written);
	return done();
}
