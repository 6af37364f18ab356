// SPDX-License-Identifier: GPL-2.0-only
#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "serve/request.h"

struct span {
	const char *at, *end;
};

static size_t length(struct span span)
{
	return span.end - span.at;
}

static bool is(struct span span, const char *text)
{
	return length(span) == strlen(text) && !memcmp(span.at, text, length(span));
}

/* What comes before the first @end, which is skipped with it. Return: false, there is none. */
static bool cut(struct span *rest, const char *end, struct span *part)
{
	const char *found = memmem(rest->at, length(*rest), end, strlen(end));

	if (!found)
		return false;
	*part = (struct span){ rest->at, found };
	rest->at = found + strlen(end);
	return true;
}

/* RFC 9110, 5.6.2 */
static bool is_token(struct span span)
{
	static const char others[] = "!#$%&'*+-.^_`|~";

	for (const char *at = span.at; at < span.end; at++)
		if (!((*at >= '0' && *at <= '9') || (*at >= 'a' && *at <= 'z') ||
		      (*at >= 'A' && *at <= 'Z') || (*at && strchr(others, *at))))
			return false;
	return length(span);
}

/* Lines end as they should, and hold nothing else that steers (RFC 9112, 2.2; RFC 9110, 5.5). */
static bool is_clean(struct span head)
{
	for (const char *at = head.at; at < head.end; at++) {
		unsigned char c = *at;

		if (c == '\r' && at + 1 < head.end && at[1] == '\n')
			at++;
		else if ((c < ' ' && c != '\t') || c == 0x7f)
			return false;
	}
	return true;
}

/* Blanks around a value are no part of it. */
static struct span trimmed(struct span span)
{
	while (length(span) && (*span.at == ' ' || *span.at == '\t'))
		span.at++;
	while (length(span) && (span.end[-1] == ' ' || span.end[-1] == '\t'))
		span.end--;
	return span;
}

static bool is_host(struct span value, const struct request_page *page)
{
	for (size_t i = 0; i < REQUEST_HOSTS; i++)
		if (length(value) == strlen(page->hosts[i]) &&
		    !strncasecmp(value.at, page->hosts[i], length(value)))
			return true;
	return false;
}

/* The time that it takes says nothing of where two paths differ. */
static bool is_secret(struct span path, const char *secret)
{
	volatile unsigned char differs = 0;

	if (length(path) != strlen(secret))
		return false;
	for (size_t i = 0; i < length(path); i++)
		differs |= path.at[i] ^ secret[i];
	return !differs;
}

/*
 * A page of another site whose name was made to mean this machine (DNS rebinding) asks with that
 * name: the one Host (RFC 9112, 3.2) must be ours.
 */
static enum request_answer read_fields(struct span rest, const struct request_page *page)
{
	struct span line, name;
	size_t hosts = 0;
	bool ours = false;

	while (cut(&rest, "\r\n", &line)) {
		if (!cut(&line, ":", &name) || !is_token(name))
			return REQUEST_BAD;
		if (length(name) != 4 || strncasecmp(name.at, "host", 4))
			continue;
		hosts++;
		ours = is_host(trimmed(line), page);
	}
	return hosts != 1 ? REQUEST_BAD : ours ? REQUEST_OK : REQUEST_FOREIGN;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* "HTTP/1.1", or what may come after it. */
static enum request_answer read_version(struct span version)
{
	if (is(version, "HTTP/1.1") || is(version, "HTTP/1.0"))
		return REQUEST_OK;
	if (length(version) == 8 && !memcmp(version.at, "HTTP/", 5) && is_digit(version.at[5]) &&
	    version.at[6] == '.' && is_digit(version.at[7]))
		return REQUEST_VERSION;
	return REQUEST_BAD;
}

enum request_answer request_read(const char *text, size_t size, const struct request_page *page,
				 bool *head)
{
	struct span rest = { text, text + size }, all, line, method, path;
	enum request_answer answer;

	*head = false;
	if (!cut(&rest, "\r\n\r\n", &all))
		return size < REQUEST_MOST ? REQUEST_UNFINISHED : REQUEST_TOO_LARGE;
	/* Each line with its end. */
	all.end += 2;
	if (!is_clean(all) || !cut(&all, "\r\n", &line) || !cut(&line, " ", &method) ||
	    !is_token(method) || !cut(&line, " ", &path) || !length(path) || *path.at != '/')
		return REQUEST_BAD;
	answer = read_version(line);
	if (answer == REQUEST_OK)
		answer = read_fields(all, page);
	if (answer != REQUEST_OK)
		return answer;
	*head = is(method, "HEAD");
	if (!*head && !is(method, "GET"))
		return REQUEST_METHOD;
	return is_secret(path, page->path) ? REQUEST_OK : REQUEST_NOT_FOUND;
}
