/* SPDX-License-Identifier: GPL-2.0-only */
/* An ELF file and its separate debug file, opened from this machine's disk only. */
#ifndef CCSAMPLE_PROGRAM_ELF_FILE_H
#define CCSAMPLE_PROGRAM_ELF_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gelf.h>

struct elf_file {
	Elf *elf;			/* NULL = not open */
	int64_t time;			/* last change, seconds since 1970 */
	const uint8_t *build_id;	/* in the file */
	size_t build_id_size;		/* 0 = it has none */
};

/**
 * elf_file_open() - open a 64-bit little-endian x86-64 ELF file.
 *
 * Return: NULL, or why not: words that follow the file's name in a sentence.
 */
const char *elf_file_open(struct elf_file *file, const char *path);

void elf_file_close(struct elf_file *file);

/* The header and data of a section by name; NULL if there is none. */
Elf_Scn *elf_file_section(const struct elf_file *file, const char *name);

/**
 * elf_file_debug() - open the separate debug file of a stripped file.
 * @path: of @file
 *
 * By build-id below /usr/lib/debug/.build-id, then by .gnu_debuglink next to the
 * file, in .debug/ and below /usr/lib/debug, as gdb(1) does. Never by network.
 * One that does not belong to @file is refused.
 *
 * Return: true if @debug is open.
 */
bool elf_file_debug(const struct elf_file *file, const char *path, struct elf_file *debug);

#endif /* CCSAMPLE_PROGRAM_ELF_FILE_H */
