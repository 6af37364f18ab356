/* SPDX-License-Identifier: GPL-2.0-only */
/* A file's bytes in order, decompressed if they are a zstd stream (by its magic number). */
#ifndef CCSAMPLE_IMPORT_STREAM_H
#define CCSAMPLE_IMPORT_STREAM_H

#include <stddef.h>

struct stream;

/* @path: "-" = standard input. Return: NULL after one line on standard error. */
struct stream *stream_open(const char *path);
void stream_close(struct stream *stream);

/* Return: bytes written to @buffer, 0 at the end, -1 after one line on standard error. */
long stream_read(struct stream *stream, char *buffer, size_t size);

#endif /* CCSAMPLE_IMPORT_STREAM_H */
