/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Kernel address space that user page tables map as well, 256 MiB for each CPU
 * that there may be: the place of the DS areas and of the records.
 */
#ifndef CCSAMPLE_KMOD_WINDOW_H
#define CCSAMPLE_KMOD_WINDOW_H

#include <linux/mm_types.h>

/**
 * ccsample_window_init() - find empty slots for the window and hang its tables there.
 *
 * Return: NULL, or why there is none.
 */
const char *ccsample_window_init(void);

/* Takes the window's tables out again. Nothing may be mapped. */
void ccsample_window_exit(void);

/**
 * ccsample_window_map() - map chunks of 2 MiB, one after the other.
 * @chunks: each the first page of a chunk, aligned to its size
 * @nr: their number
 * @at: the address of the first one
 *
 * The addresses are for the processor only: the module itself goes through the
 * direct map, where the checkers of a debugging kernel know the pages.
 *
 * Return: how many were mapped: fewer where the window has no room for all, 0 = none.
 */
unsigned int ccsample_window_map(struct page **chunks, unsigned int nr, unsigned long *at);

/* Unmaps them, on every CPU. May sleep. */
void ccsample_window_unmap(unsigned long at, unsigned int nr);

#endif /* CCSAMPLE_KMOD_WINDOW_H */
