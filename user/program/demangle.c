// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <libiberty/demangle.h>

#include "base/memory.h"
#include "base/text.h"
#include "program/demangle.h"

#define NAME_MOST	(1u << 15)	/* longer ones are shown as they are */

/* Of the C++ ABI, in libstdc++: the only demangler of C++ that C may call on every Linux. */
char *__cxa_demangle(const char *name, char *buffer, size_t *size, int *status);

struct rust_name {
	size_t size;
	jmp_buf full;
	char text[NAME_MOST];
};

/* @piece: NULL where @size is 0 */
static void append(const char *piece, size_t size, void *data)
{
	struct rust_name *name = data;

	if (!size)
		return;
	if (size >= sizeof(name->text) - name->size)
		longjmp(name->full, 1);
	memcpy(name->text + name->size, piece, size);
	name->size += size;
}

/*
 * Both schemes of rustc, without hashes. Names of the newer one may refer back to parts of
 * themselves, so that a short one stands for gigabytes: libiberty has no bound, the jump is one.
 */
static char *demangle_rust(const char *linker_name)
{
	struct rust_name *name = xmalloc(sizeof(*name));
	char *found = NULL;

	name->size = 0;
	if (!setjmp(name->full) &&
	    rust_demangle_callback(linker_name, DMGL_NO_OPTS, append, name)) {
		append("", 1, name);
		found = xstrdup(name->text);
	}
	free(name);
	return found;
}

/* The end of a template argument that begins at @at: the comma or bracket behind it. */
static char *argument_end(char *at)
{
	const char *text = at;
	int depth = 0;

	for (; *at && (depth || !strchr(",>", *at)); at++)
		depth += name_bracket(text, at);
	return at;
}

static void drop(char *from, const char *to)
{
	memmove(from, to, strlen(to) + 1);
}

void cxx_shorten(char *name)
{
	static const char *const defaults[] = {
		", std::allocator<", ", std::char_traits<", ", std::less<", ", std::hash<",
		", std::equal_to<", ", std::default_delete<",
	};
	static const char string[] = "std::basic_string<char>", namespace[] = "__cxx11::";
	char *at;

	while ((at = strstr(name, namespace)))
		drop(at, at + strlen(namespace));
	for (size_t i = 0; i < ARRAY_SIZE(defaults); i++)
		while ((at = strstr(name, defaults[i])))
			drop(at, argument_end(at + 2));
	while ((at = strstr(name, " >")) && at > name)
		drop(at, at + 1);
	while ((at = strstr(name, string))) {
		drop(at + strlen("std::string"), at + strlen(string));
		memcpy(at, "std::string", strlen("std::string"));
	}
}

char *demangle(const char *name)
{
	char *rust, *cxx;
	int status;

	if (name[0] != '_' || (name[1] != 'R' && name[1] != 'Z') || strlen(name) > NAME_MOST)
		return NULL;
	rust = demangle_rust(name);
	if (rust || name[1] == 'R')
		return rust;
	cxx = __cxa_demangle(name, NULL, NULL, &status);
	if (cxx)
		cxx_shorten(cxx);
	return cxx;
}
