// SPDX-License-Identifier: GPL-2.0-only
/*
 * Requests that a server of a page gets: any bytes, or words that the input's bytes choose. The page
 * goes to nobody who does not name its path and a host of ours; an answer is the same whatever
 * follows the request, and there is none before its end.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recipe.h"
#include "require.h"
#include "serve/request.h"

#define PATH	"/0123456789abcdef0123456789abcdef/"

static const struct request_page page = { PATH, { "127.0.0.1:4321", "localhost:4321" } };

static size_t by_recipe(struct recipe *recipe, char *text)
{
	static const char *const words[] = {
		"GET ", "HEAD ", "POST ", PATH, PATH " HTTP/1.1\r\n", " HTTP/1.1\r\n", " HTTP/1.0\r\n",
		" HTTP/9.9\r\n", "Host: ", "host:", "HOST :", "127.0.0.1:4321", "localhost:4321",
		"LOCALHOST:4321", "evil.example", "127.0.0.1", "\r\n", "\r\n", "\r\n\r\n", "\r", "\n",
		" ", "\t", ":", "/", "?", "a", "A: b\r\n", "\x7f", "\xff", "\x01", "\v",
	};
	size_t size = 0;

	while (recipe->at < recipe->end && size < REQUEST_MOST - 64)
		size += sprintf(text + size, "%s", words[byte(recipe) % 32]);
	return size;
}

/* Both are in it, the host in any case of letters. */
static bool names_us(const char *text, size_t size)
{
	char small[REQUEST_MOST + 1] = "";

	for (size_t i = 0; i < size; i++)
		small[i] = text[i] >= 'A' && text[i] <= 'Z' ? text[i] + 32 : text[i];
	return memmem(text, size, PATH " HTTP/1.", strlen(PATH " HTTP/1.")) &&
	       (memmem(small, size, page.hosts[0], strlen(page.hosts[0])) ||
		memmem(small, size, page.hosts[1], strlen(page.hosts[1])));
}

static void check(const char *text, size_t size)
{
	const char *end = memmem(text, size, "\r\n\r\n", 4);
	bool head, again;
	enum request_answer answer = request_read(text, size, &page, &head);

	if (!end) {
		require(answer == (size < REQUEST_MOST ? REQUEST_UNFINISHED : REQUEST_TOO_LARGE));
		return;
	}
	require(answer == REQUEST_OK || answer == REQUEST_BAD || answer == REQUEST_FOREIGN ||
		answer == REQUEST_NOT_FOUND || answer == REQUEST_METHOD ||
		answer == REQUEST_VERSION);
	require(request_read(text, end + 4 - text, &page, &again) == answer && again == head);
	require(request_read(text, end + 3 - text, &page, &again) == REQUEST_UNFINISHED);
	if (answer == REQUEST_OK)
		require(names_us(text, end - text) && !memcmp(text, head ? "HEAD " : "GET ", 4));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct recipe recipe = { data, data + size };
	bool grammar = byte(&recipe) & 1;
	char *text;

	/* Of its own size: what is read beyond it is seen. */
	if (grammar) {
		char *words = malloc(REQUEST_MOST);

		size = by_recipe(&recipe, words);
		text = malloc(size);
		memcpy(text, words, size);
		free(words);
	} else {
		size = recipe.end - recipe.at;
		if (size > REQUEST_MOST)
			size = REQUEST_MOST;
		text = malloc(size);
		memcpy(text, recipe.at, size);
	}
	check(text, size);
	free(text);
	return 0;
}
