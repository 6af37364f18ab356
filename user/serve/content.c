// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/read-file.h"
#include "serve/content.h"

char *content_read(int fd, const char *name, size_t *size)
{
	char *text;

	lseek(fd, 0, SEEK_SET);
	text = read_rest(fd, CONTENT_MOST + 1, size);
	if (text && *size <= CONTENT_MOST)
		return text;
	fail("cannot read %s: %s", name, text ? "it is too large for a page" : strerror(errno));
	free(text);
	return NULL;
}
