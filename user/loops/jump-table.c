// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where an indirect jump goes, by the code before it. Compilers write
 *
 *	cmp $N, index; ja elsewhere; jmp *table(, index, 8)		absolute addresses
 *	lea table(%rip), t; movslq (t, index, 4), r; add t, r; jmp *r	distances from the table
 *
 * in many orders, with copies between. A jump to what was loaded without an
 * index goes by a pointer: it leaves the function.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "loops/flow-inside.h"

#define TRAIL_MOST	128	/* instructions looked at */
#define REGISTERS	16
#define DEFINITIONS_MOST 8	/* followed, one after the other */
#define ENTRIES_MOST	65536	/* of a table whose bound is known */
#define UNBOUND_MOST	1024	/* of one whose bound is not */

/* What runs before a jump: itself at 0, and so on back. */
struct trail {
	struct move move[TRAIL_MOST];
	size_t count;
};

enum value_kind {
	VALUE_UNKNOWN,
	VALUE_CONSTANT,		/* @number */
	VALUE_SCALED,		/* register @place.index times @place.scale, at @at of the trail */
	VALUE_ENTRY,		/* memory at @place, read by instruction @at of the trail */
	VALUE_DISTANCE,		/* the same, added to @number */
};

struct value {
	enum value_kind kind;
	uint64_t number;
	struct place place;
	uint32_t size;
	size_t at;
	size_t scaled;		/* of an entry: where its index was scaled, 0 = in the entry */
};

struct table {
	uint64_t start;
	uint64_t origin;	/* what entries are added to */
	uint32_t size;		/* of an entry: 8 = addresses, 4 = distances from @origin */
	uint64_t count;		/* at most */
	bool bound;		/* a comparison or mask says so */
};

/*
 * The instruction from which another was found; 0 = none known. That leads back
 * to the function's entry without turning in circles.
 */
static uint64_t step_back(const struct flow_reading *reading, uint64_t at)
{
	const struct flow_part *part = flow_part_at(reading->flow, at);
	size_t offset = at - part->start, back = offset;
	uint64_t from = map_get(&reading->found, at);
	struct step step;

	if (from)
		return from;
	while (back && offset - back < 15 && part->marks[back - 1] & MARK_COVER) {
		back--;
		if ((part->marks[back] & (MARK_START | MARK_LAST)) == MARK_START &&
		    decoder_step(reading->source->decoder, part->bytes + back, offset - back,
				 part->start + back, &step) && back + step.size == offset)
			return part->start + back;
	}
	return 0;
}

static void follow_back(const struct flow_reading *reading, uint64_t at, struct trail *trail)
{
	trail->count = 0;
	while (at && trail->count < TRAIL_MOST) {
		const struct flow_part *part = flow_part_at(reading->flow, at);

		if (!decoder_move(reading->source->decoder, part->bytes + (at - part->start),
				  part->end - at, at, &trail->move[trail->count]))
			return;
		trail->count++;
		at = step_back(reading, at);
	}
}

static bool same_place(const struct place *a, const struct place *b)
{
	return a->base == b->base && a->index == b->index && a->scale == b->scale &&
	       a->displacement == b->displacement && a->absolute == b->absolute;
}

static struct value value_of(const struct trail *trail, size_t at, int name, int most);

/* What was loaded by instruction @at: what was stored there before (code that is not optimized),
 * or else an entry of what may be a table. */
static struct value value_loaded(const struct trail *trail, size_t at, int most)
{
	const struct move *load = &trail->move[at];

	for (size_t i = at + 1; load->place.index == NO_REGISTER && i < trail->count; i++)
		if (trail->move[i].kind == MOVE_STORE &&
		    same_place(&trail->move[i].place, &load->place))
			return value_of(trail, i, trail->move[i].from, most - 1);
	return (struct value) {
		.kind = VALUE_ENTRY, .place = load->place, .size = load->size, .at = at };
}

/* What a register holds when instruction @at of the trail begins; @most: definitions followed. */
static struct value value_of(const struct trail *trail, size_t at, int name, int most)
{
	struct value unknown = { .kind = VALUE_UNKNOWN }, a, b;
	const struct move *move;

	if (name == NO_REGISTER || !most)
		return unknown;
	while (++at < trail->count && !(trail->move[at].changed & 1u << name))
		;
	if (at >= trail->count)
		return unknown;
	move = &trail->move[at];
	if (move->to != name)
		return unknown;
	switch (move->kind) {
	case MOVE_COPY:
		return move->size >= 4 ? value_of(trail, at, move->from, most - 1) : unknown;
	case MOVE_CONSTANT:
		return (struct value) { .kind = VALUE_CONSTANT, .number = move->number };
	case MOVE_ADDRESS:
		if (move->place.base == NO_REGISTER && move->place.index != NO_REGISTER &&
		    !move->place.displacement)
			return (struct value) {
				.kind = VALUE_SCALED, .place = move->place, .at = at };
		if (!move->place.absolute || move->place.index != NO_REGISTER)
			return unknown;
		return (struct value) {
			.kind = VALUE_CONSTANT, .number = move->place.displacement };
	case MOVE_LOAD:
		return value_loaded(trail, at, most);
	case MOVE_ADD:
		a = value_of(trail, at, move->to, most - 1);
		b = value_of(trail, at, move->from, most - 1);
		if (a.kind == VALUE_ENTRY && b.kind == VALUE_CONSTANT) {
			a.number = b.number;
			a.kind = VALUE_DISTANCE;
			return a;
		}
		if (b.kind == VALUE_ENTRY && a.kind == VALUE_CONSTANT) {
			b.number = a.number;
			b.kind = VALUE_DISTANCE;
			return b;
		}
		return a.kind == VALUE_ENTRY ? a : b;
	default:
		return unknown;
	}
}

/*
 * One past the largest value of an index when instruction @at begins, by
 * comparison or mask; 0 = not known.
 */
static uint64_t bound_of(const struct trail *trail, size_t at, int name)
{
	uint64_t known[REGISTERS] = { 0 }, bound, equal = 0;
	const struct place *memory = NULL;
	bool branched = false;

	while (++at < trail->count) {
		const struct move *move = &trail->move[at];

		if (move->kind == MOVE_BRANCH) {
			branched = true;
			equal = move->number;
		} else if (move->kind == MOVE_COMPARE && branched) {
			branched = false;
			bound = move->number + equal;
			if (memory ? move->from == NO_REGISTER && same_place(memory, &move->place) :
				     move->from == name)
				return bound;
			if (move->from != NO_REGISTER && !known[move->from])
				known[move->from] = bound;
		}
		for (int i = 0; i < REGISTERS; i++)
			if (move->changed & 1u << i && i != name)
				known[i] = 0;
		if (memory || !(move->changed & 1u << name))
			continue;
		if (move->to == name && move->kind == MOVE_MASK)
			return move->number + 1;
		if (move->to != name || (move->kind != MOVE_COPY && move->kind != MOVE_LOAD))
			return 0;
		if (move->kind == MOVE_LOAD) {
			memory = &move->place;
			continue;
		}
		name = move->from;
		if (known[name])
			return known[name];
	}
	return 0;
}

/* [base + index], one of them an index scaled before, is written as [base + index * scale]. */
static void unscale(const struct trail *trail, struct value *entry)
{
	int names[2] = { entry->place.base, entry->place.index };

	for (int i = 0; i < 2; i++) {
		struct value value = value_of(trail, entry->at, names[i], DEFINITIONS_MOST);

		if (value.kind != VALUE_SCALED)
			continue;
		entry->place.index = value.place.index;
		entry->place.scale = value.place.scale;
		entry->place.base = names[1 - i];
		entry->scaled = value.at;
		return;
	}
}

/* The table that the jump at the head of the trail goes by. Return: as jump_table_follow(). */
static int find_table(const struct trail *trail, struct table *table)
{
	const struct move *go = &trail->move[0];
	struct value entry = { .kind = VALUE_ENTRY, .place = go->place, .size = 8 }, base;

	if (!trail->count || go->kind != MOVE_GO)
		return 0;
	if (go->from != NO_REGISTER)
		entry = value_of(trail, 0, go->from, DEFINITIONS_MOST);
	if (entry.kind == VALUE_UNKNOWN || entry.kind == VALUE_CONSTANT ||
	    entry.place.index == NO_REGISTER)
		return 0;
	table->start = entry.place.displacement;
	if (entry.place.scale == 1)
		unscale(trail, &entry);
	if (!entry.place.absolute) {
		base = value_of(trail, entry.at, entry.place.base, DEFINITIONS_MOST);
		if (base.kind != VALUE_CONSTANT)
			return -1;
		table->start += base.number;
	}
	table->origin = entry.number;
	table->size = entry.kind == VALUE_DISTANCE ? 4 : 8;
	if (entry.size != table->size || entry.place.scale != table->size)
		return -1;
	table->count = bound_of(trail, entry.scaled ? entry.scaled : entry.at, entry.place.index);
	table->bound = table->count && table->count <= ENTRIES_MOST;
	if (!table->bound)
		table->count = UNBOUND_MOST;
	return 1;
}

/* An entry's target, 0 where the image has none. */
static uint64_t read_entry(const struct flow_reading *reading, const struct table *table,
			   uint64_t i)
{
	uint64_t address = table->start + i * table->size;
	const uint8_t *bytes;
	int32_t distance;
	size_t left;

	if (table->size == 8)
		return image_pointer(reading->source->image, address);
	bytes = image_at(reading->source->image, address, false, &left);
	if (!bytes || left < sizeof(distance))
		return 0;
	memcpy(&distance, bytes, sizeof(distance));
	return table->origin + distance;
}

static bool begins_table(const struct flow_reading *reading, uint64_t address)
{
	for (size_t i = 0; i < reading->table_count; i++)
		if (reading->tables[i] == address)
			return true;
	return false;
}

static int by_value(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

	return (a > b) - (a < b);
}

/* In the middle of an instruction that was read before? */
static bool cuts_instruction(const struct flow_reading *reading, uint64_t address)
{
	const struct flow_part *part = flow_part_at(reading->flow, address);

	return part && (part->marks[address - part->start] & (MARK_COVER | MARK_START)) ==
		       MARK_COVER;
}

/* Could this be an entry? One of a table that nothing bounds must fit in with what is known. */
static bool plausible(struct flow_reading *reading, uint64_t at, const struct table *table,
		      uint64_t i, uint64_t target)
{
	if (!target)
		return false;
	if (!table->bound && (cuts_instruction(reading, target) ||
			      (i && begins_table(reading, table->start + i * table->size))))
		return false;
	return flow_part_at(reading->flow, target) || flow_jump(reading, at, target);
}

/* Targets up to the first entry that cannot be one. */
static size_t read_table(struct flow_reading *reading, uint64_t at, const struct table *table)
{
	uint64_t *targets = xcalloc(table->count, sizeof(*targets)), last = 0, i;
	size_t found = 0;

	for (i = 0; i < table->count; i++) {
		uint64_t target = read_entry(reading, table, i);

		if (!plausible(reading, at, table, i, target))
			break;
		targets[found++] = target;
	}
	if (found)
		qsort(targets, found, sizeof(*targets), by_value);
	for (i = 0; i < found; i++) {
		if (targets[i] != last)
			flow_jump(reading, at, targets[i]);
		last = targets[i];
	}
	free(targets);
	return found;
}

static void put_off(struct flow_reading *reading, uint64_t at)
{
	reading->later = grow(reading->later, reading->later_count, &reading->later_capacity,
			      sizeof(*reading->later));
	reading->later[reading->later_count++] = at;
}

int jump_table_follow(struct flow_reading *reading, uint64_t at, bool unbound)
{
	struct table table;
	struct trail trail;
	int found;

	follow_back(reading, at, &trail);
	found = find_table(&trail, &table);
	if (found > 0 && !table.bound && !unbound) {
		put_off(reading, at);
		return 0;
	}
	if (found <= 0)
		return found;
	reading->tables = grow(reading->tables, reading->table_count, &reading->table_capacity,
			       sizeof(*reading->tables));
	reading->tables[reading->table_count++] = table.start;
	return read_table(reading, at, &table) ? 1 : -1;
}
