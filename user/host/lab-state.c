// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/memory.h"
#include "host/lab-state.h"

#define FIRST_LINE	"ccsample lab 1"
#define LAST_LINE	"end"

static int put_line(FILE *file, const char *name, const char *value)
{
	return fprintf(file, "%s %s\n", name, value) < 0;
}

static int put_all(FILE *file, unsigned int cpu, const struct lab_saved *items, size_t count)
{
	size_t i;

	if (fprintf(file, FIRST_LINE "\ncpu %u\n", cpu) < 0)
		return -1;
	for (i = 0; i < count; i++)
		if (put_line(file, items[i].name, items[i].value))
			return -1;
	return fputs(LAST_LINE "\n", file) < 0 || fflush(file) || fsync(fileno(file)) ? -1 : 0;
}

/* A temporary file next to it, whole, on disk. Return: its name, to be freed; NULL with errno. */
static char *write_temporary(const char *path, unsigned int cpu, const struct lab_saved *items,
			  size_t count)
{
	char *temporary = xasprintf("%s.XXXXXX", path);
	int fd = mkstemp(temporary), error;
	FILE *file = fd < 0 ? NULL : fdopen(fd, "w");

	if (!file) {
		free(temporary);
		return NULL;
	}
	error = put_all(file, cpu, items, count) || fchmod(fd, 0644) ? errno : 0;
	if (fclose(file) && !error)
		error = errno;
	if (!error)
		return temporary;
	unlink(temporary);
	free(temporary);
	errno = error;
	return NULL;
}

int lab_state_save(const char *path, unsigned int cpu, const struct lab_item *const *items,
		   size_t count)
{
	struct lab_saved *saved = xcalloc(count + 1, sizeof(*saved));
	char *temporary;
	int result = 0;
	size_t i;

	for (i = 0; i < count; i++)
		saved[i] = (struct lab_saved){ items[i]->name, items[i]->value };
	temporary = write_temporary(path, cpu, saved, count);
	if (!temporary)
		result = fail("cannot keep the former state in %s: %s; nothing was changed (tuning "
			      "needs root: sudo)", path, strerror(errno));
	else if (link(temporary, path))
		result = errno == EEXIST ?
			 fail("%s holds the state of an earlier tune: ccsample lab reset first; "
			      "nothing was changed", path) :
			 fail("cannot keep the former state in %s: %s; nothing was changed", path,
			      strerror(errno));
	if (temporary)
		unlink(temporary);
	free(temporary);
	free(saved);
	return result;
}

/* "name value"; what is no such line makes the file none of ours. */
static int take_line(struct lab_saved_state *state, char *line)
{
	char *value = strchr(line, ' '), *end;

	if (!value || value == line || !value[1])
		return -1;
	*value++ = 0;
	if (!strcmp(line, "cpu")) {
		state->cpu = strtoul(value, &end, 10);
		return *value >= '0' && *value <= '9' && !*end ? 0 : -1;
	}
	state->items = grow(state->items, state->count, &state->room, sizeof(*state->items));
	state->items[state->count++] = (struct lab_saved){ xstrdup(line), xstrdup(value) };
	return 0;
}

int lab_state_load(const char *path, struct lab_saved_state *state)
{
	struct system system = { .root = "" };
	char *text = system_text(&system, path), *rest = text, *line;
	bool whole = false;

	*state = (struct lab_saved_state){ .cpu = 0 };
	if (!text)
		return access(path, F_OK) ?
		       fail("there is no %s: the machine is not tuned, or its state was kept "
			    "elsewhere (--state)", path) :
		       fail("cannot read %s", path);
	line = strsep(&rest, "\n");
	if (line && !strcmp(line, FIRST_LINE)) {
		while ((line = strsep(&rest, "\n"))) {
			whole = !strcmp(line, LAST_LINE);
			if (whole || take_line(state, line))
				break;
		}
	}
	free(text);
	if (whole)
		return 0;
	lab_state_free(state);
	return fail("%s is no state that ccsample lab tune kept; nothing was changed", path);
}

void lab_state_drop(struct lab_saved_state *state, size_t index)
{
	free(state->items[index].name);
	free(state->items[index].value);
	state->count--;
	memmove(state->items + index, state->items + index + 1,
		(state->count - index) * sizeof(*state->items));
}

int lab_state_keep(const char *path, const struct lab_saved_state *state)
{
	char *temporary;
	int result;

	if (!state->count)
		return unlink(path) ? fail("cannot take %s away: %s", path, strerror(errno)) : 0;
	temporary = write_temporary(path, state->cpu, state->items, state->count);
	result = !temporary || rename(temporary, path) ?
		 fail("cannot write %s: %s", path, strerror(errno)) : 0;
	free(temporary);
	return result;
}

void lab_state_free(struct lab_saved_state *state)
{
	for (size_t i = 0; i < state->count; i++) {
		free(state->items[i].name);
		free(state->items[i].value);
	}
	free(state->items);
	*state = (struct lab_saved_state){ .cpu = 0 };
}
