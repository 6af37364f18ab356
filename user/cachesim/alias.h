/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * 4K aliasing: a load that a processor holds back behind an older store because their addresses
 * are equal in the low 12 bits, though not above (Intel, Optimization Reference Manual, "Memory
 * Access Latency and Store Forwarding", 4-KByte aliasing; event LD_BLOCKS_PARTIAL.ADDRESS_ALIAS).
 * No matter of cache sets: the lines may all be there.
 *
 * Counted by definition: among the thread's last @window stores, the youngest one that wrote a
 * byte at the same place of a page as the load reads; the load aliases if that byte is of another
 * page. Whether the store was still waiting depends on time, which is not simulated here: it is
 * an upper bound.
 *
 * Freestanding: no libc, no globals.
 */
#ifndef CCSAMPLE_CACHESIM_ALIAS_H
#define CCSAMPLE_CACHESIM_ALIAS_H

#include <stdint.h>

#define ALIAS_PAGE	4096u
#define ALIAS_WINDOW	56u	/* entries of Skylake's store buffer (the manual's table 2-1) */

/* The latest store to a place of a page. */
struct alias_byte {
	uint64_t number;	/* of the store, counted from 1; 0 = none yet */
	uint64_t page;
	uint32_t who;
};

/* One thread's; zeroed to begin with, but for @window. */
struct alias {
	uint64_t stores;
	uint64_t window;
	struct alias_byte bytes[ALIAS_PAGE];
};

/* A store of @size bytes. @who: not 0 */
static inline void alias_store(struct alias *alias, uint64_t address, uint32_t size, uint32_t who)
{
	uint64_t number = ++alias->stores, last = address + size - 1;

	for (; address <= last; address++)
		alias->bytes[address % ALIAS_PAGE] = (struct alias_byte){
			number, address / ALIAS_PAGE, who,
		};
}

/* A load. Return: who stored what it aliases with, 0 = it does not. */
static inline uint32_t alias_load(const struct alias *alias, uint64_t address, uint32_t size)
{
	const struct alias_byte *youngest = &alias->bytes[address % ALIAS_PAGE], *byte;
	uint64_t page = address / ALIAS_PAGE, last = address + size - 1;

	for (; address <= last; address++) {
		byte = &alias->bytes[address % ALIAS_PAGE];
		if (byte->number <= youngest->number)
			continue;
		youngest = byte;
		page = address / ALIAS_PAGE;
	}
	if (!youngest->number || alias->stores - youngest->number >= alias->window ||
	    youngest->page == page)
		return 0;
	return youngest->who;
}

#endif /* CCSAMPLE_CACHESIM_ALIAS_H */
