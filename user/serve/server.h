/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One page for the browsers of this machine: memory in, HTTP on the loopback out, until it is idle
 * for long enough or a signal ends it. Whoever knows the path gets the page, nobody anything else.
 */
#ifndef CCSAMPLE_SERVE_SERVER_H
#define CCSAMPLE_SERVE_SERVER_H

#include <stddef.h>
#include <stdint.h>

#include "serve/request.h"

struct server {
	int fd;
	uint16_t port;
	char path[36];			/* "/", 128 random bits in hexadecimal, "/" */
	char hosts[REQUEST_HOSTS][24];
};

/**
 * server_open() - listen on 127.0.0.1.
 * @port: 0 = one that is free
 *
 * Return: 0, or -1 after one line.
 */
int server_open(struct server *server, uint16_t port);

/* Prints the page's address, and how another machine's browser reaches it. */
void server_say(const struct server *server);

/**
 * server_run() - answer, in a sandbox that this process does not leave again.
 * @page: HTML
 * @idle: seconds after the last answer with the page; 0 = for ever
 *
 * Return: 0, or -1 after one line. The server is closed.
 */
int server_run(struct server *server, const char *page, size_t size, uint32_t idle);

#endif /* CCSAMPLE_SERVE_SERVER_H */
