// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

#define BLANKS " \t\r\n"

char *trim(char *text)
{
	char *end;

	text += strspn(text, BLANKS);
	end = text + strlen(text);
	while (end > text && strchr(BLANKS, end[-1]))
		*--end = '\0';
	return text;
}

const char *shown_input(const char *path)
{
	return path && strcmp(path, "-") ? path : "standard input";
}

const char *shown_output(const char *path)
{
	return path && strcmp(path, "-") ? path : "standard output";
}

char *drop_abi_tags(char *text)
{
	char *tag = text, *end;

	while ((tag = strstr(tag, ".cpython-"))) {
		end = tag + 1 + strcspn(tag + 1, "./ ");
		if (!strncmp(end, ".so", 3))
			memmove(tag, end, strlen(end) + 1);
		else
			tag = end;
	}
	return text;
}

const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

int name_bracket(const char *text, const char *at)
{
	if (!*at || (*at == '>' && at > text && at[-1] == '-'))
		return 0;
	return strchr("<({[", *at) ? 1 : strchr(">)}]", *at) ? -1 : 0;
}

bool of_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

/* As a shell reads it back: between quotes, but for words without a character of its syntax. */
static char *quote_word(char *to, const char *word)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				    "0123456789-._/=:,+@%^";

	if (*word && !word[strspn(word, plain)])
		return stpcpy(to, word);
	*to++ = '\'';
	for (; *word; word++) {
		if (*word == '\'')
			to = stpcpy(to, "'\\'");
		*to++ = *word;
	}
	return stpcpy(to, "'");
}

char *join_words(char *const *words)
{
	size_t size = 1;
	char *text, *to;

	for (size_t i = 0; words && words[i]; i++)
		size += 4 * strlen(words[i]) + sizeof("'' ");
	text = to = xmalloc(size);
	for (*to = '\0'; words && *words; words++) {
		if (to > text)
			*to++ = ' ';
		to = quote_word(to, *words);
	}
	return text;
}
