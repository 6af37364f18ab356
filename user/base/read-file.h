/* SPDX-License-Identifier: GPL-2.0-only */
/* Small files, read whole. */
#ifndef CCSAMPLE_BASE_READ_FILE_H
#define CCSAMPLE_BASE_READ_FILE_H

#include <stddef.h>

/**
 * read_rest() - what a file has from where it is on.
 * @most: bytes read; as many may mean that there are more
 * @size: how many there were
 *
 * Return: allocated, with a 0 behind them; NULL with errno set.
 */
char *read_rest(int fd, size_t most, size_t *size);

/* The same of a file by its name, from its beginning. */
char *read_named(const char *path, size_t most, size_t *size);

#endif /* CCSAMPLE_BASE_READ_FILE_H */
