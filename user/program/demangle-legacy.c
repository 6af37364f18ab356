// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "program/demangle-rust.h"

#define HASH_SIZE 17u			/* "h" and the digits */

static bool is_hash(const char *bytes, size_t size)
{
	return size == HASH_SIZE && *bytes == 'h' &&
	       strspn(bytes + 1, "0123456789abcdef") >= HASH_SIZE - 1;
}

/* "$LT$" and the like: what they stand for, and their size; 0 = none. */
static size_t take_escape(const char *at, size_t size, char *letter)
{
	static const struct { const char *text; char letter; } escapes[] = {
		{ "$SP$", '@' }, { "$BP$", '*' }, { "$RF$", '&' }, { "$LT$", '<' },
		{ "$GT$", '>' }, { "$LP$", '(' }, { "$RP$", ')' }, { "$C$", ',' },
	};
	char *end;

	for (size_t i = 0; i < ARRAY_SIZE(escapes); i++) {
		size_t length = strlen(escapes[i].text);

		if (length <= size && !strncmp(at, escapes[i].text, length)) {
			*letter = escapes[i].letter;
			return length;
		}
	}
	if (size < 4 || strncmp(at, "$u", 2) || !isxdigit((unsigned char)at[2]))
		return 0;
	*letter = strtoul(at + 2, &end, 16);
	return end < at + size && *end == '$' && isprint((unsigned char)*letter) ?
	       (size_t)(end + 1 - at) : 0;
}

/* Writes a component, at most as long as it is. Return: where the next one goes. */
static char *put_component(char *to, const char *at, size_t size)
{
	const char *end = at + size;
	size_t length;

	if (size > 1 && *at == '_' && at[1] == '$')
		at++;
	while (at < end) {
		length = take_escape(at, end - at, to);
		if (length) {
			at += length;
		} else if (end - at > 1 && at[0] == '.' && at[1] == '.') {
			*to++ = ':';
			*to = ':';
			at += 2;
		} else {
			*to = *at++;
		}
		to++;
	}
	return to;
}

char *demangle_rust_legacy(const char *name)
{
	char *text, *to, *after;
	bool hashed = false;
	size_t size;

	if (strncmp(name, "_ZN", 3))
		return NULL;
	to = text = xmalloc(2 * strlen(name));	/* "1a" becomes "::a" at most */
	for (name += 3; !hashed && isdigit((unsigned char)*name); name += size) {
		size = strtoul(name, &after, 10);
		name = after;
		if (!size || strnlen(name, size) < size)
			break;
		hashed = is_hash(name, size) && name[size] == 'E';
		if (hashed)
			break;
		if (to != text) {
			*to++ = ':';
			*to++ = ':';
		}
		to = put_component(to, name, size);
	}
	*to = '\0';
	if (hashed)
		return text;
	free(text);
	return NULL;
}
