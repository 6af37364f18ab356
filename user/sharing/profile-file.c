// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/text-lines.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/output-file.h"
#include "base/text.h"
#include "share-model/chain.h"
#include "sharing/profile-file.h"

#define SETS_MOST	(1u << 20)	/* of a profile of each set */
#define TEXT_MOST	(512u << 20)	/* bytes: more than that many sets have */

void profile_free(struct profile *profile)
{
	free(profile->command);
	free(profile->source);
	free(profile->pages);
	free(profile->timing);
	free(profile->distances);
	free(profile->sets);
	memset(profile, 0, sizeof(*profile));
}

/* --- reading --- */

static const char *read_level(struct profile *profile, const char *value)
{
	uint64_t level;

	if (!read_number(value, &level) || level < 1 || level > 3)
		return "level takes 1, 2 or 3";
	profile->level = level;
	return NULL;
}

static const char *read_cache(struct profile *profile, const char *value)
{
	const char *error;

	/* Distances and sets have its size. */
	if (profile->cache.ways)
		return "the cache was given before";
	error = cache_geometry_parse(&profile->cache, value);
	if (error)
		return error;
	return profile->cache.ways > SHARE_WAYS_MAX ?
	       "a cache of more than 64 ways cannot be shared" : NULL;
}

static const char *read_row(const struct profile *profile, const char *value, double *row)
{
	uint32_t i;

	for (i = 0; i <= profile->cache.ways; i++) {
		char *end;

		row[i] = strtod(value, &end);
		if (end == value)
			return "there are fewer numbers than ways and one";
		if (!(row[i] >= 0) || isinf(row[i]))
			return "a number of accesses is negative, or none";
		value = end;
	}
	return value[strspn(value, " \t")] ? "there are more numbers than ways and one" : NULL;
}

static const char *read_distances(struct profile *profile, const char *value)
{
	if (!profile->cache.ways)
		return "the cache comes before the distances";
	if (profile->distances)
		return "distances were given before";
	profile->distances = xcalloc(profile->cache.ways + 1, sizeof(*profile->distances));
	return read_row(profile, value, profile->distances);
}

static const char *read_set(struct profile *profile, const char *key, const char *value)
{
	size_t row = profile->cache.ways + 1;
	uint64_t set;

	if (!profile->cache.ways)
		return "the cache comes before its sets";
	if (!read_number(key + strspn(key, " \t"), &set) || set >= profile->cache.sets)
		return "there is no such set";
	if (profile->cache.sets > SETS_MOST)
		return "profiles by set take caches of up to 1048576 sets";
	if (!profile->sets)
		profile->sets = xcalloc(profile->cache.sets * row, sizeof(*profile->sets));
	return read_row(profile, value, profile->sets + set * row);
}

static const char *take_text(char **text, const char *value)
{
	free(*text);
	*text = xstrdup(value);
	return NULL;
}

static const char *set(struct profile *profile, const char *key, const char *value)
{
	if (!strcmp(key, "command"))
		return take_text(&profile->command, value);
	if (!strcmp(key, "source"))
		return take_text(&profile->source, value);
	if (!strcmp(key, "pages"))
		return take_text(&profile->pages, value);
	if (!strcmp(key, "timing"))
		return take_text(&profile->timing, value);
	if (!strcmp(key, "level"))
		return read_level(profile, value);
	if (!strcmp(key, "cache"))
		return read_cache(profile, value);
	if (!strcmp(key, "instructions"))
		return read_number(value, &profile->instructions) ? NULL : "expected a number";
	if (!strcmp(key, "ipc"))
		return read_real(value, &profile->ipc) && profile->ipc > 0 ? NULL :
		       "ipc takes a positive number";
	if (!strcmp(key, "penalty"))
		return read_real(value, &profile->penalty) && profile->penalty >= 0 ? NULL :
		       "penalty takes a number of cycles";
	if (!strcmp(key, "distances"))
		return read_distances(profile, value);
	if (!strncmp(key, "set ", 4))
		return read_set(profile, key + 4, value);
	return "unknown key";
}

/* A # may stand inside a command: only lines that begin with one are comments. */
static const char *read_line(struct profile *profile, char *line)
{
	char *equals;

	line = trim(line);
	if (!*line || *line == '#')
		return NULL;
	equals = strchr(line, '=');
	if (!equals)
		return "expected key = value";
	*equals = '\0';
	return set(profile, trim(line), trim(equals + 1));
}

static const char *missing(const struct profile *profile)
{
	if (!profile->cache.ways)
		return "cache";
	if (!profile->distances)
		return "distances";
	if (!profile->instructions)
		return "instructions";
	return profile->ipc > 0 ? NULL : "ipc";
}

static int read_all(struct profile *profile, struct text_lines *lines)
{
	const char *error = NULL;

	while (!error && text_lines_next(lines))
		error = read_line(profile, lines->text);
	if (error && lines->number == 1)
		return fail("%s is no profile of ccsample profile: line 1: %s", lines->path, error);
	if (error)
		return fail("%s, line %u: %s", lines->path, lines->number, error);
	if (!lines->status && missing(profile))
		return fail("%s is no profile of ccsample profile: it has no '%s'", lines->path,
			    missing(profile));
	return 0;
}

int profile_read(struct profile *profile, const char *path)
{
	struct text_lines lines;
	int status;

	memset(profile, 0, sizeof(*profile));
	if (text_lines_open(&lines, path, "profile of ccsample profile", TEXT_MOST))
		return -1;
	profile->level = 3;
	status = read_all(profile, &lines);
	if (text_lines_close(&lines) || status) {
		profile_free(profile);
		return -1;
	}
	return 0;
}

/* --- writing --- */

static void write_text(FILE *file, const char *key, const char *text)
{
	if (!text)
		return;
	fprintf(file, "%s = ", key);
	for (; *text; text++)
		fputc(*text == '\n' || *text == '\r' ? ' ' : *text, file);
	fputc('\n', file);
}

static void write_row(FILE *file, const double *row, uint32_t ways)
{
	uint32_t i;

	for (i = 0; i <= ways; i++)
		fprintf(file, " %.15g", row[i]);
	fputc('\n', file);
}

static bool is_empty(const double *row, uint32_t ways)
{
	uint32_t i;

	for (i = 0; i <= ways; i++)
		if (row[i] > 0)
			return false;
	return true;
}

static void write_sets(FILE *file, const struct profile *profile)
{
	size_t row = profile->cache.ways + 1, i;

	for (i = 0; profile->sets && i < profile->cache.sets; i++) {
		const double *set = profile->sets + i * row;

		if (is_empty(set, profile->cache.ways))
			continue;
		fprintf(file, "set %zu =", i);
		write_row(file, set, profile->cache.ways);
	}
}

int profile_may_replace(const char *path)
{
	return output_may_replace(path, "# A stack-distan", "profile of ccsample");
}

int profile_write(const struct profile *profile, const char *path)
{
	struct output_file output;
	FILE *file;

	if (profile_may_replace(path) < 0 || output_file_open(&output, path) < 0)
		return -1;
	file = output.stream;
	fputs("# A stack-distance profile of ccsample; read with ccsample share\n", file);
	write_text(file, "command", profile->command);
	write_text(file, "source", profile->source);
	fprintf(file, "level = %" PRIu32 "\n", profile->level);
	fprintf(file, "cache = %" PRIu64 ",%" PRIu32 ",%" PRIu32 "\n", cache_size(&profile->cache),
		profile->cache.ways, profile->cache.line);
	write_text(file, "pages", profile->pages);
	fprintf(file, "instructions = %" PRIu64 "\n", profile->instructions);
	write_text(file, "timing", profile->timing);
	fprintf(file, "ipc = %.15g\npenalty = %.15g\n", profile->ipc, profile->penalty);
	fputs("# accesses at stack distance 1, 2, .., and beyond the ways\ndistances =", file);
	write_row(file, profile->distances, profile->cache.ways);
	write_sets(file, profile);
	return output_file_finish(&output);
}
