/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory for the tools, which end with one line when there is none left. The
 * pure rooms use malloc() itself and report -ENOMEM.
 */
#ifndef CCSAMPLE_BASE_MEMORY_H
#define CCSAMPLE_BASE_MEMORY_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

void *xmalloc(size_t size);
void *xcalloc(size_t count, size_t size);
void *xrealloc(void *memory, size_t size);
char *xstrdup(const char *text);
char *xstrndup(const char *text, size_t size);
char *xvasprintf(const char *format, va_list args) __attribute__((format(printf, 1, 0)));
char *xasprintf(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* open_memstream(), @what for. */
FILE *xmemstream(char **text, size_t *size, const char *what);

/**
 * grow() - make room for one more element at the end of an array.
 * @array: the array, NULL at first
 * @count: elements in use
 * @capacity: elements there is room for; updated
 * @size: bytes of an element
 *
 * Return: the array, moved perhaps; the new room is not cleared.
 */
void *grow(void *array, size_t count, size_t *capacity, size_t size);

/**
 * grow_to() - make an array have an element with this index.
 * @array: the array, NULL at first
 * @count: its elements; updated
 * @size: bytes of an element
 *
 * Return: the array, moved perhaps; new elements are zero.
 */
void *grow_to(void *array, size_t index, size_t *count, size_t size);

#endif /* CCSAMPLE_BASE_MEMORY_H */
