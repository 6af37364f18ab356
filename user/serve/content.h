/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CCSAMPLE_SERVE_CONTENT_H
#define CCSAMPLE_SERVE_CONTENT_H

#include <stddef.h>

#define CONTENT_MOST	(64u << 20)	/* bytes; ccsample's own pages have less than 1 MiB */

/**
 * content_read() - all of a file, from its beginning.
 * @fd: may be a pipe
 * @name: for messages
 *
 * Return: allocated, or NULL after one line.
 */
char *content_read(int fd, const char *name, size_t *size);

#endif /* CCSAMPLE_SERVE_CONTENT_H */
