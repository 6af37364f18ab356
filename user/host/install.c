// SPDX-License-Identifier: GPL-2.0-only
#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/memory.h"
#include "host/install.h"

const struct installed install_engine = {
	.what = "the engine",
	.file = "ccsample-amd64-linux",
	.built = "engine",
	.variable = "CCSAMPLE_ENGINE",
	.access = R_OK | X_OK,
};

const struct installed install_library = {
	.what = "the library for native runs",
	.file = "libccsample-native.so",
	.built = "native",
	.variable = "CCSAMPLE_NATIVE",
	.access = R_OK,
};

const struct installed install_bursts = {
	.what = "the library of bursts",
	.file = "libccsample-bursts.so",
	.built = "bursts",
	.variable = "CCSAMPLE_BURSTS_LIBRARY",
	.access = R_OK,
};

const struct installed install_attach = {
	.what = "the library of bursts for running processes",
	.file = "libccsample-attach.so",
	.built = "bursts",
	.variable = "CCSAMPLE_BURSTS_LIBRARY",
	.access = R_OK,
};

const struct installed install_pads = {
	.what = "the library of pads",
	.file = "libccsample-pads.so",
	.built = "pads",
	.variable = "CCSAMPLE_PADS_LIBRARY",
	.access = R_OK,
};

const struct installed install_mpi = {
	.what = "the library of MPI",
	.file = "libccsample-mpi.so",
	.built = "mpi",
	.variable = "CCSAMPLE_MPI_LIBRARY",
	.access = R_OK,
};

/* Return: the absolute path if the file is there, or NULL. */
static char *found_at(const struct installed *installed, const char *dir, const char *below)
{
	char *path = xasprintf("%s%s", dir, below);
	char *whole = xasprintf("%s/%s", path, installed->file);
	char *real = access(whole, installed->access) ? NULL : realpath(path, NULL);

	free(whole);
	free(path);
	return real;
}

static char *search(const struct installed *installed, char **why)
{
	const char *given = getenv(installed->variable), *file = installed->file;
	char exe[PATH_MAX];
	ssize_t size = readlink("/proc/self/exe", exe, sizeof(exe) - 1);
	char *dir, *built, *found;

	if (given && *given) {
		found = found_at(installed, given, "");
		if (!found)
			*why = xasprintf("%s (%s) is not in %s, which %s names", installed->what,
					 file, given, installed->variable);
		return found;
	}
	exe[size > 0 ? size : 0] = 0;
	dir = dirname(exe);
	built = xasprintf("/%s", installed->built);
	found = found_at(installed, dir, built);
	free(built);
	if (!found)
		found = found_at(installed, dir, "/" CCSAMPLE_LIBEXEC);
	if (!found)
		*why = xasprintf("%s (%s) is neither in %s/%s nor in %s/" CCSAMPLE_LIBEXEC ": run "
				 "make, or name its directory in %s", installed->what, file, dir,
				 installed->built, dir, installed->variable);
	return found;
}

char *install_look(const struct installed *installed, char **why)
{
	char *dir = search(installed, why);

	if (!dir || !strpbrk(dir, " :"))
		return dir;
	*why = xasprintf("%s cannot run from %s: the dynamic linker preloads nothing from a path "
			 "with a space or a colon; build or install it elsewhere", installed->what,
			 dir);
	free(dir);
	return NULL;
}

char *install_find(const struct installed *installed)
{
	char *why, *dir = install_look(installed, &why);

	if (dir)
		return dir;
	fail("%s", why);
	free(why);
	return NULL;
}
