/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A number for every 8 bytes of memory, 0 = none. The lowest bit says that a
 * block begins there, so that its end shows where the next one begins.
 */
#ifndef CCSAMPLE_TRACEE_VALGRIND_LIB_PLACE_MAP_H
#define CCSAMPLE_TRACEE_VALGRIND_LIB_PLACE_MAP_H

#include "pub_tool_basics.h"

#define PLACE_BEGINS	1u

#define PLACE_NODE_BITS	12		/* of a page's number, at each of three steps */
#define PLACE_NODES	(1u << PLACE_NODE_BITS)

struct place_page;

struct place_map {
	struct place_page **leaves[PLACE_NODES];
};

UInt place_map_get(struct place_map *map, Addr address);

/* Writes [start, end); only its first place gets PLACE_BEGINS. */
void place_map_set(struct place_map *map, Addr start, Addr end, UInt value);

/* The end of a block: where another number stands, or another block begins. */
Addr place_map_end(struct place_map *map, Addr start);

/* Has all of the address's page one number? */
Bool place_map_whole(struct place_map *map, Addr address);

#endif /* CCSAMPLE_TRACEE_VALGRIND_LIB_PLACE_MAP_H */
