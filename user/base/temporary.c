// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "base/temporary.h"

const char *temporary_place(void)
{
	const char *place = getenv("TMPDIR");

	return place && *place ? place : "/tmp";
}

static char *name_of(const char *what)
{
	return xasprintf("%s/ccsample-%s-XXXXXX", temporary_place(), what);
}

int temporary_file(const char *what, char **path)
{
	*path = name_of(what);
	return mkostemp(*path, O_CLOEXEC);
}

char *temporary_directory(const char *what)
{
	char *path = name_of(what);

	if (mkdtemp(path))
		return path;
	fail("cannot make a directory %s: %s", path, strerror(errno));
	free(path);
	return NULL;
}
