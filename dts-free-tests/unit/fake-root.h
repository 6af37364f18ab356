/* SPDX-License-Identifier: GPL-2.0-only */
/* Machines made of files below a directory of their own. */
#ifndef CCSAMPLE_FAKE_ROOT_H
#define CCSAMPLE_FAKE_ROOT_H

#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"

static char root[PATH_MAX];

static void make_parents(char *path)
{
	char *slash = path;

	while ((slash = strchr(slash + 1, '/'))) {
		*slash = 0;
		mkdir(path, 0755);
		*slash = '/';
	}
}

static char *below(const char *path)
{
	char *whole = xasprintf("%s%s", root, path);

	make_parents(whole);
	return whole;
}

static void put_bytes(const char *path, off_t offset, const void *bytes, size_t size)
{
	char *whole = below(path);
	int fd = open(whole, O_WRONLY | O_CREAT, 0644);

	if (fd < 0 || pwrite(fd, bytes, size, offset) != (ssize_t)size)
		abort();
	close(fd);
	free(whole);
}

static void put(const char *path, const char *text)
{
	char *whole = below(path);

	unlink(whole);
	free(whole);
	put_bytes(path, 0, text, strlen(text));
}

static inline void put_link(const char *path, const char *target)
{
	char *whole = below(path);

	if (symlink(target, whole))
		abort();
	free(whole);
}

static int drop(const char *path, const struct stat *status, int type, struct FTW *at)
{
	return remove(path);
}

static void remove_root(void)
{
	if (root[0])
		nftw(root, drop, 16, FTW_DEPTH | FTW_PHYS);
}

/* An empty machine. */
static void begin(void)
{
	remove_root();
	snprintf(root, sizeof(root), "/tmp/ccsample-root-XXXXXX");
	if (!mkdtemp(root))
		abort();
}

#endif /* CCSAMPLE_FAKE_ROOT_H */
