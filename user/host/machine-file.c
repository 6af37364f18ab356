// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "base/read-file.h"
#include "base/text.h"
#include "cachesim/policy-names.h"
#include "host/machine-file.h"

#define TEXT_MOST	65535u	/* bytes */

/* One setting of a level. Return: NULL, or what is wrong. */
static const char *set_level(struct level_plan *level, const char *what, const char *value)
{
	if (!*what)
		return cache_geometry_parse(&level->geometry, value);
	if (!strcmp(what, ".inclusion"))
		return inclusion_named(value, &level->inclusion) ? NULL :
		       "expected inclusive, exclusive or non-inclusive";
	if (!strcmp(what, ".policy"))
		return policy_named(value, &level->policy) ? NULL : "expected lru, plru or fifo";
	if (strcmp(what, ".hash"))
		return "unknown key";
	level->hash = slice_hash_named(value);
	return level->hash ? NULL : "there is no published slice hash of that name";
}

static const char *set(struct hierarchy_plan *plan, const char *key, const char *value)
{
	uint32_t n = key[0] == 'L' ? (uint32_t)(key[1] - '1') : CACHE_LEVELS;

	if (!strcmp(key, "name") || !strcmp(key, "source"))
		return NULL;
	if (n >= CACHE_LEVELS)
		return "unknown key";
	if (n >= plan->levels && (n > plan->levels || key[2]))
		return "levels come in order, each with its geometry first";
	if (n == plan->levels)
		plan->levels++;
	return set_level(&plan->level[n], key + 2, value);
}

static int read_line(const char *name, unsigned int number, char *line, struct hierarchy_plan *plan)
{
	const char *error = "expected key = value";
	char *equals;

	line[strcspn(line, "#")] = '\0';
	line = trim(line);
	if (!*line)
		return 0;
	equals = strchr(line, '=');
	if (equals) {
		*equals = '\0';
		error = set(plan, trim(line), trim(equals + 1));
	}
	return error ? fail("%s, line %u: %s", name, number, error) : 0;
}

static int read_text(const char *name, char *text, struct hierarchy_plan *plan)
{
	unsigned int number = 0;
	char *line;

	memset(plan, 0, sizeof(*plan));
	while ((line = strsep(&text, "\n")))
		if (read_line(name, ++number, line, plan) < 0)
			return -1;
	return plan->levels ? 0 : fail("%s: no cache is described", name);
}

static int read_file(const char *path, struct hierarchy_plan *plan)
{
	size_t size;
	char *text = read_named(path, TEXT_MOST, &size);
	int status;

	if (!text && errno == ENOENT)
		return fail("there is no machine or file '%s': see ccsample sim --machine list",
			    path);
	if (!text)
		return fail("cannot open %s: %s", path, strerror(errno));
	status = size == TEXT_MOST ? fail("%s has more than 64 KiB: it is no machine file", path) :
		 read_text(path, text, plan);
	free(text);
	return status;
}

int machine_plan(const char *name, struct hierarchy_plan *plan)
{
	const struct known_machine *machine;
	size_t place;
	char *text;
	int status;

	for (place = 0; (machine = known_machine_at(place)); place++) {
		if (strcmp(name, machine->name))
			continue;
		text = xstrdup(machine->text);
		status = read_text(name, text, plan);
		free(text);
		return status;
	}
	return read_file(name, plan);
}
