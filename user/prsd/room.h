/* SPDX-License-Identifier: GPL-2.0-only */
/* Arrays that grow, from whatever memory there is. Freestanding: the Valgrind tool has it too. */
#ifndef CCSAMPLE_PRSD_ROOM_H
#define CCSAMPLE_PRSD_ROOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/allocator.h"

/**
 * room_for() - make an array hold so many elements.
 * @array: address of the pointer to it; moved perhaps, what is new is zero
 * @room: elements that it holds, updated
 * @size: bytes of an element
 *
 * Return: false without memory, the array unchanged.
 */
bool room_for(void *array, uint32_t *room, uint64_t need, size_t size,
	      const struct allocator *memory);

#endif /* CCSAMPLE_PRSD_ROOM_H */
