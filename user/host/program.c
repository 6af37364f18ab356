// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/memory.h"
#include "host/program.h"

int program_why_not(const char *path)
{
	struct stat status;

	if (stat(path, &status))
		return errno;
	if (S_ISDIR(status.st_mode))
		return EISDIR;
	if (!S_ISREG(status.st_mode))
		return EACCES;
	return access(path, X_OK) ? errno : 0;
}

char *program_find(const char *name, int *error)
{
	const char *at = getenv("PATH");
	char *path;
	int why;

	*error = ENOENT;
	if (strchr(name, '/')) {
		*error = program_why_not(name);
		return *error ? NULL : xstrdup(name);
	}
	for (at = at ? at : "/bin:/usr/bin"; *name; at++) {
		int size = strcspn(at, ":");

		path = size ? xasprintf("%.*s/%s", size, at, name) : xstrdup(name);
		why = program_why_not(path);
		if (!why)
			return path;
		free(path);
		if (why == EACCES)
			*error = EACCES;
		at += size;
		if (!*at)
			break;
	}
	return NULL;
}

char *program_find_or_say(const char *name)
{
	int error;
	char *path = program_find(name, &error);

	if (!path && error == ENOENT && !strchr(name, '/'))
		fail("cannot run %s: there is no such program in PATH", name);
	else if (!path)
		fail("cannot run %s: %s", name, strerror(error));
	return path;
}
