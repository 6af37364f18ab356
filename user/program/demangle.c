// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <libiberty/demangle.h>

#include "base/memory.h"
#include "base/text.h"
#include "program/demangle.h"

#define NAME_MOST	(1u << 15)	/* longer ones are shown as they are */

struct readable {
	size_t size;
	jmp_buf full;
	char text[NAME_MOST];
};

/* @piece: NULL where @size is 0 */
static void append(const char *piece, size_t size, void *data)
{
	struct readable *name = data;

	if (!size)
		return;
	if (size >= sizeof(name->text) - name->size)
		longjmp(name->full, 1);
	memcpy(name->text + name->size, piece, size);
	name->size += size;
}

/* libiberty's cplus_demangle_v3_callback() or rust_demangle_callback() */
typedef int demangler_fn(const char *name, int options, demangle_callbackref piece, void *data);

/*
 * Names refer back to parts of themselves, so that a short one stands for gigabytes: libiberty has
 * no bound, the jump is one.
 */
static char *read_name(const char *linker_name, int options, demangler_fn *read)
{
	struct readable *name = xmalloc(sizeof(*name));
	char *found = NULL;

	name->size = 0;
	if (!setjmp(name->full) && read(linker_name, options, append, name)) {
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
	char *readable;

	if (name[0] != '_' || (name[1] != 'R' && name[1] != 'Z') || strlen(name) > NAME_MOST)
		return NULL;
	/* Both schemes of rustc, without hashes. */
	readable = read_name(name, DMGL_NO_OPTS, rust_demangle_callback);
	if (readable || name[1] == 'R')
		return readable;
	readable = read_name(name, DMGL_PARAMS | DMGL_TYPES, cplus_demangle_v3_callback);
	if (readable)
		cxx_shorten(readable);
	return readable;
}
