// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "base/array.h"
#include "program/library-code.h"
#include "program/symbols.h"

bool library_source(const char *path)
{
	static const char *const starts[] = {
		"/usr/include/", "/usr/local/include/", "/usr/lib/", "/usr/local/go/",
		"/opt/intel/", "/rustc/",
	};
	static const char *const parts[] = {
		"/include/c++/", "/lib/gcc/", "/lib/clang/", "/rustlib/src/",
		"/.cargo/registry/", "/.cargo/git/", "/pkg/mod/",
	};

	if (!path)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(starts); i++)
		if (!strncmp(path, starts[i], strlen(starts[i])))
			return true;
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		if (strstr(path, parts[i]))
			return true;
	return false;
}

/* The Rust library's sources are relative to where it was built. */
static bool of_library(const struct location *location)
{
	return library_source(location->source) ||
	       (location->source && *location->source != '/' && location->directory &&
		!strncmp(location->directory, "/rustc/", 7));
}

size_t own_location(const struct location *chain, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!of_library(&chain[i]))
			return i;
	return 0;
}
