// SPDX-License-Identifier: GPL-2.0-only
#include <stddef.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "program/initialiser.h"

/* The bracket that closes the one at @open; NULL = none on this line. */
static const char *closing(const char *open)
{
	int depth = 0;

	for (const char *at = open; *at; at++) {
		if (strchr("([{", *at))
			depth++;
		else if (strchr(")]}", *at) && --depth == 0)
			return at;
	}
	return NULL;
}

/* Does a colon, a comma or nothing stand before a name? "ns::name" is none. */
static bool begins_item(const char *line, const char *name)
{
	while (name > line && strchr(" \t", name[-1]))
		name--;
	return name == line || name[-1] == ',' ||
	       (name[-1] == ':' && (name - line < 2 || name[-2] != ':'));
}

/* What follows an initialiser, unlike a call: the next one, the constructor's body, or nothing. */
static bool ends_item(const char *end)
{
	end += strspn(end, " \t\r\n");
	return !*end || *end == ',' || *end == '{';
}

char *initialiser_member(const char *line, uint32_t column)
{
	const char *wanted, *name, *open, *close;

	if (!column || column > strlen(line))
		return NULL;
	wanted = line + column - 1;
	for (const char *at = line; *at && at <= wanted; at = close + 1) {
		open = at + strcspn(at, "({[");
		close = *open ? closing(open) : NULL;
		if (!close)
			return NULL;
		for (name = open; name > at && of_word(name[-1]); name--)
			;
		/* What the closing bracket itself says is of members without an initialiser. */
		if (name < open && name <= wanted && wanted < close && begins_item(line, name))
			return ends_item(close + 1) ? xstrndup(name, open - name) : NULL;
	}
	return NULL;
}
