// SPDX-License-Identifier: GPL-2.0-only
/* What lies at an address now: code, and data objects. */
#include <stdlib.h>

#include "base/memory.h"
#include "base/text.h"
#include "program/layout.h"
#include "space/space-inside.h"

/*
 * Answers of space_object() are kept for a small and for a large batch of
 * addresses, so that both a list of small nodes and a big array are kept.
 * Allocations take single answers back, other records all of them. All spaces
 * keep theirs in one place: a version belongs to one space.
 */
#define FINE_SHIFT	6
#define FINE_BITS	14
#define COARSE_SHIFT	16
#define COARSE_BITS	12
#define COARSE_LEAST	4096	/* bytes of an answer that is worth a coarse slot */

#define CODE_SHIFT	12
#define CODE_SLOTS	1024

#define BIAS_DEPTH	32	/* mappings looked back through for the first one of a file */

struct answer {
	uint64_t low;
	uint64_t high;
	uint64_t base;			/* of the variable or block, 0 = unknown */
	const struct object *object;
};

struct slot {
	uint64_t low;
	uint64_t base;
	uint64_t version : 64 - COARSE_SHIFT - 1;
	uint64_t size : COARSE_SHIFT + 1;
	const struct object *object;
};

struct object_cache {
	struct slot fine[1 << FINE_BITS];
	struct slot coarse[1 << COARSE_BITS];
};

struct code_slot {
	uint64_t low;
	uint64_t high;
	uint64_t version;
	uint64_t bias;
	struct module *module;
	bool mapped;
	bool biased;
};

void space_forget(struct space *space)
{
	space->object_version = ++space->spaces->object_version;
}

/* Hashed: programs that we look at like power-of-two distances. */
static size_t slot_of(const struct space *space, uint64_t batch, int bits)
{
	return (batch + space->salt) * 0x9e3779b97f4a7c15u >> (64 - bits);
}

static struct slot *fine_slot(const struct space *space, uint64_t address)
{
	return &space->spaces->answers->fine[slot_of(space, address >> FINE_SHIFT, FINE_BITS)];
}

static struct slot *coarse_slot(const struct space *space, uint64_t address)
{
	return &space->spaces->answers->coarse[slot_of(space, address >> COARSE_SHIFT,
							COARSE_BITS)];
}

void space_forget_range(struct space *space, uint64_t start, uint64_t end)
{
	if (!space->spaces->answers)
		return;
	if (end - start > 256u << FINE_SHIFT) {
		space_forget(space);
		return;
	}
	for (uint64_t at = start >> FINE_SHIFT; at <= (end - 1) >> FINE_SHIFT; at++)
		fine_slot(space, at << FINE_SHIFT)->size = 0;
	coarse_slot(space, start)->size = 0;
	coarse_slot(space, end - 1)->size = 0;
}

/* Keeps as much of an answer as lies in the batch of its slot. */
static void keep_answer(struct space *space, uint64_t address, const struct answer *answer)
{
	uint64_t from = address >> COARSE_SHIFT << COARSE_SHIFT;
	uint64_t to = from + ((1u << COARSE_SHIFT) - 1);
	uint64_t low = answer->low > from ? answer->low : from;
	uint64_t last = answer->high - 1 < to ? answer->high - 1 : to;
	struct slot *slot;

	if (!space->spaces->answers)
		space->spaces->answers = xcalloc(1, sizeof(*space->spaces->answers));
	slot = coarse_slot(space, address);
	if (last - low < COARSE_LEAST - 1) {
		slot = fine_slot(space, address);
		from = address >> FINE_SHIFT << FINE_SHIFT;
		to = from + ((1u << FINE_SHIFT) - 1);
		low = answer->low > from ? answer->low : from;
		last = answer->high - 1 < to ? answer->high - 1 : to;
	}
	*slot = (struct slot) {
		.low = low,
		.base = answer->base,
		.size = last - low + 1,
		.version = space->object_version,
		.object = answer->object,
	};
}

static struct mapping *mapping_at(const struct space *space, uint64_t address, struct range *range)
{
	return ranges_find(&space->maps, address, range) ?
	       &space->spaces->mappings[range->value] : NULL;
}

static bool set_bias(struct mapping *mapping, uint64_t bias)
{
	mapping->bias = bias;
	mapping->bias_state = BIAS_KNOWN;
	return true;
}

/* Does a mapping of a module lie where a load at this bias would put it? */
static bool loaded_at(const struct mapping *mapping, uint64_t bias)
{
	const struct segment *segment = module_segment(mapping->module, mapping->start - bias);

	return segment && segment->offset + (mapping->start - bias - segment->start) ==
			  mapping->offset;
}

/*
 * How far a mapping lies from the link-time addresses of its module. One page
 * of a file may be mapped for two segments; the mappings below it, loaded
 * together with it, say which one it is.
 */
static bool find_bias(struct space *space, struct mapping *mapping, const struct range *range,
		      int depth)
{
	struct mapping *below;
	struct range near;

	if (mapping->bias_state != BIAS_UNKNOWN)
		return mapping->bias_state == BIAS_KNOWN;
	if (depth && range->start && ranges_before(&space->maps, range->start - 1, &near)) {
		below = &space->spaces->mappings[near.value];
		if (below->module == mapping->module && below != mapping &&
		    find_bias(space, below, &near, depth - 1) && loaded_at(mapping, below->bias))
			return set_bias(mapping, below->bias);
	}
	if (module_bias(mapping->module, mapping->start, mapping->offset, mapping->protection,
			&mapping->bias))
		return set_bias(mapping, mapping->bias);
	mapping->bias_state = BIAS_NONE;
	return false;
}

static struct object *object_by_id(const struct space *space, uint32_t id)
{
	return space->spaces->objects.all[id - 1];
}

static void find_code(struct space *space, uint64_t ip, struct code_slot *slot)
{
	struct mapping *mapping;
	struct range range;

	mapping = mapping_at(space, ip, &range);
	*slot = (struct code_slot) {
		.low = range.start,
		.high = range.end,
		.version = space->code_version,
		.mapped = mapping,
	};
	if (!mapping || !mapping->module)
		return;
	slot->module = mapping->module;
	slot->biased = find_bias(space, mapping, &range, BIAS_DEPTH);
	/* Without the file its bytes are counted as in the file. */
	slot->bias = slot->biased ? mapping->bias : mapping->start - mapping->offset;
}

struct code space_code(struct space *space, uint64_t ip)
{
	struct spaces *spaces = space->spaces;
	struct code_slot *slot;

	if (!spaces->code)
		spaces->code = xcalloc(CODE_SLOTS, sizeof(*spaces->code));
	slot = &spaces->code[((ip >> CODE_SHIFT) + space->salt) % CODE_SLOTS];
	if (slot->version != space->code_version || ip < slot->low || ip >= slot->high)
		find_code(space, ip, slot);
	return (struct code) {
		.module = slot->module,
		.address = ip - slot->bias,
		.anonymous = slot->mapped && !slot->module,
	};
}

/* Narrows an answer to what holds the address too. */
static void narrow(struct answer *answer, uint64_t low, uint64_t high)
{
	answer->low = low > answer->low ? low : answer->low;
	answer->high = high < answer->high ? high : answer->high;
}

static void narrow_to_page(struct answer *answer, uint64_t address)
{
	uint64_t last = address | 4095;

	narrow(answer, last - 4095, last == UINT64_MAX ? last : last + 1);
}

/* The place in the file that a link-time address is loaded from; past the file for .bss. */
static uint64_t file_offset(const struct segment *segment, uint64_t link)
{
	return segment->offset + (link - segment->start);
}

/* The data of a loaded module at an address; NULL if it is none of the module's. */
static const struct object *module_object(struct space *space, const struct mapping *mapping,
					  uint64_t address, struct answer *answer)
{
	const struct segment *segment = module_segment(mapping->module, address - mapping->bias);
	uint64_t bias = mapping->bias;
	const struct object *object;
	struct variable variable;
	bool known;
	char *name;

	if (!segment)
		return NULL;
	narrow(answer, segment->start + bias, segment->end + bias);
	known = !module_variable(mapping->module, address - bias, &variable);
	narrow(answer, variable.low > segment->start ? variable.low + bias : 0,
	       variable.high < segment->end ? variable.high + bias : UINT64_MAX);
	if (known) {
		answer->base = variable.address + bias;
		return space_variable(space, OBJECT_GLOBAL, mapping->module, &variable);
	}
	name = xasprintf("%s data", base_name(module_path(mapping->module)));
	object = objects_of_module(&space->spaces->objects, OBJECT_GLOBAL, name, "",
				   mapping->module);
	free(name);
	return object;
}

/* A mapped file: a module as it was loaded, or else just a file. */
static const struct object *file_object(struct space *space, struct mapping *mapping,
					const struct range *range, uint64_t address,
					struct answer *answer)
{
	const struct segment *segment;
	const struct object *object;
	uint64_t link;

	if (!find_bias(space, mapping, range, BIAS_DEPTH))
		return mapping->object;
	link = address - mapping->bias;
	segment = module_segment(mapping->module, link);
	if (!segment ||
	    file_offset(segment, link) != mapping->offset + (address - mapping->start))
		return mapping->object;
	object = module_object(space, mapping, address, answer);
	return object ? object : mapping->object;
}

/* Is the last byte from the file mapped where its segment wants it, and as it wants it? */
static bool tail_loaded(struct space *space, const struct mapping *mapping,
			const struct segment *segment)
{
	uint64_t last = segment->file_end - 1;
	struct mapping *tail;
	struct range range;

	if (segment->file_end == segment->start)
		return true;
	tail = mapping_at(space, last + mapping->bias, &range);
	return tail && tail->module == mapping->module &&
	       (!segment->write || !tail->protection || tail->protection & CCS_MAP_WRITE) &&
	       file_offset(segment, last) == tail->offset + (last + mapping->bias - tail->start);
}

/*
 * .bss: memory without a file, right after a loaded module's last bytes from
 * the file. A program may also map a module just to read it: no .bss then.
 */
static const struct object *bss_object(struct space *space, uint64_t address,
				       struct answer *answer)
{
	const struct segment *segment;
	struct mapping *mapping = NULL;
	struct range range;
	uint64_t at = address, link;

	for (int i = 0; i < BIAS_DEPTH && ranges_before(&space->maps, at, &range); i++) {
		mapping = &space->spaces->mappings[range.value];
		if (mapping->module || !range.start)
			break;
		at = range.start - 1;
	}
	if (!mapping || !mapping->module || !find_bias(space, mapping, &range, BIAS_DEPTH))
		return NULL;
	link = address - mapping->bias;
	segment = module_segment(mapping->module, link);
	if (!segment && link >= module_end(mapping->module)) {
		narrow(answer, module_end(mapping->module) + mapping->bias, UINT64_MAX);
		return NULL;
	}
	if (!segment || link < segment->file_end || !tail_loaded(space, mapping, segment)) {
		narrow_to_page(answer, address);
		return NULL;
	}
	return module_object(space, mapping, address, answer);
}

static const struct object *mapped_at(struct space *space, uint64_t address,
				      struct answer *answer)
{
	const struct object *object;
	struct mapping *mapping;
	struct range range;

	mapping = mapping_at(space, address, &range);
	narrow(answer, range.start, range.end);
	if (mapping && mapping->module)
		return file_object(space, mapping, &range, address, answer);
	object = bss_object(space, address, answer);
	if (object)
		return object;
	return mapping ? mapping->object : space_own_object(space, OBJECT_MAPPING, "[unknown]");
}

bool space_on_thread(const struct space *space, uint64_t address)
{
	struct range range;

	return ranges_find(&space->threads, address, &range);
}

static uint64_t block_base(const struct object *object, const struct range *block)
{
	if (!object->layout)
		return block->start;
	return block->start + layout_start(object->layout, block->end - block->start);
}

#define ROUNDED	32	/* bytes: no allocator's block holds more than was asked for and these */

/* Is a block of the heap surely one that is reported? */
static bool is_known(const struct space *space, const struct range *block)
{
	return block->end - block->start + ROUNDED >= space->least_block;
}

/* Most special first: a block may lie in anything, a stack in a mapping. */
static void find_object(struct space *space, uint64_t address, struct answer *answer)
{
	struct range range;
	bool found;

	*answer = (struct answer) { .high = UINT64_MAX };
	if (space->spaces->unnamed) {
		answer->object = space_own_object(space, OBJECT_MAPPING, "[unknown]");
		return;
	}
	found = ranges_find(&space->heap, address, &range);
	narrow(answer, range.start, range.end);
	if (found && is_known(space, &range)) {
		answer->object = object_by_id(space, range.value);
		answer->base = block_base(answer->object, &range);
		return;
	}
	found = ranges_find(&space->threads, address, &range);
	narrow(answer, range.start, range.end);
	if (found) {
		answer->object = space_own_object(space, OBJECT_STACK, "[stack]");
		return;
	}
	found = ranges_find(&space->blocks, address, &range);
	narrow(answer, range.start, range.end);
	if (found) {
		answer->object = object_by_id(space, range.value);
		answer->base = block_base(answer->object, &range);
		return;
	}
	answer->object = mapped_at(space, address, answer);
}

static bool holds(const struct slot *slot, uint64_t address, uint64_t version)
{
	return address - slot->low < slot->size && slot->version == version;
}

static bool find_slot(const struct space *space, uint64_t address, const struct slot **slot)
{
	if (!space->spaces->answers)
		return false;
	*slot = coarse_slot(space, address);
	if (holds(*slot, address, space->object_version))
		return true;
	*slot = fine_slot(space, address);
	return holds(*slot, address, space->object_version);
}

const struct object *space_object_base(struct space *space, uint64_t address, uint64_t *base)
{
	const struct slot *slot;
	struct answer answer;

	if (find_slot(space, address, &slot)) {
		*base = slot->base;
		return slot->object;
	}
	find_object(space, address, &answer);
	if (answer.low <= address && address < answer.high)
		keep_answer(space, address, &answer);
	*base = answer.base;
	return answer.object;
}

const struct object *space_object(struct space *space, uint64_t address)
{
	uint64_t base;

	return space_object_base(space, address, &base);
}

const struct object *space_object_range(struct space *space, uint64_t address, uint64_t *low,
					uint64_t *high)
{
	struct answer answer;

	find_object(space, address, &answer);
	*low = answer.low;
	*high = answer.high;
	return answer.object;
}

const struct object *space_block(struct space *space, const struct object *object,
				 uint32_t number, bool rest)
{
	return objects_block(&space->spaces->objects, object, number, rest);
}
