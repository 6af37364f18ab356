// SPDX-License-Identifier: GPL-2.0-only
#include "prsd/room.h"

#define ROOM_FIRST 16u

bool room_for(void *array, uint32_t *room, uint64_t need, size_t size,
	      const struct allocator *memory)
{
	uint64_t more = *room ? *room : ROOM_FIRST;
	void *old, *grown;

	if (need <= *room)
		return true;
	while (more < need)
		more *= 2;
	if (more > UINT32_MAX)
		return false;
	grown = memory->get(more * size);
	if (!grown)
		return false;
	__builtin_memcpy(&old, array, sizeof(old));
	if (old)
		__builtin_memcpy(grown, old, *room * size);
	memory->put(old);
	__builtin_memcpy(array, &grown, sizeof(grown));
	*room = more;
	return true;
}
