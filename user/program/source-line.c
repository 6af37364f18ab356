// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/memory.h"
#include "base/text.h"
#include "program/initialiser.h"
#include "program/source-line.h"

#define FILE_MOST	(8u << 20)	/* longer ones are data, not source */
#define FILES_MOST	256		/* kept in memory: those read last */
#define CONTINUED_MOST	40		/* lines of a statement */
#define RETURN_LINES	60		/* looked at for a return of what was allocated */

/* Is [at, at + length) of a name a word of its own: new_node, nodeNew, new3d? */
static bool own_word(const char *word, size_t size, size_t at, size_t length)
{
	unsigned char before = at ? word[at - 1] : '_';
	unsigned char after = at + length < size ? word[at + length] : '_';

	return (!isalpha(before) || (islower(before) && isupper((unsigned char)word[at]))) &&
	       !islower(after);
}

bool word_allocates(const char *word, size_t size)
{
	static const char *const parts[] = { "alloc", "mmap", "memalign" };
	static const char *const words[] = { "new", "dup", "strdup", "strndup", "memdup" };

	for (size_t at = 0; at < size; at++) {
		for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
			if (strlen(parts[i]) <= size - at &&
			    !strncasecmp(word + at, parts[i], strlen(parts[i])))
				return true;
		for (size_t i = 0; i < ARRAY_SIZE(words); i++)
			if (strlen(words[i]) <= size - at &&
			    !strncasecmp(word + at, words[i], strlen(words[i])) &&
			    own_word(word, size, at, strlen(words[i])))
				return true;
	}
	return false;
}

/* Blanks out comments and what stands in quotes. */
static void blank(char *text)
{
	char quote;

	for (; *text; text++) {
		if (text[0] == '/' && text[1] == '/') {
			*text = '\0';
			return;
		}
		if (text[0] == '/' && text[1] == '*') {
			while (*text && !(text[0] == '*' && text[1] == '/'))
				*text++ = ' ';
			if (!*text)
				return;
			text[0] = text[1] = ' ';
		} else if (*text == '"' || *text == '\'') {
			quote = *text;
			for (text++; *text && *text != quote; text++) {
				if (*text == '\\' && text[1])
					*text++ = ' ';
				*text = ' ';
			}
			if (!*text)
				return;
		}
	}
}

/* The statement that a line belongs to, judged by the line above. */
static char *statement(const char *above, const char *line)
{
	char *text, *first = xstrdup(above), *second = xstrdup(line);
	size_t end;

	blank(first);
	blank(second);
	for (end = strlen(first); end && isspace((unsigned char)first[end - 1]); end--)
		;
	first[end] = '\0';
	/* '{', '}', ';', ':' and a directive end what stands above. */
	if (!end || strchr(";{}:\\", first[end - 1]) || first[strspn(first, " \t")] == '#')
		first[0] = '\0';
	text = xasprintf("%s %s", first, second);
	free(first);
	free(second);
	return text;
}

/* The start of a bracket that is closed at @end - 1; NULL if it is not in the text. */
static const char *opening(const char *text, const char *end)
{
	int depth = 0;

	while (end > text) {
		end--;
		if (strchr(")]}", *end))
			depth++;
		else if (strchr("([{", *end) && --depth == 0)
			return end;
	}
	return NULL;
}

#define NAMES_MOST 16

/* What the statement may allocate for, in the order of the text, each name once. */
struct candidates {
	struct {
		const char *start;
		size_t size;
	} name[NAMES_MOST];
	size_t count;
};

static void propose(struct candidates *candidates, const char *start, size_t size)
{
	static const char *const others[] = {
		"if", "while", "for", "return", "sizeof", "operator",
	};

	if (!size || isdigit((unsigned char)*start))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		if (strlen(others[i]) == size && !strncmp(start, others[i], size))
			return;
	for (size_t i = 0; i < candidates->count; i++)
		if (candidates->name[i].size == size &&
		    !strncmp(candidates->name[i].start, start, size))
			return;
	if (candidates->count == NAMES_MOST)
		return;
	candidates->name[candidates->count].start = start;
	candidates->name[candidates->count++].size = size;
}

/* Proposes the name that ends at @end: "p->name[i]", "(*name)[i]", "*name". */
static void propose_before(struct candidates *candidates, const char *text, const char *end)
{
	const char *start;

	for (;;) {
		while (end > text && isspace((unsigned char)end[-1]))
			end--;
		if (end > text && end[-1] == ']')
			end = opening(text, end);
		else if (end > text && end[-1] == ')')
			end--;
		else
			break;
		if (!end)
			return;
	}
	for (start = end; start > text && of_word(start[-1]); start--)
		;
	propose(candidates, start, end - start);
}

/* What is assigned at @text: to the end of the expression. */
static size_t expression(const char *text)
{
	size_t size;
	int depth = 0;

	for (size = 0; text[size]; size++) {
		if (strchr("([{", text[size]))
			depth++;
		else if (strchr(")]}", text[size]) && --depth < 0)
			break;
		else if (!depth && strchr(";,", text[size]))
			break;
	}
	return size;
}

/* Up to the bracket that closes what was opened before @text. */
static size_t expression_list(const char *text)
{
	size_t size;

	for (size = expression(text); text[size] == ','; size += 1 + expression(text + size + 1))
		;
	return size;
}

/* Of the C++ library; what else it has is as often a number, as std::polar(). */
static bool holds_elements(const char *word, size_t size)
{
	static const char *const names[] = {
		"vector", "valarray", "string", "basic_string", "deque", "list", "map", "set",
		"unordered_map", "unordered_set", "multimap", "multiset", "function", "any",
		"make_unique", "make_shared", "allocate_shared", "unique_ptr", "shared_ptr",
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (strlen(names[i]) == size && !strncmp(word, names[i], size))
			return true;
	return false;
}

/* @by: see struct source_call */
static bool expression_allocates(const char *text, size_t size, const struct source_call *by)
{
	size_t end;

	for (size_t at = 0; at < size; at = end) {
		for (end = at; end < size && of_word(text[end]); end++)
			;
		if (end == at) {
			end++;
			continue;
		}
		if (word_allocates(text + at, end - at))
			return true;
		if (end - at > 5 && !strncmp(text + at, "make_", 5))
			return true;
		if (by->function && strlen(by->function) == end - at &&
		    !strncmp(text + at, by->function, end - at))
			return true;
		if (by->library && holds_elements(text + at, end - at))
			return true;
	}
	return false;
}

static void propose_assigned(struct candidates *candidates, const char *text,
			     const struct source_call *by)
{
	for (const char *at = strchr(text, '='); at; at = strchr(at + 1, '=')) {
		if (at == text || strchr("=<>!+-*/%&|^", at[-1]) || at[1] == '=')
			continue;
		if (expression_allocates(at + 1, expression(at + 1), by))
			propose_before(candidates, text, at);
	}
}

/* posix_memalign((void **)&name, ...) */
static void propose_argument(struct candidates *candidates, const char *text)
{
	static const char function[] = "posix_memalign";
	const char *at = strstr(text, function);

	if (!at)
		return;
	at += strlen(function);
	at += strspn(at, " \t");
	if (*at == '(')
		propose_before(candidates, at, at + 1 + expression(at + 1));
}

/* name.resize(...), name->push_back(...) */
static void propose_container(struct candidates *candidates, const char *text)
{
	static const char *const methods[] = {
		"resize", "reserve", "assign", "push_back", "emplace_back", "insert", "emplace",
		"append", "reset", "push", "push_front", "emplace_front",
	};

	for (const char *at = text; (at = strpbrk(at, ".>")); at++) {
		size_t size;

		if (*at == '>' && (at == text || at[-1] != '-'))
			continue;
		for (size = 0; of_word(at[1 + size]); size++)
			;
		for (size_t i = 0; i < ARRAY_SIZE(methods); i++)
			if (strlen(methods[i]) == size && !strncmp(at + 1, methods[i], size))
				propose_before(candidates, text, *at == '>' ? at - 1 : at);
	}
}

/* vector<type> name(...), other(...): the words after the closing '>'. */
static void propose_declared(struct candidates *candidates, const char *text)
{
	const char *at = strchr(text, '<');
	size_t size = 0;
	int depth = 0;

	for (; at && *at; at++) {
		if (*at == '<')
			depth++;
		else if (*at == '>' && --depth == 0)
			break;
	}
	if (!at || !*at)
		return;
	do {
		at += size + 1;
		at += strspn(at, " \t");
		for (size = 0; of_word(at[size]); size++)
			;
		if (!size || !strchr("({;,", at[size + strspn(at + size, " \t")]))
			return;
		propose(candidates, at, size);
		size = expression(at);
	} while (at[size] == ',');
}

/* How much of "grid%cell(k)%name(n, m)" is the name, without bounds; 0 where it is an option. */
static size_t designator(const char *text, size_t size)
{
	size_t bounds = size;
	int depth = 0;

	for (size_t i = 0; i < size; i++) {
		if (!depth && text[i] == '=')
			return 0;
		if (!depth && text[i] == '(')
			bounds = i;
		else if (!depth && text[i] == '%')
			bounds = size;
		depth += (text[i] == '(') - (text[i] == ')');
	}
	while (bounds && isspace((unsigned char)text[bounds - 1]))
		bounds--;
	return bounds;
}

/* Fortran's allocate(name(n, m), stat=error), also with a type and "::" in front. */
static void propose_allocated(struct candidates *candidates, const char *text)
{
	static const char word[] = "allocate";
	const char *at = strcasestr(text, word), *colons, *end;

	if (!at || strchr(text, ';') || (at > text && of_word(at[-1])))
		return;
	at += strlen(word);
	at += strspn(at, " \t");
	if (*at++ != '(')
		return;
	end = at + expression_list(at);
	colons = strstr(at, "::");
	if (colons && colons < end)
		at = colons + 2;
	while (at < end) {
		size_t item = expression(at), size = designator(at, item);
		const char *name = at + strspn(at, " \t&");

		if (at + size > name)
			propose(candidates, name, at + size - name);
		at += item + 1;
	}
}

/* Rust's let mut name: type = .. */
static void propose_let(struct candidates *candidates, const char *text)
{
	const char *at = text + strspn(text, " \t");
	size_t size;

	if (strncmp(at, "let", 3) || !isspace((unsigned char)at[3]))
		return;
	at += 3 + strspn(at + 3, " \t");
	if (!strncmp(at, "mut", 3) && isspace((unsigned char)at[3]))
		at += 3 + strspn(at + 3, " \t");
	for (size = 0; of_word(at[size]); size++)
		;
	if (strchr(":=", at[size + strspn(at + size, " \t")]))
		propose(candidates, at, size);
}

char *source_line_variable(const char *above, const char *line, const struct source_call *by)
{
	struct candidates candidates = { .count = 0 };
	char *text = statement("", line);
	/* Behind the blank that nothing above leaves. */
	char *name = initialiser_member(text + 1, by->column);
	size_t number = by->number;
	int tries;

	/* First only the line: the one above may be another statement's. */
	for (tries = 0; tries < 2 && !name && !candidates.count; tries++) {
		if (tries) {
			free(text);
			text = statement(above, line);
		}
		propose_assigned(&candidates, text, by);
		propose_argument(&candidates, text);
		propose_allocated(&candidates, text);
		if (by->library && !candidates.count)
			propose_let(&candidates, text);
		if (by->library && !candidates.count)
			propose_container(&candidates, text);
		if (by->library && !candidates.count)
			propose_declared(&candidates, text);
	}
	if (candidates.count == 1)
		number = 0;
	if (!name && number < candidates.count)
		name = xstrndup(candidates.name[number].start, candidates.name[number].size);
	free(text);
	return name;
}

struct source {
	char *path;
	char *text;			/* NULL = cannot be read */
	int64_t time;
};

struct sources {
	struct source file[FILES_MOST];
	size_t count;			/* read so far */
};

struct sources *sources_new(void)
{
	return xcalloc(1, sizeof(struct sources));
}

void sources_free(struct sources *sources)
{
	for (size_t i = 0; i < FILES_MOST; i++) {
		free(sources->file[i].path);
		free(sources->file[i].text);
	}
	free(sources);
}

static char *read_text(int fd, int64_t *time)
{
	struct stat status;
	char *text = NULL;
	ssize_t size;

	if (!fstat(fd, &status) && S_ISREG(status.st_mode) && status.st_size < FILE_MOST) {
		text = xmalloc(status.st_size + 1);
		size = read(fd, text, status.st_size);
		text[size > 0 ? size : 0] = '\0';
		*time = status.st_mtime;
	}
	return text;
}

static const struct source *source_of(struct sources *sources, const char *path)
{
	struct source *source;
	int fd;

	for (size_t i = 0; i < FILES_MOST && sources->file[i].path; i++)
		if (!strcmp(sources->file[i].path, path))
			return &sources->file[i];
	source = &sources->file[sources->count++ % FILES_MOST];
	free(source->path);
	free(source->text);
	*source = (struct source) { .path = xstrdup(path) };
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd >= 0) {
		source->text = read_text(fd, &source->time);
		close(fd);
	}
	return source;
}

/* A file's text, relative names joined with the directory that they begin in. */
static const struct source *source_at(struct sources *sources, const char *directory,
				      const char *path)
{
	const struct source *source;
	char *joined;

	if (!directory || path[0] == '/')
		return source_of(sources, path);
	joined = xasprintf("%s/%s", directory, path);
	source = source_of(sources, joined);
	free(joined);
	return source;
}

/* The text of a line, *above that of the one before it; NULL where it cannot be read. */
static const char *line_at(const struct source *source, uint32_t line, int64_t time,
			   const char **above)
{
	const char *at;

	*above = "";
	if (!source->text || source->time > time)
		return NULL;
	for (at = source->text; line > 1 && at; line--) {
		*above = at;
		at = strchr(at, '\n');
		at = at ? at + 1 : NULL;
	}
	return at;
}

char *sources_line(struct sources *sources, const struct source_place *place)
{
	const struct source *source = source_at(sources, place->directory, place->path);
	const char *above, *at = line_at(source, place->line, place->time, &above);

	return at ? xstrndup(at, strcspn(at, "\r\n")) : NULL;
}

/* How much of a line a continuation of Fortran's leaves: what is before "& ! comment"; 0 = none. */
static size_t continued(const char *line, size_t size)
{
	const char *comment = memchr(line, '!', size);

	size = comment ? (size_t)(comment - line) : size;
	while (size && isspace((unsigned char)line[size - 1]))
		size--;
	return size > 1 && line[size - 1] == '&' && line[size - 2] != '&' ? size - 1 : 0;
}

/*
 * The line above, with those continued on it: gfortran names the last.
 * @all: the file's text; to be freed
 */
static char *with_above(const char *all, const char *above)
{
	char *text = xstrndup(above, strcspn(above, "\r\n")), *longer;
	size_t left = continued(text, strlen(text));

	if (!left)
		return text;
	text[left] = '\0';
	for (int lines = 1; lines < CONTINUED_MOST && above > all; lines++) {
		const char *end = --above;

		while (above > all && above[-1] != '\n')
			above--;
		left = continued(above, end - above);
		if (!left)
			break;
		longer = xasprintf("%.*s%s", (int)left, above, text);
		free(text);
		text = longer;
	}
	return text;
}

char *sources_variable(struct sources *sources, const struct source_place *place,
		       const struct source_call *by)
{
	const struct source *source = source_at(sources, place->directory, place->path);
	const char *above, *at = line_at(source, place->line, place->time, &above);
	char *first, *second, *name;

	if (!at)
		return NULL;
	first = with_above(source->text, above);
	second = xstrndup(at, strcspn(at, "\r\n"));
	name = source_line_variable(first, second, by);
	free(first);
	free(second);
	return name;
}

/* "return name;", "return (type *)name;" */
static bool gives_back(const char *line, const char *name)
{
	const char *at = strstr(line, "return"), *end;
	size_t size = strlen(name);

	if (!at || (at > line && of_word(at[-1])) || of_word(at[6]))
		return false;
	end = at + strcspn(at, ";");
	if (*end != ';')
		return false;
	while (end > at && (isspace((unsigned char)end[-1]) || end[-1] == ')'))
		end--;
	return end - at > (ptrdiff_t)(6 + size) && !strncmp(end - size, name, size) &&
	       strchr(" \t)(", end[-size - 1]) && !strpbrk(at, "=?!");
}

bool sources_returned(struct sources *sources, const struct source_place *place, const char *name,
		      const struct source_call *by)
{
	const struct source *source = source_at(sources, place->directory, place->path);
	const char *above, *at = line_at(source, place->line, place->time, &above);
	bool returned = false, last = false;
	char *line;

	for (uint32_t i = 0; at && !returned && !last && i < RETURN_LINES; i++) {
		line = xstrndup(at, strcspn(at, "\n"));
		last = *line == '}' || (i && *line == '{');
		blank(line);
		if (name)
			returned = gives_back(line, name);
		else
			returned = !i && strstr(line, "return") &&
				   expression_allocates(line, strlen(line), by);
		last |= !name;
		free(line);
		at = strchr(at, '\n');
		at = at ? at + 1 : NULL;
	}
	return returned;
}
