// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/read-file.h"

#define LEAST	4096u

char *read_rest(int fd, size_t most, size_t *size)
{
	size_t room = 0;
	char *text = NULL;
	ssize_t got;

	*size = 0;
	do {
		if (*size == room) {
			room = room ? 2 * room : LEAST;
			room = room < most ? room : most;
			text = xrealloc(text, room + 1);
		}
		got = read(fd, text + *size, room - *size);
		*size += got > 0 ? got : 0;
	} while ((got > 0 && *size < most) || (got < 0 && errno == EINTR));
	if (got < 0) {
		free(text);
		return NULL;
	}
	text[*size] = '\0';
	return text;
}

char *read_named(const char *path, size_t most, size_t *size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), error;
	char *text;

	if (fd < 0)
		return NULL;
	text = read_rest(fd, most, size);
	error = errno;
	close(fd);
	errno = error;
	return text;
}
