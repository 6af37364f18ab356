// SPDX-License-Identifier: GPL-2.0-only
/* Lines as they were written, and an end of what has none: a line, a text, zero bytes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text-lines.h"
#include "base/memory.h"
#include "tap.h"

#define SMALL	65536u

static char path[] = "/tmp/ccsample-test-text-lines-XXXXXX";

static void write_text(const char *text, size_t size)
{
	FILE *file = fopen(path, "w");

	fwrite(text, 1, size, file);
	fclose(file);
}

/* The lines of a text, with bars between; "!" at the end where one line was said. */
static char *read_text(const char *from, uint64_t most)
{
	struct text_lines lines;
	char *all = xstrdup("");

	if (text_lines_open(&lines, from, "text", most))
		return all;
	while (text_lines_next(&lines) && lines.number < 100) {
		char *more = xasprintf("%s%s|", all, lines.text);

		free(all);
		all = more;
	}
	if (text_lines_close(&lines)) {
		char *more = xasprintf("%s!", all);

		free(all);
		all = more;
	}
	return all;
}

static void check(const char *text, size_t size, uint64_t most, const char *wanted,
		  const char *name)
{
	char *got;

	write_text(text, size);
	got = read_text(path, most);
	ok(!strcmp(got, wanted), "%s: '%s'", name, got);
	free(got);
}

int main(void)
{
	char *longest = malloc(TEXT_LINE_MOST + 2), *got;
	int fd = mkstemp(path);

	close(fd);
	check("a\n\nb c\n", 7, SMALL, "a||b c|", "lines");
	check("a\nb", 3, SMALL, "a|b|", "the last one without its end");
	check("", 0, SMALL, "", "nothing");
	check("a\nb\0c\n", 6, SMALL, "a|!", "a zero byte");
	check("ab\ncd\n", 6, 6, "ab|cd|", "as many bytes as may be");
	check("ab\ncd\ne", 7, 6, "ab|cd|!", "one more");
	memset(longest, 'x', TEXT_LINE_MOST + 2);
	check(longest, TEXT_LINE_MOST + 2, UINT64_MAX, "!", "a line too long");
	got = read_text("/dev/zero", SMALL);
	ok(!strcmp(got, "!"), "a file without end: '%s'", got);
	free(got);
	free(longest);
	unlink(path);
	return done();
}
