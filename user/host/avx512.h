/* SPDX-License-Identifier: GPL-2.0-only */
/* AVX-512 code in a program's files: the engine does not know it. */
#ifndef CCSAMPLE_HOST_AVX512_H
#define CCSAMPLE_HOST_AVX512_H

#include <stddef.h>
#include <stdint.h>

#include "program/elf-file.h"

struct avx512 {
	size_t count;			/* instructions with an EVEX prefix */
	uint64_t first;			/* link-time address of one, 0 = there is none */
	char *function;			/* that it lies in, NULL = unknown */
};

/**
 * avx512_find() - look through the executable sections of a file, from front to back.
 *
 * Whether the code ever runs is not known: it may ask CPUID first. Data between functions may look
 * like code. @found: its function is to be freed.
 */
void avx512_find(const struct elf_file *file, struct avx512 *found);

/**
 * program_libraries() - the libraries that the dynamic linker would load for a program.
 *
 * Return: paths, NULL behind the last; all of it to be freed by program_libraries_free().
 */
char **program_libraries(const char *path);
void program_libraries_free(char **libraries);

#endif /* CCSAMPLE_HOST_AVX512_H */
