// SPDX-License-Identifier: GPL-2.0-only
/*
 * Requests of HTTP/1.1: what RFC 9112 and RFC 9110 say is one, and what is refused. Each is also cut
 * after every byte: before its end it is unfinished, and what follows it changes nothing.
 */
#include <stdio.h>
#include <string.h>

#include "serve/request.h"
#include "tap.h"

#define PATH	"/0123456789abcdef0123456789abcdef/"
#define HOST	"Host: 127.0.0.1:4321\r\n"

static const struct request_page page = { PATH, { "127.0.0.1:4321", "localhost:4321" } };

static bool head;

static enum request_answer answer_of(const char *text)
{
	return request_read(text, strlen(text), &page, &head);
}

static const struct sample {
	const char *name, *text;
	enum request_answer answer;
} samples[] = {
	{ "the page", "GET " PATH " HTTP/1.1\r\n" HOST "\r\n", 200 },
	{ "its head", "HEAD " PATH " HTTP/1.1\r\n" HOST "\r\n", 200 },
	{ "HTTP/1.0", "GET " PATH " HTTP/1.0\r\n" HOST "\r\n", 200 },
	{ "by the host's name", "GET " PATH " HTTP/1.1\r\nHost: localhost:4321\r\n\r\n", 200 },
	{ "names in any case, blanks around values",
	  "GET " PATH " HTTP/1.1\r\nhOST:\t LocalHost:4321 \r\n\r\n", 200 },
	{ "other fields, bytes above ASCII in a value",
	  "GET " PATH " HTTP/1.1\r\nAccept: */*\r\n" HOST "X-Any: \xff\xfe\r\nEmpty:\r\n\r\n", 200 },
	{ "another path of the same length",
	  "GET /0123456789abcdef0123456789abcdeF/ HTTP/1.1\r\n" HOST "\r\n", 404 },
	{ "a part of the path", "GET /0123456789abcdef HTTP/1.1\r\n" HOST "\r\n", 404 },
	{ "more than the path", "GET " PATH "x HTTP/1.1\r\n" HOST "\r\n", 404 },
	{ "the root", "GET / HTTP/1.1\r\n" HOST "\r\n", 404 },
	{ "a query", "GET " PATH "?a HTTP/1.1\r\n" HOST "\r\n", 404 },
	{ "a detour to the path", "GET /.." PATH " HTTP/1.1\r\n" HOST "\r\n", 404 },
	{ "POST", "POST " PATH " HTTP/1.1\r\n" HOST "Content-Length: 1\r\n\r\n", 405 },
	{ "methods are in capitals", "get " PATH " HTTP/1.1\r\n" HOST "\r\n", 405 },
	{ "any other method", "BREW " PATH " HTTP/1.1\r\n" HOST "\r\n", 405 },
	{ "another host", "GET " PATH " HTTP/1.1\r\nHost: evil.example:4321\r\n\r\n", 403 },
	{ "another host that begins as ours",
	  "GET " PATH " HTTP/1.1\r\nHost: 127.0.0.1:4321.evil.example\r\n\r\n", 403 },
	{ "another host that ends as ours",
	  "GET " PATH " HTTP/1.1\r\nHost: evil.localhost:4321\r\n\r\n", 403 },
	{ "another port", "GET " PATH " HTTP/1.1\r\nHost: 127.0.0.1:80\r\n\r\n", 403 },
	{ "no port", "GET " PATH " HTTP/1.1\r\nHost: localhost\r\n\r\n", 403 },
	{ "an empty host", "GET " PATH " HTTP/1.1\r\nHost:\r\n\r\n", 403 },
	{ "the host before the path", "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", 403 },
	{ "no host", "GET " PATH " HTTP/1.1\r\n\r\n", 400 },
	{ "two hosts", "GET " PATH " HTTP/1.1\r\n" HOST HOST "\r\n", 400 },
	{ "two hosts, of which one is another",
	  "GET " PATH " HTTP/1.1\r\nHost: evil.example\r\n" HOST "\r\n", 400 },
	{ "a blank before the colon", "GET " PATH " HTTP/1.1\r\nHost : localhost:4321\r\n\r\n", 400 },
	{ "a field that goes on", "GET " PATH " HTTP/1.1\r\n" HOST " more\r\n\r\n", 400 },
	{ "a field without a name", "GET " PATH " HTTP/1.1\r\n" HOST ": x\r\n\r\n", 400 },
	{ "a field without a colon", "GET " PATH " HTTP/1.1\r\n" HOST "x\r\n\r\n", 400 },
	{ "a line end of one character", "GET " PATH " HTTP/1.1\n" HOST "\r\n", 400 },
	{ "a carriage return inside", "GET " PATH " HTTP/1.1\r\n" HOST "A: b\rc\r\n\r\n", 400 },
	{ "a control character", "GET " PATH " HTTP/1.1\r\n" HOST "A: \x01\r\n\r\n", 400 },
	{ "nothing", "\r\n\r\n", 400 },
	{ "two words", "GET " PATH "\r\n" HOST "\r\n", 400 },
	{ "two blanks", "GET  " PATH " HTTP/1.1\r\n" HOST "\r\n", 400 },
	{ "a blank at the end", "GET " PATH " HTTP/1.1 \r\n" HOST "\r\n", 400 },
	{ "no method", " " PATH " HTTP/1.1\r\n" HOST "\r\n", 400 },
	{ "a target that is no path", "GET http://127.0.0.1:4321" PATH " HTTP/1.1\r\n" HOST "\r\n",
	  400 },
	{ "no version", "GET " PATH " \r\n" HOST "\r\n", 400 },
	{ "another protocol", "GET " PATH " ICY/1.1\r\n" HOST "\r\n", 400 },
	{ "HTTP/2.0", "GET " PATH " HTTP/2.0\r\n" HOST "\r\n", 505 },
	{ "HTTP/1.2", "GET " PATH " HTTP/1.2\r\n" HOST "\r\n", 505 },
	{ "the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400 },
	{ "TLS", "\x16\x03\x01\x02\r\n\r\n", 400 },
};

/* The same answer as soon as it is whole, none before. */
static bool holds_when_cut(const char *text)
{
	size_t whole = strstr(text, "\r\n\r\n") + 4 - text;
	enum request_answer answer = answer_of(text);
	char more[1024];

	for (size_t i = 0; i < whole; i++)
		if (request_read(text, i, &page, &head))
			return false;
	snprintf(more, sizeof(more), "%s\r\nGET / HTTP/1.1\r\n\r\n", text);
	return request_read(text, whole, &page, &head) == answer && answer_of(more) == answer;
}

static void check_samples(void)
{
	for (size_t i = 0; i < sizeof(samples) / sizeof(*samples); i++) {
		enum request_answer answer = answer_of(samples[i].text);

		ok(answer == samples[i].answer, "%s: %d", samples[i].name, samples[i].answer);
		ok(holds_when_cut(samples[i].text), "%s: not before it is whole", samples[i].name);
	}
}

static void check_sizes(void)
{
	char text[REQUEST_MOST];

	memset(text, 'a', sizeof(text));
	memcpy(text, "GET " PATH " HTTP/1.1\r\n" HOST "A: ", strlen("GET " PATH " HTTP/1.1\r\n" HOST "A: "));
	ok(request_read(text, sizeof(text) - 1, &page, &head) == REQUEST_UNFINISHED,
	   "one byte less than there is room for: more may come");
	ok(request_read(text, sizeof(text), &page, &head) == REQUEST_TOO_LARGE,
	   "as many as there is room for, and no end: too large");
	memcpy(text + sizeof(text) - 4, "\r\n\r\n", 4);
	ok(request_read(text, sizeof(text), &page, &head) == REQUEST_OK,
	   "as many as there is room for, with an end");
	text[sizeof(text) / 2] = '\0';
	ok(request_read(text, sizeof(text), &page, &head) == REQUEST_BAD, "a byte 0");
}

static void check_head(void)
{
	answer_of("GET " PATH " HTTP/1.1\r\n" HOST "\r\n");
	ok(!head, "GET wants the page");
	answer_of("HEAD " PATH " HTTP/1.1\r\n" HOST "\r\n");
	ok(head, "HEAD wants its head");
	answer_of("HEAD / HTTP/1.1\r\n" HOST "\r\n");
	ok(head, "... of what is not there, too");
}

int main(void)
{
	check_samples();
	check_sizes();
	check_head();
	return done();
}
