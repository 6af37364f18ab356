// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/search.h"
#include "loops/flow-inside.h"
#include "loops/functions.h"

struct flow_part *flow_part_at(struct flow *flow, uint64_t address)
{
	for (uint32_t i = 0; i < flow->parts; i++)
		if (address - flow->part[i].start < flow->part[i].end - flow->part[i].start)
			return &flow->part[i];
	return NULL;
}

bool flow_holds(const struct flow *flow, uint64_t address)
{
	return flow_part_at((struct flow *)flow, address);
}

static struct flow_part *add_part(struct flow_reading *reading, const struct extent *extent)
{
	struct flow *flow = reading->flow;
	struct flow_part *part = &flow->part[flow->parts];
	size_t left;

	if (flow->parts == FLOW_PARTS)
		return NULL;
	*part = (struct flow_part) { .start = extent->start, .end = extent->end };
	part->bytes = image_at(reading->source->image, extent->start, true, &left);
	if (!part->bytes)
		return NULL;
	if (part->end - part->start > left)
		part->end = part->start + left;
	part->marks = xcalloc(part->end - part->start, 1);
	flow->parts++;
	return part;
}

/* The part that a jump leads into, joined to the function if it is a part split off from it. */
static struct flow_part *join_part(struct flow_reading *reading, uint64_t to)
{
	struct flow_part *part = flow_part_at(reading->flow, to);
	const struct extent *extent, *function;

	if (part)
		return part;
	extent = extents_find(reading->source->extents, to);
	function = extents_find(reading->source->extents, reading->flow->part[0].start);
	if (!extent || !function || flow_part_at(reading->flow, extent->start) ||
	    !function_owns(reading->source, function, extent, to))
		return NULL;
	part = add_part(reading, extent);
	return part && to < part->end ? part : NULL;
}

/* @from: the jump, 0 = none */
static void lead_to(struct flow_reading *reading, struct flow_part *part, uint64_t from,
		    uint64_t to)
{
	uint64_t *found;

	part->marks[to - part->start] |= MARK_LEADER;
	if (part->marks[to - part->start] & MARK_START)
		return;
	if (from) {
		found = map_at(&reading->found, to);
		if (!*found)
			*found = from;
	}
	reading->work = grow(reading->work, reading->work_count, &reading->work_capacity,
			     sizeof(*reading->work));
	reading->work[reading->work_count++] = to;
}

bool flow_jump(struct flow_reading *reading, uint64_t from, uint64_t to)
{
	struct flow_part *part = join_part(reading, to);

	if (!part)
		return false;
	reading->jumps = grow(reading->jumps, reading->jump_count, &reading->jump_capacity,
			      sizeof(*reading->jumps));
	reading->jumps[reading->jump_count++] = (struct flow_jump) { from, to };
	lead_to(reading, part, from, to);
	return true;
}

/* Where an instruction goes, but for the next one. Return: marks of it. */
static uint8_t follow(struct flow_reading *reading, uint64_t at, const struct step *step)
{
	switch (step->kind) {
	case STEP_BRANCH:
		return flow_jump(reading, at, step->target) ? MARK_JUMP : 0;
	case STEP_JUMP:
		return MARK_LAST | (flow_jump(reading, at, step->target) ? MARK_JUMP : 0);
	case STEP_JUMP_AWAY:
		reading->away = grow(reading->away, reading->away_count, &reading->away_capacity,
				     sizeof(*reading->away));
		reading->away[reading->away_count++] = at;
		return MARK_LAST | MARK_JUMP;
	case STEP_CALL:
	case STEP_CALL_AWAY:
		return never_returns(reading->source, at, step) ? MARK_LAST : 0;
	case STEP_END:
	case STEP_TRAP:
		return MARK_LAST;
	default:
		return 0;
	}
}

/* Reads instructions on from an address, to where they do not go on or were read before. */
static void read_on(struct flow_reading *reading, uint64_t at)
{
	struct flow_part *part = flow_part_at(reading->flow, at);
	size_t size = part->end - part->start, offset = at - part->start;
	struct step step;

	while (offset < size && !(part->marks[offset] & MARK_START)) {
		uint8_t marks = MARK_START;

		if (!decoder_step(reading->source->decoder, part->bytes + offset, size - offset,
				  part->start + offset, &step)) {
			reading->flow->bad += !(part->marks[offset] & MARK_SKIP);
			part->marks[offset] |= MARK_SKIP;
			return;
		}
		reading->flow->instructions++;
		part->marks[offset] |= marks;
		if (step.kind != STEP_NEXT && step.kind != STEP_PADDING)
			marks |= follow(reading, part->start + offset, &step);
		if (marks & (MARK_LAST | MARK_JUMP) && offset + step.size < size)
			part->marks[offset + step.size] |= MARK_LEADER;
		part->marks[offset] |= marks;
		for (size_t i = 0; i < step.size; i++)
			part->marks[offset + i] |= MARK_COVER;
		if (marks & MARK_LAST)
			return;
		offset += step.size;
	}
}

/* Reads all that is known to be reached; jump tables once what leads to them has been read. */
static void read_reached(struct flow_reading *reading)
{
	while (reading->work_count || reading->away_count || reading->later_count) {
		int followed;

		if (reading->work_count) {
			uint64_t at = reading->work[--reading->work_count];

			read_on(reading, at);
			continue;
		}
		if (reading->away_count)
			followed = jump_table_follow(reading, reading->away[--reading->away_count],
						     false);
		else
			followed = jump_table_follow(reading,
						     reading->later[--reading->later_count], true);
		reading->flow->tables += followed > 0;
		reading->flow->unknown_jumps += followed < 0;
	}
}

/* The next byte of a part that nothing has been made of; padding on the way is marked. */
static size_t next_unread(struct flow_reading *reading, struct flow_part *part, size_t offset)
{
	size_t size = part->end - part->start;
	struct step step;

	while (offset < size) {
		const uint8_t *bytes = part->bytes + offset;

		if (part->marks[offset] & (MARK_COVER | MARK_SKIP)) {
			offset++;
		} else if (!*bytes) {
			part->marks[offset++] |= MARK_SKIP;
		} else if (!decoder_step(reading->source->decoder, bytes, size - offset, 0,
					 &step)) {
			part->marks[offset++] |= MARK_SKIP;
			reading->flow->bad++;
		} else if (step.kind == STEP_PADDING) {
			memset(part->marks + offset, MARK_SKIP, step.size);
			offset += step.size;
		} else {
			break;
		}
	}
	return offset;
}

/* What nothing leads to is read as well. */
static void read_rest(struct flow_reading *reading)
{
	for (uint32_t i = 0; i < reading->flow->parts; i++) {
		struct flow_part *part = &reading->flow->part[i];
		size_t offset = 0;

		while ((offset = next_unread(reading, part, offset)) < part->end - part->start) {
			lead_to(reading, part, 0, part->start + offset);
			read_reached(reading);
			if (!(part->marks[offset] & MARK_COVER))
				offset++;
		}
	}
}

static uint32_t count_blocks(const struct flow_part *part)
{
	size_t size = part->end - part->start;
	uint32_t count = 0;

	for (size_t i = 0; i < size; i++)
		count += (part->marks[i] & (MARK_START | MARK_LEADER)) ==
			 (MARK_START | MARK_LEADER);
	return count;
}

/* Blocks begin at leaders; where one ends, a leader, a gap or the end of the part follows. */
static void cut_part(struct flow *flow, struct flow_part *part)
{
	size_t size = part->end - part->start, i;
	struct flow_block *block = NULL;

	for (i = 0; i < size; i++) {
		uint8_t marks = part->marks[i];

		if ((marks & (MARK_START | MARK_LEADER)) == (MARK_START | MARK_LEADER)) {
			if (block && !block->end)
				block->end = part->start + i;
			block = &flow->blocks[part->first + part->count++];
			*block = (struct flow_block) { .start = part->start + i };
		} else if (block && !block->end && !(marks & MARK_COVER)) {
			block->end = part->start + i;
		}
	}
	if (block && !block->end)
		block->end = part->end;
}

static void cut_blocks(struct flow *flow)
{
	uint32_t total = 0;

	for (uint32_t i = 0; i < flow->parts; i++)
		total += count_blocks(&flow->part[i]);
	flow->blocks = xcalloc(total + 1, sizeof(*flow->blocks));
	flow->graph.count = total;
	for (uint32_t i = 0, first = 0; i < flow->parts; i++) {
		flow->part[i].first = first;
		cut_part(flow, &flow->part[i]);
		first += flow->part[i].count;
	}
}

uint32_t flow_block_at(const struct flow *flow, uint64_t address)
{
	const struct flow_part *part = flow_part_at((struct flow *)flow, address);
	uint32_t first;

	if (!part)
		return LOOP_NONE;
	first = part->first + search_above(flow->blocks + part->first, part->count,
					   sizeof(*flow->blocks),
					   offsetof(struct flow_block, start), address);
	if (first == part->first || address >= flow->blocks[first - 1].end)
		return LOOP_NONE;
	return first - 1;
}

/* Does a block go on into the next one? By its last instruction. */
static bool goes_on(const struct flow_part *part, const struct flow_block *block)
{
	size_t at = block->end - part->start;

	while (!(part->marks[--at] & MARK_START))
		;
	return !(part->marks[at] & MARK_LAST);
}

/* Turns jumps between addresses into jumps between blocks; those between none are dropped. */
static void settle_jumps(struct flow_reading *reading)
{
	const struct flow *flow = reading->flow;
	size_t kept = 0;

	for (size_t i = 0; i < reading->jump_count; i++) {
		struct flow_jump jump = reading->jumps[i];
		uint32_t from = flow_block_at(flow, jump.from), to = flow_block_at(flow, jump.to);

		if (from != LOOP_NONE && to != LOOP_NONE && flow->blocks[to].start == jump.to)
			reading->jumps[kept++] = (struct flow_jump) { from, to };
	}
	reading->jump_count = kept;
}

/* Does a block lead to the next one? The last of a part does not. */
static bool falls(const struct flow *flow, const struct flow_part *part, uint32_t block)
{
	return block + 1 < part->first + part->count &&
	       flow->blocks[block].end == flow->blocks[block + 1].start &&
	       goes_on(part, &flow->blocks[block]);
}

/* Counts edges by block in first[block + 1], or fills them in where first[block + 1] says. */
static void take_edges(struct flow_reading *reading, bool fill)
{
	struct flow *flow = reading->flow;

	for (uint32_t i = 0; i < flow->parts; i++) {
		const struct flow_part *part = &flow->part[i];

		for (uint32_t b = part->first; b < part->first + part->count; b++) {
			if (!falls(flow, part, b))
				continue;
			if (fill)
				flow->to[flow->first[b + 1]] = b + 1;
			flow->first[b + 1]++;
		}
	}
	for (size_t i = 0; i < reading->jump_count; i++) {
		const struct flow_jump *jump = &reading->jumps[i];

		if (fill)
			flow->to[flow->first[jump->from + 1]] = jump->to;
		flow->first[jump->from + 1]++;
	}
}

static void connect(struct flow_reading *reading)
{
	struct flow *flow = reading->flow;
	uint32_t count = flow->graph.count, total = 0, here;

	flow->first = xcalloc(count + 1, sizeof(*flow->first));
	settle_jumps(reading);
	take_edges(reading, false);
	/* From counts to where each block's edges begin; filling them in moves that to the end. */
	for (uint32_t b = 0; b < count; b++) {
		here = flow->first[b + 1];
		flow->first[b + 1] = total;
		total += here;
	}
	flow->to = xcalloc(total + 1, sizeof(*flow->to));
	take_edges(reading, true);
	flow->graph.first = flow->first;
	flow->graph.to = flow->to;
}

bool flow_read(struct flow *flow, const struct flow_source *source, const struct extent *extent)
{
	struct flow_reading reading = { .flow = flow, .source = source };
	struct flow_part *entry;

	/* Room for all: pointers to parts are held while others are added. */
	*flow = (struct flow) { .part = xcalloc(FLOW_PARTS, sizeof(*flow->part)) };
	entry = add_part(&reading, extent);
	if (!entry) {
		flow_drop(flow);
		return false;
	}
	lead_to(&reading, entry, 0, entry->start);
	read_reached(&reading);
	read_rest(&reading);
	cut_blocks(flow);
	connect(&reading);
	for (uint32_t i = 0; i < flow->parts; i++) {
		free(flow->part[i].marks);
		flow->part[i].marks = NULL;
	}
	flow->part = xrealloc(flow->part, flow->parts * sizeof(*flow->part));
	free(reading.work);
	free(reading.jumps);
	free(reading.away);
	free(reading.later);
	free(reading.tables);
	map_free(&reading.found);
	return true;
}

void flow_drop(struct flow *flow)
{
	for (uint32_t i = 0; i < flow->parts; i++)
		free(flow->part[i].marks);
	free(flow->part);
	free(flow->blocks);
	free(flow->first);
	free(flow->to);
	*flow = (struct flow) { 0 };
}
