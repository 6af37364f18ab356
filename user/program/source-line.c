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
#include "program/source-line.h"

#define FILE_MOST	(8u << 20)	/* longer ones are data, not source */
#define FILES_MOST	256		/* kept in memory */

static bool of_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

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

struct candidate {
	const char *start;
	size_t size;
	bool several;
};

static void propose(struct candidate *candidate, const char *start, size_t size)
{
	static const char *const others[] = {
		"if", "while", "for", "return", "sizeof", "operator",
	};

	if (!size || isdigit((unsigned char)*start))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		if (strlen(others[i]) == size && !strncmp(start, others[i], size))
			return;
	if (candidate->start && (candidate->size != size ||
				 strncmp(candidate->start, start, size)))
		candidate->several = true;
	candidate->start = start;
	candidate->size = size;
}

/* Proposes the name that ends at @end: "p->name[i]", "(*name)[i]", "*name". */
static void propose_before(struct candidate *candidate, const char *text, const char *end)
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
	propose(candidate, start, end - start);
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

static bool expression_allocates(const char *text, size_t size, bool library)
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
		if (library && ((end - at == 3 && !strncmp(text + at, "std", 3)) ||
				(end - at == 6 && !strncmp(text + at, "vector", 6))))
			return true;
	}
	return false;
}

static void propose_assigned(struct candidate *candidate, const char *text, bool library)
{
	for (const char *at = strchr(text, '='); at; at = strchr(at + 1, '=')) {
		if (at == text || strchr("=<>!+-*/%&|^", at[-1]) || at[1] == '=')
			continue;
		if (expression_allocates(at + 1, expression(at + 1), library))
			propose_before(candidate, text, at);
	}
}

/* posix_memalign((void **)&name, ...) */
static void propose_argument(struct candidate *candidate, const char *text)
{
	static const char function[] = "posix_memalign";
	const char *at = strstr(text, function);

	if (!at)
		return;
	at += strlen(function);
	at += strspn(at, " \t");
	if (*at == '(')
		propose_before(candidate, at, at + 1 + expression(at + 1));
}

/* name.resize(...), name->push_back(...) */
static void propose_container(struct candidate *candidate, const char *text)
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
				propose_before(candidate, text, *at == '>' ? at - 1 : at);
	}
}

/* vector<type> name(...): the word after the closing '>'. */
static void propose_declared(struct candidate *candidate, const char *text)
{
	const char *at = strchr(text, '<');
	size_t size;
	int depth = 0;

	for (; at && *at; at++) {
		if (*at == '<')
			depth++;
		else if (*at == '>' && --depth == 0)
			break;
	}
	if (!at || !*at)
		return;
	at++;
	at += strspn(at, " \t");
	for (size = 0; of_word(at[size]); size++)
		;
	if (strchr("({;,", at[size + strspn(at + size, " \t")]))
		propose(candidate, at, size);
}

/* Fortran's allocate(name(n, m), stat=error), also with a type and "::" in front. */
static void propose_allocated(struct candidate *candidate, const char *text)
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
		size_t item = expression(at);
		const char *name = at + strspn(at, " \t"), *bounds = name;

		while (of_word(*bounds))
			bounds++;
		if (bounds[strspn(bounds, " \t")] == '(')
			propose(candidate, name, bounds - name);
		at += item + 1;
	}
}

char *source_line_variable(const char *above, const char *line, bool library)
{
	struct candidate candidate = { 0 };
	char *name = NULL, *text = statement("", line);
	int tries;

	/* First only the line: the one above may be another statement's. */
	for (tries = 0; tries < 2 && !candidate.start; tries++) {
		if (tries) {
			free(text);
			text = statement(above, line);
		}
		propose_assigned(&candidate, text, library);
		propose_argument(&candidate, text);
		propose_allocated(&candidate, text);
		if (library && !candidate.start)
			propose_container(&candidate, text);
		if (library && !candidate.start)
			propose_declared(&candidate, text);
	}
	if (candidate.start && !candidate.several)
		name = strndup(candidate.start, candidate.size);
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
	size_t count;
};

struct sources *sources_new(void)
{
	return xcalloc(1, sizeof(struct sources));
}

void sources_free(struct sources *sources)
{
	for (size_t i = 0; i < sources->count; i++) {
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

	for (size_t i = 0; i < sources->count; i++)
		if (!strcmp(sources->file[i].path, path))
			return &sources->file[i];
	if (sources->count == FILES_MOST)
		return NULL;
	source = &sources->file[sources->count++];
	source->path = xstrdup(path);
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

char *sources_variable(struct sources *sources, const char *directory, const char *path,
		       uint32_t line, int64_t time, bool library)
{
	const struct source *source = source_at(sources, directory, path);
	const char *at, *above = "";
	char *first, *second, *name;

	if (!source || !source->text || source->time > time)
		return NULL;
	for (at = source->text; line > 1 && at; line--) {
		above = at;
		at = strchr(at, '\n');
		at = at ? at + 1 : NULL;
	}
	if (!at)
		return NULL;
	first = strndup(above, strcspn(above, "\n"));
	second = strndup(at, strcspn(at, "\n"));
	name = source_line_variable(first, second, library);
	free(first);
	free(second);
	return name;
}
