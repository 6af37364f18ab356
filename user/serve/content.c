// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/memory.h"
#include "serve/content.h"

#define STEP	(1u << 16)

char *content_read(int fd, const char *name, size_t *size)
{
	size_t room = 0;
	char *text = NULL;
	ssize_t got;

	*size = 0;
	lseek(fd, 0, SEEK_SET);
	do {
		if (room - *size < STEP)
			text = xrealloc(text, room = 2 * room + STEP);
		got = read(fd, text + *size, room - *size);
		*size += got > 0 ? got : 0;
	} while ((got > 0 && *size <= CONTENT_MOST) || (got < 0 && errno == EINTR));
	if (!got)
		return text;
	fail("cannot read %s: %s", name, got < 0 ? strerror(errno) : "it is too large for a page");
	free(text);
	return NULL;
}
