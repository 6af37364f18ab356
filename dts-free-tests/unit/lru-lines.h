/* SPDX-License-Identifier: GPL-2.0-only */
/* LRU by brute force: what simulators and estimators are held against. */
#ifndef CCSAMPLE_TESTS_LRU_LINES_H
#define CCSAMPLE_TESTS_LRU_LINES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Puts a line first among @count. Return: true if it was there. */
static inline bool lru_use(uint64_t *lines, uint32_t count, uint64_t line)
{
	uint32_t i = 0;
	bool there;

	while (i + 1 < count && lines[i] != line)
		i++;
	there = lines[i] == line;
	memmove(lines + 1, lines, i * sizeof(*lines));
	lines[0] = line;
	return there;
}

#endif /* CCSAMPLE_TESTS_LRU_LINES_H */
