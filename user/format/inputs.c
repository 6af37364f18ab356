// SPDX-License-Identifier: GPL-2.0-only
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/output-file.h"
#include "format/inputs.h"

/* Which a pattern may find once more: its bursts would count twice. */
static bool is_there(const struct inputs *inputs, const char *path)
{
	size_t i;

	for (i = 0; i < inputs->count && !is_same_file(inputs->paths[i], path); i++)
		;
	return i < inputs->count;
}

static void add(struct inputs *inputs, const char *path)
{
	if (is_there(inputs, path))
		return;
	inputs->paths = grow(inputs->paths, inputs->count, &inputs->capacity,
			     sizeof(*inputs->paths));
	inputs->paths[inputs->count++] = xstrdup(path);
}

static int by_version(const void *a, const void *b)
{
	return strverscmp(*(char *const *)a, *(char *const *)b);
}

void inputs_add(struct inputs *inputs, const char *name)
{
	size_t first = inputs->count;
	glob_t found;

	if (!strpbrk(name, "*?[") || !access(name, F_OK) || glob(name, GLOB_NOSORT, NULL, &found)) {
		add(inputs, name);
		return;
	}
	for (size_t i = 0; i < found.gl_pathc; i++)
		add(inputs, found.gl_pathv[i]);
	globfree(&found);
	qsort(inputs->paths + first, inputs->count - first, sizeof(*inputs->paths), by_version);
}

char *inputs_name(const struct inputs *inputs)
{
	if (inputs->count == 1)
		return xstrdup(inputs->paths[0]);
	return xasprintf("%s and %zu more", inputs->paths[0], inputs->count - 1);
}

void inputs_drop(struct inputs *inputs)
{
	while (inputs->count)
		free(inputs->paths[--inputs->count]);
	free(inputs->paths);
	inputs->paths = NULL;
}
