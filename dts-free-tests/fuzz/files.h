/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files in memory, for readers that ask for a path: what is linked into a fuzzer opens and reads
 * them through files.c (ld's --wrap), without a system call, which costs more than most inputs.
 */
#ifndef CCSAMPLE_FUZZ_FILES_H
#define CCSAMPLE_FUZZ_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FILES_MOST	8

struct file {
	char path[16];
	uint8_t *bytes;
	size_t size, room;
};

/* The next of FILES_MOST, which stay until the end. */
struct file *file_new(void);
void file_add(struct file *file, const void *bytes, size_t size);

/*
 * NULL, or fills the empty file of any other path, which stays until FILES_MOST more are made. Return:
 * false where there is none: the real one is opened.
 */
extern bool (*file_make)(const char *path, struct file *file);

#endif /* CCSAMPLE_FUZZ_FILES_H */
