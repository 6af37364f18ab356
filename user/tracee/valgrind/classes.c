// SPDX-License-Identifier: GPL-2.0-only
#include "pub_tool_basics.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_tooliface.h"

#include "tracee/valgrind/engine.h"
#include "tracee/valgrind-lib/tallies.h"

static void send_level(UInt n)
{
	static struct ccs_class_count piece[TALLIES_PIECE];
	struct ccs_class_counts *r;
	UInt from = 0, count;

	while ((count = tallies_piece(n, &from, piece))) {
		r = record_add(CCS_CLASS_COUNTS, 0, sizeof(*r), count * sizeof(*piece));
		r->event = engine_options.events[n].id;
		r->count = count;
		VG_(memcpy)(r + 1, piece, count * sizeof(*piece));
	}
}

void classes_send(void)
{
	static Bool sending;	/* a full buffer is sent, and a second has passed */
	UInt n;

	if (sending)
		return;
	sending = True;
	for (n = 0; n < CACHE_LEVELS && records_on(); n++)
		if (engine_options.events[n].id)
			send_level(n);
	tallies_clear();
	sending = False;
}

/* Often at first, so that short runs that are killed have some, and long ones not too many. */
void classes_turn(void)
{
	static UInt turns, next = 1;

	if (++turns < next)
		return;
	next *= 2;
	classes_send();
}

void classes_leave(Addr start, SizeT size)
{
	if (tallies_hold(start, size))
		classes_send();
}
