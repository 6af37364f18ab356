/* SPDX-License-Identifier: GPL-2.0-only */
/* The bytes of an ELF file as they lie in memory: code, constants, what the linker fills in. */
#ifndef CCSAMPLE_PROGRAM_IMAGE_H
#define CCSAMPLE_PROGRAM_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "program/elf-file.h"

struct image_part;
struct image_slot;

struct image {
	const struct elf_file *file;
	const uint8_t *bytes;		/* the whole file */
	size_t size;
	struct image_part *segments;	/* what of the file is loaded */
	size_t segment_count;
	struct image_part *sections;
	size_t section_count;
	struct image_slot *slots;	/* filled in by the dynamic linker, by address */
	size_t slot_count;
	size_t slot_capacity;
	bool slots_read;
};

/**
 * image_open() - find the bytes of an open file.
 * @image: zeroed
 * @file: must outlive @image
 *
 * Return: false where the file holds no loadable bytes.
 */
bool image_open(struct image *image, const struct elf_file *file);
void image_close(struct image *image);

/**
 * image_at() - the bytes from a link-time address on.
 * @code: only where they may be executed
 * @left: bytes that follow in the same segment and section, at least 1
 *
 * Return: NULL where the file has none.
 */
const uint8_t *image_at(const struct image *image, uint64_t address, bool code, size_t *left);

/* The address that a pointer in the image holds once it is loaded; 0 = unknown. */
uint64_t image_pointer(struct image *image, uint64_t address);

/* Name of the function or variable that the dynamic linker puts at an address; NULL = none. */
const char *image_import(struct image *image, uint64_t address);

#endif /* CCSAMPLE_PROGRAM_IMAGE_H */
