/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CCSAMPLE_BASE_SEARCH_H
#define CCSAMPLE_BASE_SEARCH_H

#include <stddef.h>
#include <stdint.h>

/**
 * search_above() - binary search.
 * @items: @count of @size bytes each, in order of the uint64_t at @offset; NULL if @count is 0
 *
 * Return: the number of the first item whose key is above @key, @count if there is none.
 */
static inline size_t search_above(const void *items, size_t count, size_t size, size_t offset,
				  uint64_t key)
{
	size_t first = 0, last = count;

	while (first < last) {
		size_t middle = first + (last - first) / 2;
		const char *item = (const char *)items + middle * size;

		if (*(const uint64_t *)(item + offset) <= key)
			first = middle + 1;
		else
			last = middle;
	}
	return first;
}

#endif /* CCSAMPLE_BASE_SEARCH_H */
