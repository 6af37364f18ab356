// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "program/library-code.h"
#include "program/symbols.h"

/* Those of the C++ library and of Eigen have no ending. */
static bool is_header(const char *path)
{
	static const char *const endings[] = {
		".h", ".hh", ".hpp", ".hxx", ".ipp", ".inl", ".tcc",
	};
	const char *ending = strrchr(base_name(path), '.');

	for (size_t i = 0; ending && i < ARRAY_SIZE(endings); i++)
		if (!strcmp(ending, endings[i]))
			return true;
	return !ending;
}

/* Does the path name a folder that holds copies of other people's code, or well-known headers? */
static bool is_vendored(const char *path)
{
	static const char *const folders[] = {
		"third_party", "third-party", "thirdparty", "3rdparty", "vendor", "external",
		"extern", "_deps", "subprojects", "Eigen", "boost",
	};

	for (const char *slash = strchr(path, '/'); slash; path = slash + 1,
	     slash = strchr(path, '/'))
		for (size_t i = 0; i < ARRAY_SIZE(folders); i++)
			if (strlen(folders[i]) == (size_t)(slash - path) &&
			    !strncmp(path, folders[i], slash - path))
				return true;
	return false;
}

bool library_file(const char *path)
{
	static const char *const starts[] = {
		"/usr/include/", "/usr/local/include/", "/usr/lib/", "/usr/local/go/",
		"/opt/intel/", "/rustc/", "/lib/", "/lib64/",
	};
	static const char *const parts[] = {
		"/include/c++/", "/lib/gcc/", "/lib/clang/", "/rustlib/src/",
		"/.cargo/registry/", "/.cargo/git/", "/pkg/mod/", "/site-packages/",
		"/dist-packages/",
	};

	for (size_t i = 0; path && i < ARRAY_SIZE(starts); i++)
		if (!strncmp(path, starts[i], strlen(starts[i])))
			return true;
	for (size_t i = 0; path && i < ARRAY_SIZE(parts); i++)
		if (strstr(path, parts[i]))
			return true;
	return false;
}

bool library_source(const char *path)
{
	return library_file(path) || (path && is_header(path) && is_vendored(path));
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
