// SPDX-License-Identifier: GPL-2.0-only
#include "pub_tool_basics.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"

#include "tracee/valgrind-lib/tallies.h"

#define FIRST	1024u		/* places in the index; half of them are used at most */

struct tally *tallies;
UInt tallies_count;
UInt *tallies_index;
UInt tallies_mask;

static void put(UInt number)
{
	UInt at = tallies_first(tallies[number].ip);

	while (tallies_index[at])
		at = (at + 1) & tallies_mask;
	tallies_index[at] = number + 1;
}

static void resize(UInt places)
{
	UInt i;

	VG_(free)(tallies_index);
	tallies_index = VG_(calloc)("ccsample.tallies", places, sizeof(*tallies_index));
	tallies_mask = places - 1;
	tallies = VG_(realloc)("ccsample.tallies", tallies, places / 2 * sizeof(*tallies));
	for (i = 0; i < tallies_count; i++)
		put(i);
}

void tallies_init(void)
{
	resize(FIRST);
}

struct tally *tallies_add(Addr ip)
{
	if (tallies_count == (tallies_mask + 1) / 2)
		resize(2 * (tallies_mask + 1));
	VG_(memset)(&tallies[tallies_count], 0, sizeof(*tallies));
	tallies[tallies_count].ip = ip;
	put(tallies_count);
	return &tallies[tallies_count++];
}

void tallies_clear(void)
{
	if (!tallies_count)
		return;
	VG_(memset)(tallies_index, 0, (tallies_mask + 1ul) * sizeof(*tallies_index));
	tallies_count = 0;
}

UInt tallies_piece(UInt n, UInt *from, struct ccs_class_count *piece)
{
	UInt count = 0;

	for (; *from < tallies_count && count < TALLIES_PIECE; ++*from) {
		const struct tally_counts *counts = &tallies[*from].levels[n];

		if (counts->misses || counts->saved)
			piece[count++] = (struct ccs_class_count){
				tallies[*from].ip, counts->misses, counts->conflicts, counts->saved,
			};
	}
	return count;
}

Bool tallies_hold(Addr start, SizeT size)
{
	UInt i;

	for (i = 0; i < tallies_count; i++)
		if (tallies[i].ip - start < size)
			return True;
	return False;
}
