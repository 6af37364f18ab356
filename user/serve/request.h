/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a browser asks for, as HTTP/1.1 (RFC 9112): bytes in, an answer's number out. Whoever can
 * connect may send anything.
 */
#ifndef CCSAMPLE_SERVE_REQUEST_H
#define CCSAMPLE_SERVE_REQUEST_H

#include <stdbool.h>
#include <stddef.h>

#define REQUEST_MOST	8192u	/* bytes of a request; browsers send about 1,000 */
#define REQUEST_HOSTS	2

/* What is answered: 0, or status codes of RFC 9110 and RFC 6585. */
enum request_answer {
	REQUEST_UNFINISHED = 0,		/* more is to come */
	REQUEST_OK = 200,
	REQUEST_BAD = 400,
	REQUEST_FOREIGN = 403,		/* for another host */
	REQUEST_NOT_FOUND = 404,
	REQUEST_METHOD = 405,
	REQUEST_TOO_LARGE = 431,
	REQUEST_VERSION = 505,
};

/* The only thing that there is. */
struct request_page {
	const char *path;			/* a secret: compared in constant time */
	const char *hosts[REQUEST_HOSTS];	/* with the port, in small letters */
};

/**
 * request_read() - what the bytes that have come ask for.
 * @size: up to REQUEST_MOST
 * @head: set to whether only the head of the answer is wanted
 */
enum request_answer request_read(const char *text, size_t size, const struct request_page *page,
				 bool *head);

#endif /* CCSAMPLE_SERVE_REQUEST_H */
