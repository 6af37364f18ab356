// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/memory.h"
#include "program/objects.h"
#include "program/ranges.h"
#include "program/site.h"
#include "program/space.h"

/*
 * Answers of space_object() are kept for a small and for a large stretch of
 * addresses, so that both a list of small nodes and a big array stay known.
 * Allocations take single answers back, other records all of them.
 */
#define FINE_SHIFT	6
#define FINE_BITS	12
#define COARSE_SHIFT	16
#define COARSE_BITS	10
#define COARSE_LEAST	4096	/* bytes of an answer that is worth a coarse slot */

#define CODE_SHIFT	12
#define CODE_SLOTS	256

#define BIAS_DEPTH	32	/* mappings looked back through for the first one of a file */

/* What is mapped in one or more ranges: the pieces of one CCS_MAP. */
struct mapping {
	struct module *module;		/* NULL = anonymous, or no file */
	struct object *object;		/* where it is not the module's data */
	uint64_t start;
	uint64_t offset;		/* of @start in the file */
	uint64_t bias;
	uint32_t protection;
	uint32_t pieces;		/* 0 = free */
	uint32_t next_free;
	enum { BIAS_UNKNOWN, BIAS_NONE, BIAS_KNOWN } bias_state;
};

/* A call stack; a fork's child shares it. */
struct stack {
	uint32_t users;
	uint32_t depth;
	struct object *object[2];	/* by enum ccs_alloc_kind, NULL = not asked for yet */
	uint64_t frames[];
};

struct answer {
	uint64_t low;
	uint64_t high;
	const struct object *object;
};

struct slot {
	uint64_t low;
	uint32_t size;
	uint32_t version;
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

struct space {
	struct spaces *spaces;
	char *program;
	struct ranges maps;		/* value: index in @mappings */
	struct ranges heap;		/* value: object id */
	struct ranges blocks;		/* mapped by the program; value: object id */
	struct ranges threads;		/* stacks */
	struct mapping *mappings;
	size_t mapping_count;
	size_t mapping_capacity;
	uint32_t free_mapping;		/* index + 1, 0 = none */
	struct map stacks;		/* id -> struct stack */
	uint64_t *alive;		/* bytes, by object id */
	size_t alive_size;
	uint64_t code_version;
	uint32_t object_version;
	struct object_cache *objects;	/* made by the first question */
	struct code_slot *code;
};

struct spaces {
	struct symbols *symbols;
	struct objects objects;
	struct sites *sites;
	struct map by_process;		/* -> struct space */
	uint64_t code_version;		/* the newest of all, so that none comes twice */
	uint32_t last_process;
	struct space *last;
};

struct spaces *spaces_new(struct symbols *symbols)
{
	struct spaces *spaces = xcalloc(1, sizeof(*spaces));

	spaces->symbols = symbols;
	spaces->sites = sites_new(&spaces->objects);
	return spaces;
}

/* --- an image begins and ends --- */

static void drop_stack(struct stack *stack)
{
	if (!--stack->users)
		free(stack);
}

static void drop_stacks(struct map *stacks)
{
	for (size_t i = 0; stacks->entries && i <= stacks->mask; i++)
		if (stacks->entries[i].value)
			drop_stack((void *)(uintptr_t)stacks->entries[i].value);
	map_free(stacks);
}

/* Back to an empty space that nothing is known of. */
static void space_clear(struct space *space)
{
	struct spaces *spaces = space->spaces;

	ranges_drop(&space->maps);
	ranges_drop(&space->heap);
	ranges_drop(&space->blocks);
	ranges_drop(&space->threads);
	drop_stacks(&space->stacks);
	free(space->program);
	free(space->mappings);
	free(space->alive);
	free(space->objects);
	free(space->code);
	*space = (struct space) {
		.spaces = spaces,
		.program = xstrdup(""),
		.code_version = ++spaces->code_version,
		.object_version = 1,
	};
}

struct space *spaces_get(struct spaces *spaces, uint32_t process)
{
	uint64_t *value;

	if (spaces->last && spaces->last_process == process)
		return spaces->last;
	value = map_at(&spaces->by_process, process);
	if (!*value) {
		struct space *space = xcalloc(1, sizeof(*space));

		*value = (uintptr_t)space;
		space->spaces = spaces;
		space_clear(space);
	}
	spaces->last_process = process;
	spaces->last = (void *)(uintptr_t)*value;
	return spaces->last;
}

void spaces_free(struct spaces *spaces)
{
	struct map_entry *entries;

	if (!spaces)
		return;
	entries = spaces->by_process.entries;
	for (size_t i = 0; entries && i <= spaces->by_process.mask; i++) {
		struct space *space = (void *)(uintptr_t)entries[i].value;

		if (!space)
			continue;
		space_clear(space);
		free(space->program);
		free(space);
	}
	map_free(&spaces->by_process);
	sites_free(spaces->sites);
	objects_drop(&spaces->objects);
	free(spaces);
}

static void copy_array(void **copy, const void *array, size_t size)
{
	if (!size)
		return;
	*copy = xmalloc(size);
	memcpy(*copy, array, size);
}

static void copy_stacks(struct map *copy, const struct map *stacks)
{
	for (size_t i = 0; stacks->entries && i <= stacks->mask; i++) {
		if (!stacks->entries[i].value)
			continue;
		((struct stack *)(uintptr_t)stacks->entries[i].value)->users++;
		*map_at(copy, stacks->entries[i].key) = stacks->entries[i].value;
	}
}

static void space_copy(struct space *space, const struct space *parent)
{
	free(space->program);
	space->program = xstrdup(parent->program);
	ranges_copy(&space->maps, &parent->maps);
	ranges_copy(&space->heap, &parent->heap);
	ranges_copy(&space->blocks, &parent->blocks);
	ranges_copy(&space->threads, &parent->threads);
	copy_array((void **)&space->mappings, parent->mappings,
		   parent->mapping_count * sizeof(*space->mappings));
	space->mapping_count = space->mapping_capacity = parent->mapping_count;
	space->free_mapping = parent->free_mapping;
	copy_stacks(&space->stacks, &parent->stacks);
	copy_array((void **)&space->alive, parent->alive,
		   parent->alive_size * sizeof(*space->alive));
	space->alive_size = parent->alive_size;
}

static char *text_of(const void *text, size_t size)
{
	char *copy = xmalloc(size + 1);

	memcpy(copy, text, size);
	copy[size] = '\0';
	return copy;
}

static void replay_process(struct spaces *spaces, const struct ccs_process *process)
{
	struct space *space, *parent = NULL;
	uint32_t number = process->record.process;

	if (process->cause == CCS_PROCESS_FORK && process->parent && process->parent != number)
		parent = spaces_get(spaces, process->parent);
	space = spaces_get(spaces, number);
	space_clear(space);
	if (parent)
		space_copy(space, parent);
	if (process->path_size) {
		free(space->program);
		space->program = text_of(process + 1, process->path_size);
	}
}

/* The number stays taken: an image that is spoken of after its end is empty. */
static void replay_exit(struct spaces *spaces, uint32_t number)
{
	struct space *space = (void *)(uintptr_t)map_get(&spaces->by_process, number);

	if (space)
		space_clear(space);
}

/* --- caches --- */

static void forget_objects(struct space *space)
{
	if (++space->object_version)
		return;
	/* After 2^32 records old answers would be taken for new ones. */
	free(space->objects);
	space->objects = NULL;
	space->object_version = 1;
}

/* Hashed: programs that we look at like power-of-two distances. */
static size_t slot_of(uint64_t stretch, int bits)
{
	return stretch * 0x9e3779b97f4a7c15u >> (64 - bits);
}

static struct slot *fine_slot(struct object_cache *cache, uint64_t address)
{
	return &cache->fine[slot_of(address >> FINE_SHIFT, FINE_BITS)];
}

static struct slot *coarse_slot(struct object_cache *cache, uint64_t address)
{
	return &cache->coarse[slot_of(address >> COARSE_SHIFT, COARSE_BITS)];
}

/* Takes back what was answered for [start, end). */
static void forget_range(struct space *space, uint64_t start, uint64_t end)
{
	struct object_cache *cache = space->objects;

	if (!cache)
		return;
	if (end - start > 256u << FINE_SHIFT) {
		forget_objects(space);
		return;
	}
	for (uint64_t at = start >> FINE_SHIFT; at <= (end - 1) >> FINE_SHIFT; at++)
		fine_slot(cache, at << FINE_SHIFT)->size = 0;
	coarse_slot(cache, start)->size = 0;
	coarse_slot(cache, end - 1)->size = 0;
}

/* Keeps as much of an answer as lies in the stretch of its slot. */
static void keep_answer(struct space *space, uint64_t address, const struct answer *answer)
{
	uint64_t from = address >> COARSE_SHIFT << COARSE_SHIFT;
	uint64_t to = from + ((1u << COARSE_SHIFT) - 1);
	uint64_t low = answer->low > from ? answer->low : from;
	uint64_t last = answer->high - 1 < to ? answer->high - 1 : to;
	struct slot *slot;

	if (!space->objects)
		space->objects = xcalloc(1, sizeof(*space->objects));
	slot = coarse_slot(space->objects, address);
	if (last - low < COARSE_LEAST - 1) {
		slot = fine_slot(space->objects, address);
		from = address >> FINE_SHIFT << FINE_SHIFT;
		to = from + ((1u << FINE_SHIFT) - 1);
		low = answer->low > from ? answer->low : from;
		last = answer->high - 1 < to ? answer->high - 1 : to;
	}
	*slot = (struct slot) { low, last - low + 1, space->object_version, answer->object };
}

/* --- mappings --- */

static void mapping_gone(void *context, const struct range *part, int pieces)
{
	struct space *space = context;
	struct mapping *mapping = &space->mappings[part->value];

	mapping->pieces += pieces;
	if (mapping->pieces)
		return;
	mapping->next_free = space->free_mapping;
	space->free_mapping = part->value + 1;
}

static uint32_t new_mapping(struct space *space)
{
	uint32_t index = space->free_mapping;

	if (index) {
		space->free_mapping = space->mappings[index - 1].next_free;
		return index - 1;
	}
	space->mappings = grow(space->mappings, space->mapping_count, &space->mapping_capacity,
			       sizeof(*space->mappings));
	return space->mapping_count++;
}

/* Does code or a file lie in [start, end)? Then instruction addresses get another meaning. */
static bool holds_code(const struct space *space, uint64_t start, uint64_t end)
{
	const struct mapping *mapping;
	struct range range;

	/* From the end: most changes concern the data at hand, one range or none. */
	for (uint64_t at = end - 1; ranges_before(&space->maps, at, &range) && range.end > start;
	     at = range.start - 1) {
		mapping = &space->mappings[range.value];
		if (mapping->module || mapping->protection & CCS_MAP_EXEC)
			return true;
		if (range.start <= start)
			break;
	}
	return false;
}

static struct object *object_of(struct space *space, enum object_kind kind, const char *name)
{
	return objects_find(&space->spaces->objects, kind, name, "", space->program);
}

static struct object *mapped_object(struct space *space, const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!*path)
		return object_of(space, OBJECT_MAPPING, "[anonymous]");
	if (!strncmp(path, "[stack", 6))
		return object_of(space, OBJECT_STACK, "[stack]");
	if (!slash)
		return object_of(space, OBJECT_MAPPING, path);
	return objects_find(&space->spaces->objects, OBJECT_MAPPING,
			    slash[1] ? slash + 1 : path, "", path);
}

static bool has_names(const char *path)
{
	return *path && (path[0] != '[' || !strcmp(path, "[vdso]"));
}

static void replay_map(struct space *space, const struct ccs_map *record)
{
	struct mapping *mapping;
	uint32_t index;
	char *path;
	bool code;

	if (record->end <= record->start)
		return;
	path = text_of(record + 1, record->path_size);
	code = holds_code(space, record->start, record->end);
	ranges_cut(&space->maps, record->start, record->end, mapping_gone, space);
	if (strncmp(path, "[stack", 6))
		ranges_cut(&space->threads, record->start, record->end, NULL, NULL);
	index = new_mapping(space);
	mapping = &space->mappings[index];
	*mapping = (struct mapping) {
		.start = record->start,
		.offset = record->offset,
		.protection = record->protection,
		.pieces = 1,
	};
	if (has_names(path))
		mapping->module = symbols_module(space->spaces->symbols, path, record->build_id,
						 record->build_id_size <= CCS_BUILD_ID_MAX ?
						 record->build_id_size : 0);
	mapping->object = mapped_object(space, path);
	ranges_put(&space->maps, (struct range) { record->start, record->end, index }, NULL, NULL);
	if (code || mapping->module || mapping->protection & CCS_MAP_EXEC)
		space->code_version = ++space->spaces->code_version;
	forget_objects(space);
	free(path);
}

static struct mapping *mapping_at(const struct space *space, uint64_t address, struct range *range)
{
	return ranges_find(&space->maps, address, range) ? &space->mappings[range->value] : NULL;
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
 * together with it, tell which one it is.
 */
static bool find_bias(struct space *space, struct mapping *mapping, const struct range *range,
		      int depth)
{
	struct mapping *below;
	struct range near;

	if (mapping->bias_state != BIAS_UNKNOWN)
		return mapping->bias_state == BIAS_KNOWN;
	if (depth && range->start && ranges_before(&space->maps, range->start - 1, &near)) {
		below = &space->mappings[near.value];
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

/* --- heap blocks --- */

static struct object *object_by_id(const struct space *space, uint32_t id)
{
	return space->spaces->objects.all[id - 1];
}

static void block_gone(void *context, const struct range *part, int pieces)
{
	struct space *space = context;
	uint64_t size = part->end - part->start;

	if (space->alive[part->value] >= size)
		space->alive[part->value] -= size;
	forget_range(space, part->start, part->end);
}

static void count_block(struct space *space, struct object *object, uint64_t size)
{
	if (object->id >= space->alive_size) {
		size_t more = 2 * (size_t)object->id + 64;

		space->alive = xrealloc(space->alive, more * sizeof(*space->alive));
		memset(space->alive + space->alive_size, 0,
		       (more - space->alive_size) * sizeof(*space->alive));
		space->alive_size = more;
	}
	space->alive[object->id] += size;
	if (space->alive[object->id] > object->bytes)
		object->bytes = space->alive[object->id];
	object->blocks++;
}

static struct object *stack_object(struct space *space, uint32_t id, uint32_t kind)
{
	struct stack *stack = (void *)(uintptr_t)map_get(&space->stacks, id);
	enum object_kind as = kind == CCS_ALLOC_HEAP ? OBJECT_HEAP : OBJECT_MAPPING;
	struct code frames[SITE_DEPTH];
	uint32_t depth = 0;

	if (!stack)
		return object_of(space, as, kind == CCS_ALLOC_HEAP ? "[block]" : "[mapping]");
	if (stack->object[kind])
		return stack->object[kind];
	for (; depth < stack->depth && depth < SITE_DEPTH; depth++)
		frames[depth] = space_code(space, stack->frames[depth]);
	stack->object[kind] = sites_object(space->spaces->sites, as, frames, depth);
	return stack->object[kind];
}

/*
 * A block of size 0 is taken to have a byte: its address is its own. What a new
 * block overlaps was freed unseen; a mapping only loses the part that is mapped
 * anew, and blocks may well lie in a mapping (an allocator's).
 */
static void replay_alloc(struct space *space, const struct ccs_alloc *alloc)
{
	uint32_t kind = alloc->kind == CCS_ALLOC_MAPPING ? CCS_ALLOC_MAPPING : CCS_ALLOC_HEAP;
	uint64_t size = alloc->size ? alloc->size : 1;
	struct object *object;
	struct range range;

	if (alloc->address == UINT64_MAX)
		return;
	if (size > UINT64_MAX - alloc->address)
		size = UINT64_MAX - alloc->address;
	object = stack_object(space, alloc->stack, kind);
	range = (struct range) { alloc->address, alloc->address + size, object->id };
	if (kind == CCS_ALLOC_MAPPING) {
		ranges_cut(&space->heap, range.start, range.end, block_gone, space);
		ranges_cut(&space->blocks, range.start, range.end, block_gone, space);
		ranges_put(&space->blocks, range, NULL, NULL);
	} else {
		ranges_put(&space->heap, range, block_gone, space);
	}
	count_block(space, object, size);
	forget_range(space, range.start, range.end);
}

static void replay_free(struct space *space, const struct ccs_free *record)
{
	struct range range;

	if (ranges_take(&space->heap, record->address, &range) ||
	    ranges_take(&space->blocks, record->address, &range))
		block_gone(space, &range, -1);
}

static void replay_unmap(struct space *space, const struct ccs_unmap *record)
{
	uint64_t start = record->start, end = record->end;

	if (end <= start)
		return;
	if (holds_code(space, start, end))
		space->code_version = ++space->spaces->code_version;
	ranges_cut(&space->maps, start, end, mapping_gone, space);
	ranges_cut(&space->threads, start, end, NULL, NULL);
	ranges_cut(&space->heap, start, end, block_gone, space);
	ranges_cut(&space->blocks, start, end, block_gone, space);
	forget_objects(space);
}

static void replay_thread(struct space *space, const struct ccs_thread *record)
{
	struct range range = { record->stack_low, record->stack_high, 0 };

	if (range.end <= range.start || range.start == CCS_UNKNOWN || range.end == CCS_UNKNOWN)
		return;
	ranges_put(&space->threads, range, NULL, NULL);
	forget_objects(space);
}

static void replay_stack(struct space *space, const struct ccs_stack *record)
{
	size_t size = record->depth * sizeof(uint64_t);
	struct stack *stack = xcalloc(1, sizeof(*stack) + size);
	uint64_t *value = map_at(&space->stacks, record->id);

	if (*value)
		drop_stack((void *)(uintptr_t)*value);
	stack->users = 1;
	stack->depth = record->depth;
	memcpy(stack->frames, record + 1, size);
	*value = (uintptr_t)stack;
}

void spaces_replay(struct spaces *spaces, const struct ccs_record *record)
{
	uint32_t number = record->process;

	switch (record->type) {
	case CCS_PROCESS:
		replay_process(spaces, (const void *)record);
		break;
	case CCS_THREAD:
		replay_thread(spaces_get(spaces, number), (const void *)record);
		break;
	case CCS_MAP:
		replay_map(spaces_get(spaces, number), (const void *)record);
		break;
	case CCS_UNMAP:
		replay_unmap(spaces_get(spaces, number), (const void *)record);
		break;
	case CCS_STACK:
		replay_stack(spaces_get(spaces, number), (const void *)record);
		break;
	case CCS_ALLOC:
		replay_alloc(spaces_get(spaces, number), (const void *)record);
		break;
	case CCS_FREE:
		replay_free(spaces_get(spaces, number), (const void *)record);
		break;
	case CCS_EXIT:
		replay_exit(spaces, number);
		break;
	}
}

/* --- questions --- */

uint64_t space_code_version(const struct space *space)
{
	return space->code_version;
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
	struct code_slot *slot;

	if (!space->code)
		space->code = xcalloc(CODE_SLOTS, sizeof(*space->code));
	slot = &space->code[(ip >> CODE_SHIFT) % CODE_SLOTS];
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

static const struct object *variable_object(struct space *space, const struct mapping *mapping,
					    const struct variable *variable)
{
	struct object *object;
	const char *slash;
	char *where;

	if (variable->file && variable->line) {
		slash = strrchr(variable->file, '/');
		where = xasprintf("%s:%u", slash ? slash + 1 : variable->file, variable->line);
	} else {
		where = xstrdup("");
	}
	object = objects_find(&space->spaces->objects, OBJECT_GLOBAL, variable->name, where,
			      module_path(mapping->module));
	free(where);
	if (variable->size > object->bytes)
		object->bytes = variable->size;
	return object;
}

/* The data of a loaded module at an address; NULL if it is none of the module's. */
static const struct object *module_object(struct space *space, const struct mapping *mapping,
					  uint64_t address, struct answer *answer)
{
	const struct segment *segment = module_segment(mapping->module, address - mapping->bias);
	const char *path = module_path(mapping->module), *slash = strrchr(path, '/');
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
	if (known)
		return variable_object(space, mapping, &variable);
	name = xasprintf("%s data", slash ? slash + 1 : path);
	object = objects_find(&space->spaces->objects, OBJECT_GLOBAL, name, "", path);
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
		mapping = &space->mappings[range.value];
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
	return mapping ? mapping->object : object_of(space, OBJECT_MAPPING, "[unknown]");
}

/* Most special first: a block may lie in anything, a stack in a mapping. */
static void find_object(struct space *space, uint64_t address, struct answer *answer)
{
	struct range range;
	bool found;

	*answer = (struct answer) { 0, UINT64_MAX, NULL };
	found = ranges_find(&space->heap, address, &range);
	narrow(answer, range.start, range.end);
	if (found) {
		answer->object = object_by_id(space, range.value);
		return;
	}
	found = ranges_find(&space->threads, address, &range);
	narrow(answer, range.start, range.end);
	if (found) {
		answer->object = object_of(space, OBJECT_STACK, "[stack]");
		return;
	}
	found = ranges_find(&space->blocks, address, &range);
	narrow(answer, range.start, range.end);
	if (found) {
		answer->object = object_by_id(space, range.value);
		return;
	}
	answer->object = mapped_at(space, address, answer);
}

static bool holds(const struct slot *slot, uint64_t address, uint32_t version)
{
	return address - slot->low < slot->size && slot->version == version;
}

const struct object *space_object(struct space *space, uint64_t address)
{
	struct answer answer;
	struct slot *slot;

	if (space->objects) {
		slot = coarse_slot(space->objects, address);
		if (holds(slot, address, space->object_version))
			return slot->object;
		slot = fine_slot(space->objects, address);
		if (holds(slot, address, space->object_version))
			return slot->object;
	}
	find_object(space, address, &answer);
	if (answer.low <= address && address < answer.high)
		keep_answer(space, address, &answer);
	return answer.object;
}

uint32_t spaces_objects(const struct spaces *spaces)
{
	return spaces->objects.count;
}

const struct object *spaces_object(const struct spaces *spaces, uint32_t id)
{
	return spaces->objects.all[id - 1];
}
