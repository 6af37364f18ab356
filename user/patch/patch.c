// SPDX-License-Identifier: GPL-2.0-only
/*
 * Arrays whose declaration has the dimension that a cure makes longer, and calls of malloc() whose
 * size it changes: the edits that need no understanding of the program. The source is read, never
 * written.
 */
#include <ctype.h>
#include <fts.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "advise/rows.h"
#include "base/memory.h"
#include "base/text.h"
#include "patch/patch.h"
#include "program/type-text.h"

#define CONTEXT		3u	/* lines around an edit */
#define EDITS_MOST	64u
#define LINES_MOST	1000000u

/* A declaration that becomes longer, or a block. */
struct edit {
	const struct object *object;
	bool block;
	uint32_t dimension;
	uint64_t more;			/* elements of it; bytes */
};

struct source {
	char **lines;			/* without their ends */
	char **edited;			/* NULL = as it was */
	size_t count;
	bool unended;			/* the last line has no end */
};

/* --- a line --- */

/* Where a name stands by itself, with a dimension behind. Return: the bracket, or NULL. */
static const char *find_declarator(const char *text, const char *name)
{
	size_t size = strlen(name);
	const char *at, *found = NULL, *behind;

	for (at = strstr(text, name); at; at = strstr(at + 1, name)) {
		behind = at + size + strspn(at + size, " \t");
		if ((at > text && of_word(at[-1])) || *behind != '[')
			continue;
		if (found)
			return NULL;
		found = behind;
	}
	return found;
}

/* The end of a dimension that begins with a bracket, NULL if there is none on the line. */
static const char *dimension_end(const char *at)
{
	int depth = 0;

	for (; *at; at++) {
		depth += (*at == '[') - (*at == ']');
		if (!depth)
			return at;
	}
	return NULL;
}

static bool is_simple(const char *text, size_t size)
{
	while (size && of_word(*text))
		text++, size--;
	return !size;
}

char *patch_lengthen(const char *text, const char *name, uint32_t dimension, uint64_t more)
{
	const char *at = *name ? find_declarator(text, name) : NULL, *end = NULL;
	size_t size;

	for (; at; at = end + 1 + strspn(end + 1, " \t")) {
		end = *at == '[' ? dimension_end(at) : NULL;
		if (!end || !dimension--)
			break;
	}
	if (!end || end == at + 1)
		return NULL;
	at++;
	size = end - at;
	if (is_simple(at, size))
		return xasprintf("%.*s%.*s + %" PRIu64 "%s", (int)(at - text), text, (int)size, at,
				 more, end);
	return xasprintf("%.*s(%.*s) + %" PRIu64 "%s", (int)(at - text), text, (int)size, at, more,
			 end);
}

/* The one call of a function on the line. Return: behind its bracket, or NULL. */
static const char *find_call(const char *text, const char *name, size_t *calls)
{
	const char *at, *found = NULL, *behind;

	for (at = strstr(text, name); at; at = strstr(at + 1, name)) {
		behind = at + strlen(name) + strspn(at + strlen(name), " \t");
		if ((at > text && of_word(at[-1])) || *behind != '(')
			continue;
		found = behind + 1;
		++*calls;
	}
	return found;
}

/* The end of an argument: a comma or the last bracket; NULL where it is more than a size. */
static const char *argument_end(const char *at)
{
	int depth = 0;

	for (; *at && !strchr("\"'?=;{}", *at); at++) {
		if (!depth && (*at == ')' || *at == ','))
			return at;
		depth += (*at == '(') - (*at == ')');
	}
	return NULL;
}

char *patch_block(const char *text, uint64_t more)
{
	size_t calls = 0, size;
	const char *plain = find_call(text, "malloc", &calls), *end;
	const char *aligned = find_call(text, "aligned_alloc", &calls), *at = plain, *from = plain;

	if (calls != 1)
		return NULL;
	if (aligned) {
		end = argument_end(aligned);
		if (!end || *end != ',')
			return NULL;
		at = end + 1 + strspn(end + 1, " \t");
		for (from = aligned - 1; from > text && !of_word(from[-1]); from--)
			;
		from -= strlen("aligned_alloc");
	}
	end = argument_end(at);
	size = end ? end - at : 0;
	if (!size || *end != ')' || (plain && !more))
		return NULL;
	if (!more)
		return xasprintf("%.*smalloc(%.*s%s", (int)(from - text), text, (int)size, at, end);
	return xasprintf(is_simple(at, size) ? "%.*s%s%.*s + %" PRIu64 "%s" :
			 "%.*s%s(%.*s) + %" PRIu64 "%s", (int)(from - text), text,
			 aligned ? "malloc(" : "", (int)size, at, more, end);
}

/* --- what becomes longer --- */

/* The dimension whose elements, of so many bytes, make up the pad. */
static bool edit_of(const struct layout_change *change, struct edit *edit)
{
	const struct object *object = change->object;
	uint64_t dimensions[TYPE_DIMENSIONS], element = object->bytes, pad = change->step;
	size_t count = type_dimensions(object->type, dimensions), at = 0;

	if (change->kind == CHANGE_RESIZE && object->kind == OBJECT_HEAP) {
		*edit = (struct edit){
			.object = object, .block = true, .more = change->to - change->from,
		};
		return true;
	}
	/* Brackets are looked for, which Fortran has not; one of them changes. */
	if (object->kind != OBJECT_GLOBAL || !count || type_is_fortran(object->type) ||
	    change->inner)
		return false;
	if (change->kind == CHANGE_ROWS) {
		pad = change->to - change->from;
		while (at < count && element > change->from)
			element /= dimensions[at++];
		if (element != change->from || at == count)
			return false;
	} else if (change->kind != CHANGE_LENGTHEN) {
		return false;
	}
	element /= dimensions[at];
	if (!element || pad % element)
		return false;
	*edit = (struct edit){ .object = object, .dimension = at, .more = pad / element };
	return true;
}

/* "matrix.c:15": its file, and its line. Return: the file's name, to be freed; NULL = unknown */
static char *place_of(const struct object *object, uint32_t *line)
{
	const char *colon = strrchr(object->where, ':');

	if (!colon || colon == object->where || !isdigit((unsigned char)colon[1]))
		return NULL;
	*line = strtoul(colon + 1, NULL, 10);
	return xasprintf("%.*s", (int)(colon - object->where), object->where);
}

/* --- a source file --- */

/* The one file of this name, here or below. Return: its path, to be freed; NULL if not just one. */
static char *find_source(const char *name, bool *twice)
{
	char *here[] = { (char[]){ "." }, NULL }, *path = NULL;
	FTS *tree = fts_open(here, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	const FTSENT *entry;

	*twice = false;
	while (tree && !*twice && (entry = fts_read(tree))) {
		if (entry->fts_info != FTS_F || strcmp(entry->fts_name, name))
			continue;
		*twice = path;
		if (!path)
			path = xstrdup(entry->fts_path);
	}
	if (tree)
		fts_close(tree);
	if (*twice) {
		free(path);
		path = NULL;
	}
	return path;
}

static bool read_source(const char *path, struct source *source)
{
	FILE *file = fopen(path, "re");
	char *line = NULL;
	size_t room = 0, capacity = 0;
	ssize_t size;

	*source = (struct source){ 0 };
	if (!file)
		return false;
	while ((size = getline(&line, &room, file)) > 0 && source->count < LINES_MOST) {
		source->unended = line[size - 1] != '\n';
		if (!source->unended)
			line[size - 1] = 0;
		source->lines = grow(source->lines, source->count, &capacity,
				     sizeof(*source->lines));
		source->lines[source->count++] = xstrdup(line);
	}
	free(line);
	fclose(file);
	source->edited = xcalloc(source->count + 1, sizeof(*source->edited));
	return true;
}

static void free_source(struct source *source)
{
	for (size_t i = 0; i < source->count; i++) {
		free(source->lines[i]);
		free(source->edited[i]);
	}
	free(source->lines);
	free(source->edited);
}

/* --- the diff --- */

/* The first edited line from here on. */
static size_t next_edit(const struct source *source, size_t from)
{
	while (from < source->count && !source->edited[from])
		from++;
	return from;
}

static void put_hunk(FILE *out, const struct source *source, size_t first, size_t end)
{
	fprintf(out, "@@ -%zu,%zu +%zu,%zu @@\n", first + 1, end - first, first + 1, end - first);
	for (size_t i = first; i < end; i++) {
		const char *unended = source->unended && i + 1 == source->count ?
				      "\\ No newline at end of file\n" : "";

		fprintf(out, "%c%s\n%s", source->edited[i] ? '-' : ' ', source->lines[i], unended);
		if (source->edited[i])
			fprintf(out, "+%s\n%s", source->edited[i], unended);
	}
}

static void put_diff(FILE *out, const char *path, const struct source *source)
{
	size_t at = next_edit(source, 0), first, end;

	path += strncmp(path, "./", 2) ? 0 : 2;
	fprintf(out, "--- a/%s\n+++ b/%s\n", path, path);
	while (at < source->count) {
		first = at < CONTEXT ? 0 : at - CONTEXT;
		do {
			end = at + 1 + CONTEXT;
			at = next_edit(source, at + 1);
		} while (at < source->count && at <= end + CONTEXT);
		put_hunk(out, source, first, end < source->count ? end : source->count);
	}
}

/* Several objects may come from one declaration, or one call; others share its line. */
static bool is_repeated(const struct edit *edits, size_t index)
{
	const struct object *object = edits[index].object;

	for (size_t i = 0; i < index; i++)
		if (!strcmp(edits[i].object->where, object->where) &&
		    (edits[i].block || edits[index].block ||
		     !strcmp(edits[i].object->name, object->name)))
			return true;
	return false;
}

static char *edited(const char *text, const struct edit *edit)
{
	return edit->block ? patch_block(text, edit->more) :
			     patch_lengthen(text, edit->object->name, edit->dimension, edit->more);
}

/* All edits of one file. Return: how many could be made. */
static size_t put_file(FILE *out, const char *name, const struct edit *edits, size_t count)
{
	bool twice;
	char *path = find_source(name, &twice), *file;
	struct source source;
	size_t made = 0;
	uint32_t line;
	char *text;

	if (!path || !read_source(path, &source)) {
		free(path);
		return 0;
	}
	for (size_t i = 0; i < count; i++) {
		file = place_of(edits[i].object, &line);
		text = NULL;
		if (!strcmp(file, name) && line && line <= source.count && !is_repeated(edits, i))
			text = edited(source.edited[line - 1] ? source.edited[line - 1] :
				      source.lines[line - 1], &edits[i]);
		if (text) {
			free(source.edited[line - 1]);
			source.edited[line - 1] = text;
			made++;
		}
		free(file);
	}
	if (made)
		put_diff(out, path, &source);
	free_source(&source);
	free(path);
	return made;
}

/* Whether an edit before this one is in the same file. */
static bool is_done(const struct edit *edits, size_t index, const char *name)
{
	bool done = false;
	uint32_t line;

	for (size_t i = 0; i < index && !done; i++) {
		char *file = place_of(edits[i].object, &line);

		done = !strcmp(file, name);
		free(file);
	}
	return done;
}

/* Of each variable the first change. */
static size_t collect(const struct cures *advice, struct edit *edits)
{
	size_t count = 0, known;
	uint32_t line;

	for (size_t i = 0; i < advice->count; i++) {
		const struct cure *cure = &advice->cures[i];

		for (size_t c = 0; c < cure->count && !cure->instead_of && count < EDITS_MOST;
		     c++) {
			struct edit *edit = &edits[count];
			char *file;

			if (!edit_of(&cure->changes[c], edit))
				continue;
			for (known = 0; edits[known].object != edit->object; known++)
				;
			file = known == count ? place_of(edit->object, &line) : NULL;
			count += file != NULL;
			free(file);
		}
	}
	return count;
}

size_t cures_patch(FILE *out, const struct cures *advice)
{
	struct edit edits[EDITS_MOST + 1];
	size_t count = collect(advice, edits), made = 0;
	uint32_t line;

	fputs("Longer arrays and blocks, as ccsample advise found. Apply it with: patch -p1 <FILE\n"
	      "Other declarations of these arrays, and functions that take them, have to agree; "
	      "blocks that\ncame from aligned_alloc() are aligned to 16 bytes then.\n",
	      out);
	for (size_t i = 0; i < count; i++) {
		char *name = place_of(edits[i].object, &line);

		if (!is_done(edits, i, name))
			made += put_file(out, name, edits, count);
		free(name);
	}
	return made;
}

char *cures_patch_nothing(const struct cures *advice)
{
	struct edit edits[EDITS_MOST + 1];
	char *name, *path, *why;
	uint32_t line;
	bool twice;

	if (!advice->count)
		return xstrdup("there is no cure");
	if (!collect(advice, edits))
		return xstrdup("--patch only lengthens C arrays and blocks of malloc(), and no "
			       "cure does that: make the edits by hand, as advise says them");
	name = place_of(edits[0].object, &line);
	path = find_source(name, &twice);
	if (path)
		why = xasprintf("line %" PRIu32 " of %s has no whole declaration, or call of "
				"malloc(), that fits: make the edit by hand, as advise says it",
				line, path + (strncmp(path, "./", 2) ? 0 : 2));
	else
		why = xasprintf(twice ? "%s is more than once in this directory and below: run "
				"advise where the right one is" : "%s is not in this directory or "
				"below: run advise where the sources are", name);
	free(path);
	free(name);
	return why;
}
