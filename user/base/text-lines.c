// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/text-lines.h"
#include "base/memory.h"

int text_lines_open(struct text_lines *lines, const char *path, const char *kind, uint64_t most)
{
	*lines = (struct text_lines){
		.file = fopen(path, "re"), .path = path, .kind = kind, .left = most, .most = most,
	};
	return lines->file ? 0 : fail("cannot open %s: %s", path, strerror(errno));
}

/* Why a line ends where no line does. */
static int bad_end(const struct text_lines *lines, int byte)
{
	if (ferror(lines->file))
		return fail("cannot read %s: %s", lines->path, strerror(errno));
	if (!byte)
		return fail("%s is no %s: line %u has a zero byte", lines->path, lines->kind,
			    lines->number);
	if (!lines->left)
		return fail("%s is no %s: it goes on after %" PRIu64 " MiB", lines->path,
			    lines->kind, lines->most >> 20);
	return fail("%s is no %s: line %u has more than %u MiB", lines->path, lines->kind,
		    lines->number, TEXT_LINE_MOST >> 20);
}

bool text_lines_next(struct text_lines *lines)
{
	size_t size = 0;
	int byte;

	lines->number++;
	while ((byte = getc_unlocked(lines->file)) > 0 && byte != '\n' && lines->left &&
	       size < TEXT_LINE_MOST) {
		lines->text = grow(lines->text, size + 1, &lines->room, 1);
		lines->text[size++] = byte;
		lines->left--;
	}
	if (byte == EOF && !size && !ferror(lines->file))
		return false;
	lines->text = grow(lines->text, size + 1, &lines->room, 1);
	lines->text[size] = '\0';
	if (byte == '\n' && lines->left) {
		lines->left--;
		return true;
	}
	if (byte == EOF && !ferror(lines->file))
		return true;
	lines->status = bad_end(lines, byte);
	return false;
}

int text_lines_close(struct text_lines *lines)
{
	fclose(lines->file);
	free(lines->text);
	return lines->status;
}
