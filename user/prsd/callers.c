// SPDX-License-Identifier: GPL-2.0-only
#include "prsd/callers.h"
#include "prsd/room.h"

bool callers_call(struct callers *c, uint64_t place, uint64_t back, const struct allocator *memory)
{
	struct caller *new;
	uint32_t top, at;

	callers_return(c, place + 1);
	if (!room_for(&c->all, &c->room, c->count + 1ull, sizeof(*c->all), memory))
		return false;
	top = c->count ? c->all[c->count - 1].folded : 0;
	new = &c->all[c->count++];
	for (at = top; at && c->all[at - 1].back != back;)
		at = c->all[at - 1].outer;
	*new = (struct caller){ .place = place, .back = back, .folded = at };
	if (at) {
		new->signature = c->all[at - 1].signature;
		return true;
	}
	new->folded = c->count;
	new->outer = top;
	new->signature = back ^ (top ? c->all[top - 1].signature : 0);
	return true;
}

void callers_return(struct callers *c, uint64_t top)
{
	while (c->count && c->all[c->count - 1].place < top)
		c->count--;
}
