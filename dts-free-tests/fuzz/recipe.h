/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An input as a recipe for records that are well-formed and make no sense: its
 * bytes choose from small tables, so that addresses, ids and threads collide as
 * they do in real recordings, with the ends of 64 bits among them.
 */
#ifndef CCSAMPLE_FUZZ_RECIPE_H
#define CCSAMPLE_FUZZ_RECIPE_H

#include <stdint.h>
#include <string.h>

#include "format/format.h"

struct recipe {
	const uint8_t *at, *end;
};

static inline uint8_t byte(struct recipe *recipe)
{
	return recipe->at < recipe->end ? *recipe->at++ : 0;
}

/* An address, a size or a count. */
static inline uint64_t word(struct recipe *recipe)
{
	static const uint64_t bases[] = {
		0, 0x1000, 0x400000, 0x401000, 0x10000000, 0x7fff00000000, 0xffff800000000000,
		UINT64_MAX - 0x10000,
	};
	uint8_t low = byte(recipe);

	if (low >= 0xf8)
		return UINT64_MAX - (low & 7);
	return bases[low & 7] + (uint64_t)byte(recipe) * (low & 8 ? 64 : 0x100);
}

#define PATH_ROOM	512	/* bytes of a record, for any of these */

static inline const char *path(struct recipe *recipe)
{
	static const char *const paths[] = {
		"", "[heap]", "[stack]", "[vdso]", "/bin/true", "/nonexistent/\033[31m\xff",
		FUZZ_PROGRAM, "/etc/passwd",
	};

	return paths[byte(recipe) & 7];
}

static inline uint32_t put_text(void *to, const char *text)
{
	memcpy(to, text, strlen(text));
	return strlen(text);
}

/* A start, a map, a block: without these no code and no data has a name. */
static inline void make_place(struct recipe *recipe, struct ccs_record *record)
{
	struct ccs_process *process = (void *)record;
	struct ccs_map *map = (void *)record;
	struct ccs_alloc *alloc = (void *)record;

	switch (record->type) {
	case CCS_PROCESS:
		record->size = sizeof(*process) + PATH_ROOM;
		process->pid = byte(recipe) & 3;
		process->parent = byte(recipe) & 3;
		process->cause = byte(recipe) & 3;
		process->path_size = put_text(process + 1, path(recipe));
		break;
	case CCS_MAP:
		record->size = sizeof(*map) + PATH_ROOM;
		map->start = word(recipe);
		map->end = map->start + word(recipe);
		map->offset = word(recipe);
		map->protection = byte(recipe);
		map->path_size = put_text(map + 1, path(recipe));
		break;
	case CCS_ALLOC:
		record->size = sizeof(*alloc);
		alloc->address = word(recipe);
		alloc->size = word(recipe);
		alloc->stack = byte(recipe) & 7;
		alloc->kind = byte(recipe) & 1;
		break;
	}
}

#endif /* CCSAMPLE_FUZZ_RECIPE_H */
