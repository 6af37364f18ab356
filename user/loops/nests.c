// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/memory.h"
#include "loops/functions.h"
#include "loops/nests.h"
#include "program/guard.h"

/* The code of one file. */
struct code_file {
	bool usable;
	struct image image;
	struct extents extents;
	struct flow_source source;
	struct map endless;
	struct map owners;
	struct map nests;		/* start of extent -> struct nest * */
};

struct nests {
	struct decoder *decoder;
	struct map files;		/* module -> struct code_file * */
};

struct nests *nests_new(void)
{
	struct nests *nests = xcalloc(1, sizeof(*nests));

	nests->decoder = decoder_new();
	return nests;
}

static void nest_free(void *value)
{
	struct nest *nest = value;

	loop_forest_drop(&nest->forest);
	flow_drop(&nest->flow);
	free(nest->regions);
	free(nest);
}

static void file_free(void *value)
{
	struct code_file *file = value;

	map_free_values(&file->nests, nest_free);
	map_free(&file->endless);
	map_free(&file->owners);
	extents_drop(&file->extents);
	image_close(&file->image);
	free(file);
}

void nests_free(struct nests *nests)
{
	if (!nests)
		return;
	map_free_values(&nests->files, file_free);
	decoder_free(nests->decoder);
	free(nests);
}

static struct code_file *file_of(struct nests *nests, struct module *module)
{
	uint64_t *value = map_at(&nests->files, (uintptr_t)module);
	const struct elf_file *elf;
	struct code_file *file;

	if (*value)
		return (void *)(uintptr_t)*value;
	file = xcalloc(1, sizeof(*file));
	*value = (uintptr_t)file;
	elf = module_file(module);
	if (!elf || !image_open(&file->image, elf))
		return file;
	extents_read(&file->extents, elf, module_table(module));
	file->source = (struct flow_source) {
		.image = &file->image,
		.extents = &file->extents,
		.decoder = nests->decoder,
		.endless = &file->endless,
		.owners = &file->owners,
	};
	file->usable = true;
	return file;
}

/* The nest of an extent as if it were a function; NULL where there is no code. */
static struct nest *nest_of(struct code_file *file, const struct extent *extent)
{
	struct nest *nest = (void *)(uintptr_t)map_get(&file->nests, extent->start);

	if (nest)
		return nest->flow.parts ? nest : NULL;
	nest = xcalloc(1, sizeof(*nest));
	nest->entry = extent->start;
	*map_at(&file->nests, extent->start) = (uintptr_t)nest;
	if (!flow_read(&nest->flow, &file->source, extent))
		return NULL;
	loop_forest_find(&nest->forest, &nest->flow.graph);
	return nest;
}

/* "f.cold" without its ending is the name of the function, which must lead to the part. */
static struct nest *named_owner(struct code_file *file, const struct extent *part)
{
	size_t length = strstr(part->name, ".cold") - part->name;
	struct nest *nest;

	for (size_t i = 0; i < file->extents.count; i++) {
		const struct extent *extent = &file->extents.extent[i];

		if (!extent->name || strlen(extent->name) != length ||
		    memcmp(extent->name, part->name, length))
			continue;
		nest = nest_of(file, extent);
		if (nest && flow_holds(&nest->flow, part->start))
			return nest;
	}
	return NULL;
}

static struct nest *owner_of(struct code_file *file, const struct extent *part)
{
	const struct extent *owner;
	struct nest *nest;

	if (part->name)
		return strstr(part->name, ".cold") ? named_owner(file, part) : NULL;
	owner = function_owner(&file->source, part);
	nest = owner ? nest_of(file, owner) : NULL;
	return nest && flow_holds(&nest->flow, part->start) ? nest : NULL;
}

static struct nest *find(struct nests *nests, struct module *module, uint64_t address)
{
	struct code_file *file = file_of(nests, module);
	const struct extent *extent;
	struct nest *owner;

	if (!file->usable)
		return NULL;
	extent = extents_find(&file->extents, address);
	if (!extent)
		return NULL;
	owner = owner_of(file, extent);
	return owner ? owner : nest_of(file, extent);
}

struct nest *nests_find(struct nests *nests, struct module *module, uint64_t address)
{
	struct nest *nest;

	guard_enter(module_path(module));
	nest = find(nests, module, address);
	guard_leave();
	return nest;
}

uint32_t nest_loop_at(const struct nest *nest, uint64_t address)
{
	uint32_t block = flow_block_at(&nest->flow, address);

	return block == LOOP_NONE ? LOOP_NONE : nest->forest.inner[block];
}

const struct code_region *nest_region(struct nests *nests, struct module *module, struct nest *nest,
				    uint32_t loop)
{
	if (!nest->regions)
		nest->regions = loop_regions(&nest->flow, &nest->forest, module, nests->decoder);
	return &nest->regions[loop == LOOP_NONE ? nest->forest.count : loop];
}
