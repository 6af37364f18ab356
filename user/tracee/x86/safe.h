/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads of the program's memory that may not be there. They need the handler
 * of faults that a burst installs: it calls safe_recover().
 */
#ifndef CCSAMPLE_TRACEE_X86_SAFE_H
#define CCSAMPLE_TRACEE_X86_SAFE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Return: false if some of it could not be read. */
bool safe_copy(void *to, const void *from, size_t size);

/* Return: are both the same, @theirs being readable? */
bool safe_equal(const void *theirs, const void *ours, size_t size);

/* A fault at @rip. Return: where to go on, 0 = it was none of ours. */
uint64_t safe_recover(uint64_t rip);

#endif /* CCSAMPLE_TRACEE_X86_SAFE_H */
