/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A shared library as it lies in memory, for a place in another process: read from its file, its
 * relocations done by us. The process's own dynamic linker, if it has one, knows nothing of it, so
 * none of its locks matter, and nothing of it is left when the memory is gone.
 *
 * Only one that needs no other: no symbols to be bound, no thread-local data, no constructors.
 */
#ifndef CCSAMPLE_ATTACH_IMAGE_H
#define CCSAMPLE_ATTACH_IMAGE_H

#include <stddef.h>
#include <stdint.h>

struct attach_image {
	uint8_t *bytes;			/* as mapped */
	size_t size;			/* whole pages */
	uint64_t base;			/* address of the first byte in the process */
	uint64_t code, code_size;	/* of the executable part, from @base */
	const char *path;
	int fd;
	void *elf;			/* libelf's */
};

/* Return: 0, or -1 after one line. */
int attach_image_read(struct attach_image *image, const char *path);
void attach_image_free(struct attach_image *image);

/* The address of what an image exports, 0 = it does not. Its base must be set. */
uint64_t attach_image_symbol(const struct attach_image *image, const char *name);

/* Fit it to its base, where it will lie. Return: 0, or -1 after one line. */
int attach_image_relocate(struct attach_image *image);

#endif /* CCSAMPLE_ATTACH_IMAGE_H */
