// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "program/demangle-rust.h"
#include "program/demangle.h"

#define NAME_MOST	(1u << 15)	/* longer ones are shown as they are */

/* Of the C++ ABI, in libstdc++: the only demangler that C may call on every Linux. */
char *__cxa_demangle(const char *name, char *buffer, size_t *size, int *status);

char *demangle(const char *name)
{
	char *rust;
	int status;

	if (name[0] != '_' || strlen(name) > NAME_MOST)
		return NULL;
	if (name[1] == 'R')
		return demangle_rust(name);
	if (name[1] != 'Z')
		return NULL;
	rust = demangle_rust_legacy(name);
	return rust ? rust : __cxa_demangle(name, NULL, NULL, &status);
}
