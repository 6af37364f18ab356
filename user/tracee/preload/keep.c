// SPDX-License-Identifier: GPL-2.0-only
#include <stdbool.h>
#include <string.h>

#include "tracee/preload/keep.h"
#include "tracee/preload/ring.h"

#define VARIABLE	"LD_PRELOAD="
#define NATIVE		"/libccsample-native.so"
#define BURSTS		"/libccsample-bursts.so"
#define SEPARATORS	": "		/* ld.so(8) */

static char ours[1024];			/* "" = none are kept */

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

/* Of two the linker takes the last. Return: its place, the number of strings = it is not set. */
static size_t find(char *const environment[], size_t *count, bool *recorded)
{
	size_t n, at = 0;
	bool found = false;

	*recorded = false;
	for (n = 0; environment && environment[n]; n++) {
		*recorded |= begins(environment[n], RING_ENVIRONMENT "=");
		if (!begins(environment[n], VARIABLE))
			continue;
		found = true;
		at = n;
	}
	*count = n;
	return found ? at : n;
}

/* Return: the place of what is to be changed, -1 = nothing is. */
static long dropped_at(char *const environment[], size_t *count)
{
	bool recorded;
	size_t at = find(environment, count, &recorded);
	const char *value;

	if (!*ours || !recorded || at == *count)
		return -1;
	value = environment[at] + strlen(VARIABLE);
	/* A sanitizer's library (libasan, libclang_rt.asan) refuses not to be the first. */
	return value[strspn(value, SEPARATORS)] && !strstr(value, NATIVE) &&
	       !strstr(value, "san") ? (long)at : -1;
}

static bool is_ours(const char *path, size_t size)
{
	return memmem(path, size, NATIVE, strlen(NATIVE)) ||
	       memmem(path, size, BURSTS, strlen(BURSTS));
}

void keep_init(char **environment)
{
	bool recorded;
	size_t count, used = 0, at = find(environment, &count, &recorded), size;
	const char *next = at < count ? environment[at] + strlen(VARIABLE) : "";

	for (; *next; next += size) {
		next += strspn(next, SEPARATORS);
		size = strcspn(next, SEPARATORS);
		if (!is_ours(next, size) || used + size + 2 > sizeof(ours))
			continue;
		memcpy(ours + used, next, size);
		used += size;
		ours[used++] = ':';
	}
	ours[used] = 0;
}

/* Return: the place of what has our libraries, -1 = nothing has. */
static long kept_at(char *const environment[], size_t *count)
{
	bool recorded;
	size_t at = find(environment, count, &recorded);

	return at < *count && is_ours(environment[at], strlen(environment[at])) ? (long)at : -1;
}

static void take_out(const char *value, char *text)
{
	size_t size;

	for (; *value; value += size) {
		value += strspn(value, SEPARATORS);
		size = strcspn(value, SEPARATORS);
		if (!size || is_ours(value, size))
			continue;
		memcpy(text, value, size);
		text += size;
		*text++ = ':';
	}
	*text = 0;
}

struct kept_room keep_room(char *const environment[], bool takes)
{
	size_t count;
	long at = takes ? dropped_at(environment, &count) : kept_at(environment, &count);

	if (at < 0)
		return (struct kept_room){ 1, 1 };
	return (struct kept_room){ count + 1, strlen(environment[at]) + strlen(ours) + 2 };
}

/* In place of the string at @at, which goes where nothing is left of it. */
static void replace(const char **strings, size_t at, size_t count, const char *text)
{
	strings[at] = text;
	if (!strcmp(text, VARIABLE))
		memmove(strings + at, strings + at + 1, (count - at) * sizeof(*strings));
}

char *const *keep_libraries(char *const environment[], bool takes, const char **strings,
			    char *text)
{
	size_t count;
	long at = takes ? dropped_at(environment, &count) : kept_at(environment, &count);

	if (at < 0)
		return environment;
	memcpy(strings, environment, (count + 1) * sizeof(*strings));
	strcpy(text, VARIABLE);
	if (takes) {
		strcat(text, ours);
		strcat(text, environment[at] + strlen(VARIABLE));
	} else {
		take_out(environment[at] + strlen(VARIABLE), text + strlen(VARIABLE));
	}
	replace(strings, at, count, text);
	return (char *const *)strings;
}
