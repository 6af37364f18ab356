/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A gibibyte of kernel address space that user page tables map as well: the
 * place of the DS areas and of the records.
 */
#ifndef CCSAMPLE_KMOD_WINDOW_H
#define CCSAMPLE_KMOD_WINDOW_H

#include <linux/mm_types.h>

/**
 * ccsample_window_init() - find an empty slot for the window and hang its table there.
 *
 * Return: NULL, or why there is none.
 */
const char *ccsample_window_init(void);

/* Takes the window's table out again. Nothing may be mapped. */
void ccsample_window_exit(void);

/**
 * ccsample_window_map() - map chunks of 2 MiB, one after the other.
 * @chunks: each the first page of a chunk, aligned to its size
 * @nr: their number
 *
 * The addresses are for the processor only: the module itself goes through the
 * direct map, where the checkers of a debugging kernel know the pages.
 *
 * Return: the address of the first, 0 where the window has no room.
 */
unsigned long ccsample_window_map(struct page **chunks, unsigned int nr);

/* Unmaps them, on every CPU. May sleep. */
void ccsample_window_unmap(unsigned long at, unsigned int nr);

#endif /* CCSAMPLE_KMOD_WINDOW_H */
