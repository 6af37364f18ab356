/* SPDX-License-Identifier: GPL-2.0-only */
/* What flow.c, which reads a function, and its helpers share while it is read. */
#ifndef CCSAMPLE_LOOPS_FLOW_INSIDE_H
#define CCSAMPLE_LOOPS_FLOW_INSIDE_H

#include "loops/flow.h"

/* Of each byte of a part. */
enum {
	MARK_START = 1,		/* an instruction begins */
	MARK_LEADER = 2,	/* a block begins */
	MARK_COVER = 4,		/* belongs to an instruction */
	MARK_LAST = 8,		/* the instruction that begins here does not go on to the next */
	MARK_JUMP = 16,		/* it may jump */
	MARK_SKIP = 32,		/* padding, or bytes that are no instruction */
};

struct flow_jump {
	uint64_t from;		/* the instruction */
	uint64_t to;
};

struct flow_reading {
	struct flow *flow;
	const struct flow_source *source;
	uint64_t *work;			/* addresses to read from */
	size_t work_count, work_capacity;
	struct flow_jump *jumps;
	size_t jump_count, jump_capacity;
	struct map found;		/* address -> the jump that it was found by; none if by
					 * reading on
					 */
	uint64_t *away;			/* indirect jumps to be understood */
	size_t away_count, away_capacity;
	uint64_t *later;		/* those whose table's end follows from the other tables */
	size_t later_count, later_capacity;
	uint64_t *tables;		/* starts of jump tables */
	size_t table_count, table_capacity;
};

/* The part that holds an address, or NULL. */
struct flow_part *flow_part_at(struct flow *flow, uint64_t address);

/* A jump within the function, or to a part of it that this finds: reads on there. */
bool flow_jump(struct flow_reading *reading, uint64_t from, uint64_t to);

/**
 * jump_table_follow() - follow an indirect jump by its table.
 * @at: the jump
 * @unbound: also by a table whose end is unknown; else it is put off
 *
 * Return: 1 where its targets were found, 0 where it leaves the function (by a
 * pointer, not a table) or is put off, -1 where it has a table that is not
 * understood.
 */
int jump_table_follow(struct flow_reading *reading, uint64_t at, bool unbound);

#endif /* CCSAMPLE_LOOPS_FLOW_INSIDE_H */
