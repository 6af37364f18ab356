// SPDX-License-Identifier: GPL-2.0-only
#include "pub_tool_basics.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"

#include "tracee/valgrind-lib/tallies.h"

#define PIECE	512u		/* instructions in a record */
#define FIRST	4096u		/* places; half of them are used at most */

struct tally *tallies;
UInt tallies_mask;
static UInt used;

/* Where an instruction is, or is to be. */
static struct tally *place(Addr ip)
{
	UInt at = tallies_first(ip);

	while (tallies[at].ip && tallies[at].ip != ip)
		at = (at + 1) & tallies_mask;
	return &tallies[at];
}

static void resize(UInt places)
{
	struct tally *old = tallies;
	UInt count = old ? tallies_mask + 1 : 0, i;

	tallies = VG_(calloc)("ccsample.tallies", places, sizeof(*tallies));
	tallies_mask = places - 1;
	for (i = 0; i < count; i++)
		if (old[i].ip)
			*place(old[i].ip) = old[i];
	VG_(free)(old);
}

void tallies_init(void)
{
	resize(FIRST);
}

struct tally *tallies_add(Addr ip)
{
	struct tally *tally = place(ip);

	if (tally->ip)
		return tally;
	if (used == (tallies_mask + 1) / 2) {
		resize(2 * (tallies_mask + 1));
		tally = place(ip);
	}
	used++;
	tally->ip = ip;
	return tally;
}

void tallies_clear(void)
{
	if (used)
		VG_(memset)(tallies, 0, (tallies_mask + 1ul) * sizeof(*tallies));
	used = 0;
}

/* The next ones of a level, from place @from on. */
static UInt next_piece(UInt n, UInt *from, struct ccs_class_count *piece)
{
	UInt count = 0;

	for (; used && *from <= tallies_mask && count < PIECE; ++*from) {
		const struct tally_counts *counts = &tallies[*from].levels[n];

		if (counts->misses || counts->saved)
			piece[count++] = (struct ccs_class_count){
				tallies[*from].ip, counts->misses, counts->conflicts, counts->saved,
			};
	}
	return count;
}

void tallies_send(const UInt events[CACHE_LEVELS],
		  void *(*add)(UInt type, UInt tid, UInt size, UInt tail))
{
	static struct ccs_class_count piece[PIECE];
	static Bool sending;	/* a full buffer is sent, and a second has passed */
	UInt n, from, count;

	if (sending)
		return;
	sending = True;
	for (n = 0; n < CACHE_LEVELS; n++) {
		for (from = 0; events[n] && (count = next_piece(n, &from, piece)); ) {
			struct ccs_class_counts *r = add(CCS_CLASS_COUNTS, 0, sizeof(*r),
							 count * sizeof(*piece));

			r->event = events[n];
			r->count = count;
			VG_(memcpy)(r + 1, piece, count * sizeof(*piece));
		}
	}
	tallies_clear();
	sending = False;
}

Bool tallies_due(void)
{
	static UInt turns, next = 1;

	if (++turns < next)
		return False;
	next *= 2;
	return True;
}

Bool tallies_hold(Addr start, SizeT size)
{
	UInt i;

	for (i = 0; used && i <= tallies_mask; i++)
		if (tallies[i].ip && tallies[i].ip - start < size)
			return True;
	return False;
}
