// SPDX-License-Identifier: GPL-2.0-only
/* Records of address spaces, replayed. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "space/space-inside.h"

struct spaces *spaces_new(struct symbols *symbols)
{
	struct spaces *spaces = xcalloc(1, sizeof(*spaces));

	spaces->symbols = symbols;
	spaces->sites = sites_new(&spaces->objects);
	spaces->frames = frames_new();
	return spaces;
}

void spaces_leave_unnamed(struct spaces *spaces)
{
	spaces->unnamed = true;
}

void spaces_set_wrappers(struct spaces *spaces, const char *names)
{
	sites_set_wrappers(spaces->sites, names);
}

/* --- numbers --- */

static uint32_t take_number(struct numbers *numbers)
{
	return numbers->free_count ? numbers->free[--numbers->free_count] : numbers->count++;
}

static void give_number(struct numbers *numbers, uint32_t number)
{
	numbers->free = grow(numbers->free, numbers->free_count, &numbers->free_capacity,
			     sizeof(*numbers->free));
	numbers->free[numbers->free_count++] = number;
}

/* --- an image begins and ends --- */

static void hold_mapping(void *context, uint32_t index, int more)
{
	struct spaces *spaces = context;

	spaces->mappings[index].pieces += more;
	if (!spaces->mappings[index].pieces)
		give_number(&spaces->mapping_numbers, index);
}

static void hold_stack(void *context, uint32_t index, int more)
{
	struct spaces *spaces = context;

	spaces->stacks[index]->users += more;
	if (spaces->stacks[index]->users)
		return;
	free(spaces->stacks[index]);
	give_number(&spaces->stack_numbers, index);
}

static void drop_all(struct space *space)
{
	ranges_drop(&space->maps);
	ranges_drop(&space->heap);
	ranges_drop(&space->blocks);
	ranges_drop(&space->threads);
	ranges_drop(&space->stacks);
	totals_drop(&space->alive);
	free(space->program);
}

/* Back to an empty space that nothing is known of. */
static void space_clear(struct space *space)
{
	struct spaces *spaces = space->spaces;

	drop_all(space);
	*space = (struct space) {
		.spaces = spaces,
		.program = xstrdup(""),
		.maps = { .hold = hold_mapping, .context = spaces },
		.stacks = { .hold = hold_stack, .context = spaces },
		.code_version = ++spaces->code_version,
		.object_version = ++spaces->object_version,
		.salt = space->salt,
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
		space->salt = process * 0xd6e8feb86659fd93u;
		space_clear(space);
	}
	spaces->last_process = process;
	spaces->last = (void *)(uintptr_t)*value;
	return spaces->last;
}

static void space_free(void *space)
{
	drop_all(space);
	free(space);
}

void spaces_free(struct spaces *spaces)
{
	if (!spaces)
		return;
	map_free_values(&spaces->by_process, space_free);
	free(spaces->mappings);
	free(spaces->mapping_numbers.free);
	free(spaces->stacks);
	free(spaces->stack_numbers.free);
	free(spaces->answers);
	free(spaces->code);
	sites_free(spaces->sites);
	frames_free(spaces->frames);
	objects_drop(&spaces->objects);
	free(spaces);
}

static void space_copy(struct space *space, const struct space *parent)
{
	free(space->program);
	space->program = xstrdup(parent->program);
	ranges_copy(&space->maps, &parent->maps);
	ranges_copy(&space->heap, &parent->heap);
	space->least_block = parent->least_block;
	ranges_copy(&space->blocks, &parent->blocks);
	ranges_copy(&space->threads, &parent->threads);
	ranges_copy(&space->stacks, &parent->stacks);
	totals_copy(&space->alive, &parent->alive);
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

/* The number is not given again: an image that is referred to after its end is empty. */
static void replay_exit(struct spaces *spaces, uint32_t number)
{
	struct space *space = (void *)(uintptr_t)map_get(&spaces->by_process, number);

	if (space)
		space_clear(space);
}

void spaces_end(struct spaces *spaces)
{
	const struct map *map = &spaces->by_process;

	for (size_t i = 0; map->entries && i <= map->mask; i++)
		if (map->entries[i].value)
			space_clear((void *)(uintptr_t)map->entries[i].value);
}

/* --- mappings --- */

static void mapping_gone(void *context, const struct range *part, int pieces)
{
	if (pieces)
		hold_mapping(context, part->value, pieces);
}

static uint32_t new_mapping(struct spaces *spaces)
{
	uint32_t index = take_number(&spaces->mapping_numbers);

	if (index == spaces->mapping_capacity)
		spaces->mappings = grow(spaces->mappings, index, &spaces->mapping_capacity,
					sizeof(*spaces->mappings));
	return index;
}

/* Does code or a file lie in [start, end)? Then instruction addresses get another meaning. */
static bool holds_code(const struct space *space, uint64_t start, uint64_t end)
{
	const struct mapping *mapping;
	struct range range;

	/* From the end: most changes concern the last data, one range or none. */
	for (uint64_t at = end - 1; ranges_before(&space->maps, at, &range) && range.end > start;
	     at = range.start - 1) {
		mapping = &space->spaces->mappings[range.value];
		if (mapping->module || mapping->protection & CCS_MAP_EXEC)
			return true;
		if (range.start <= start)
			break;
	}
	return false;
}

struct object *space_own_object(struct space *space, enum object_kind kind, const char *name)
{
	return objects_find(&space->spaces->objects, kind, name, "", space->program);
}

struct object *space_variable(struct space *space, enum object_kind kind,
			      struct module *module, const struct variable *variable)
{
	struct object *object;
	char *where;

	if (variable->file && variable->line)
		where = xasprintf("%s:%u", base_name(variable->file), variable->line);
	else
		where = xstrdup("");
	object = objects_of_module(&space->spaces->objects, kind,
				   variable->name ? variable->name : "[nameless]", where, module);
	free(where);
	if (variable->type)
		object_set_type(object, xstrdup(variable->type));
	if (variable->size > object->bytes)
		object->bytes = variable->size;
	if (!object->layout)
		object->layout = variable->layout;
	object->common = variable->common && object_is_fortran(object);
	return object;
}

/* Where Go's run time asks for its heap on x86-64; no other maps memory so low unasked. */
#define GO_HEAP		0xc000000000u
#define GO_HEAP_END	0x10000000000u

static struct object *mapped_object(struct space *space, const char *path, uint64_t start)
{
	if (!*path && start >= GO_HEAP && start < GO_HEAP_END)
		return space_own_object(space, OBJECT_MAPPING, "[Go heap]");
	if (!*path)
		return space_own_object(space, OBJECT_MAPPING, "[anonymous]");
	if (!strncmp(path, "[stack", 6))
		return space_own_object(space, OBJECT_STACK, "[stack]");
	if (!strchr(path, '/'))
		return space_own_object(space, OBJECT_MAPPING, path);
	return objects_find(&space->spaces->objects, OBJECT_MAPPING, base_name(path), "",
			    path);
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
	ranges_cut(&space->maps, record->start, record->end, mapping_gone, space->spaces);
	if (strncmp(path, "[stack", 6))
		ranges_cut(&space->threads, record->start, record->end, NULL, NULL);
	index = new_mapping(space->spaces);
	mapping = &space->spaces->mappings[index];
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
	mapping->object = mapped_object(space, path, record->start);
	ranges_put(&space->maps, (struct range) { record->start, record->end, index }, NULL, NULL);
	if (code || mapping->module || mapping->protection & CCS_MAP_EXEC)
		space->code_version = ++space->spaces->code_version;
	space_forget(space);
	free(path);
}

/* --- heap blocks --- */

static void block_gone(void *context, const struct range *part, int pieces)
{
	struct space *space = context;
	uint64_t size = part->end - part->start;
	uint64_t *alive = totals_at(&space->alive, part->value);

	if (*alive >= size)
		*alive -= size;
	space_forget_range(space, part->start, part->end);
}

static void count_block(struct space *space, struct object *object, uint64_t address,
			uint64_t size)
{
	uint64_t *alive = totals_at(&space->alive, object->id);

	*alive += size;
	if (*alive > object->bytes)
		object->bytes = *alive;
	if (!object->blocks++) {
		object->block_first = address;
		object->block_least = size;
	}
	object->block_least = size < object->block_least ? size : object->block_least;
	object->block_most = size > object->block_most ? size : object->block_most;
	object->block_bits |= address;
	object->block_apart |= address - object->block_first;
}

static struct object *stack_object(struct space *space, uint32_t id, uint32_t kind)
{
	enum object_kind as = kind == CCS_ALLOC_HEAP ? OBJECT_HEAP : OBJECT_MAPPING;
	struct code frames[SITE_DEPTH];
	uint32_t depth = 0;
	struct stack *stack;
	struct range range;

	if (!ranges_find(&space->stacks, id, &range))
		return space_own_object(space, as,
					kind == CCS_ALLOC_HEAP ? "[block]" : "[mapping]");
	stack = space->spaces->stacks[range.value];
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
 * again, and blocks may well lie in a mapping (an allocator's).
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
	count_block(space, object, alloc->address, size);
	space_forget_range(space, range.start, range.end);
}

static void replay_free(struct space *space, const struct ccs_free *record)
{
	struct range range;

	if (ranges_take(&space->heap, record->address, &range) ||
	    ranges_take(&space->blocks, record->address, &range))
		block_gone(space, &range, -1);
}

static void replay_forget(struct space *space, const struct ccs_forget *record)
{
	space->least_block = record->below;
	if (record->below > space->spaces->least_block)
		space->spaces->least_block = record->below;
	space_forget(space);
}

static void replay_forget_maps(struct spaces *spaces, const struct ccs_forget *record)
{
	if (record->below > spaces->least_mapping)
		spaces->least_mapping = record->below;
}

static void replay_unmap(struct space *space, const struct ccs_unmap *record)
{
	uint64_t start = record->start, end = record->end;

	if (end <= start)
		return;
	if (holds_code(space, start, end))
		space->code_version = ++space->spaces->code_version;
	ranges_cut(&space->maps, start, end, mapping_gone, space->spaces);
	ranges_cut(&space->threads, start, end, NULL, NULL);
	ranges_cut(&space->heap, start, end, block_gone, space);
	ranges_cut(&space->blocks, start, end, block_gone, space);
	space_forget(space);
}

static void replay_thread(struct space *space, const struct ccs_thread *record)
{
	struct range range = { record->stack_low, record->stack_high, 0 };

	if (range.end <= range.start || range.start == CCS_UNKNOWN || range.end == CCS_UNKNOWN)
		return;
	ranges_put(&space->threads, range, NULL, NULL);
	space_forget(space);
}

static void stack_gone(void *context, const struct range *part, int pieces)
{
	hold_stack(context, part->value, pieces);
}

static void replay_stack(struct space *space, const struct ccs_stack *record)
{
	size_t size = record->depth * sizeof(uint64_t);
	struct stack *stack = xcalloc(1, sizeof(*stack) + size);
	struct spaces *spaces = space->spaces;
	uint32_t index = take_number(&spaces->stack_numbers);

	stack->users = 1;
	stack->depth = record->depth;
	memcpy(stack->frames, record + 1, size);
	if (index == spaces->stack_capacity)
		spaces->stacks = grow(spaces->stacks, index, &spaces->stack_capacity,
				      sizeof(*spaces->stacks));
	spaces->stacks[index] = stack;
	ranges_put(&space->stacks, (struct range) { record->id, record->id + 1ull, index },
		   stack_gone, spaces);
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
	case CCS_FORGET:
		replay_forget(spaces_get(spaces, number), (const void *)record);
		break;
	case CCS_FORGET_MAPS:
		replay_forget_maps(spaces, (const void *)record);
		break;
	case CCS_EXIT:
		replay_exit(spaces, number);
		break;
	}
}

uint64_t space_code_version(const struct space *space)
{
	return space->code_version;
}

size_t spaces_wire(struct spaces *spaces, struct wire *wire, const struct modules *modules,
		   uint32_t **ids)
{
	return objects_wire(&spaces->objects, wire, modules, ids);
}

uint64_t spaces_least_block(const struct spaces *spaces)
{
	return spaces->least_block;
}

uint64_t spaces_least_mapping(const struct spaces *spaces)
{
	return spaces->least_mapping;
}

const struct object *spaces_object(const struct spaces *spaces, uint32_t id)
{
	return spaces->objects.all[id - 1];
}
