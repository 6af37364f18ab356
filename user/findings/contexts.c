// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#include "findings/contexts.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/text.h"

#define DEPTH_MOST 64	/* nested loops that are distinguished */

/* What the instructions of one process image were found to be. */
struct ip_cache {
	uint64_t version;		/* space_code_version() it holds for */
	struct map ips;			/* address -> site number + 1 */
};

struct contexts {
	struct tally **tallies;
	size_t count, capacity;
	struct map by_key;		/* hash of what it is -> context number + 1 */
	struct nests *nests;
	struct code_site *sites;
	size_t site_count, site_capacity;
	struct map by_site;		/* hash of module and address -> site number + 1 */
	struct map caches;		/* process -> struct ip_cache * */
	uint32_t last_process;
	struct ip_cache *last_cache;
	char **names;			/* made up here, to be freed */
	size_t name_count, name_capacity;
};

struct contexts *contexts_new(void)
{
	struct contexts *contexts = xcalloc(1, sizeof(*contexts));

	contexts->nests = nests_new();
	return contexts;
}

static void tally_free(struct tally *tally)
{
	for (uint32_t level = 0; level < TALLY_LEVELS; level++)
		free(tally->spread[level]);
	free(tally);
}

static void cache_free(void *cache)
{
	map_free(&((struct ip_cache *)cache)->ips);
	free(cache);
}

void contexts_end(struct contexts *contexts)
{
	map_free_values(&contexts->caches, cache_free);
	contexts->last_cache = NULL;
}

void contexts_free(struct contexts *contexts)
{
	size_t i;

	for (i = 0; i < contexts->count; i++)
		tally_free(contexts->tallies[i]);
	for (i = 0; i < contexts->name_count; i++)
		free(contexts->names[i]);
	contexts_end(contexts);
	map_free(&contexts->by_key);
	map_free(&contexts->by_site);
	free(contexts->sites);
	nests_free(contexts->nests);
	free(contexts->names);
	free(contexts->tallies);
	free(contexts);
}

size_t contexts_count(const struct contexts *contexts)
{
	return contexts->count;
}

size_t contexts_sites(const struct contexts *contexts)
{
	return contexts->site_count;
}

const struct code_site *contexts_site(const struct contexts *contexts, size_t number)
{
	return &contexts->sites[number];
}

struct tally *contexts_tally(struct contexts *contexts, size_t index)
{
	return contexts->tallies[index];
}

struct tally *contexts_parent(struct contexts *contexts, const struct tally *tally)
{
	return tally->region.parent ? contexts->tallies[tally->region.parent - 1] : NULL;
}

size_t contexts_piece(struct contexts *contexts, struct code_pieces *pieces, size_t context)
{
	struct code_region region = contexts->tallies[context]->region;

	if (pieces->numbers[context])
		return pieces->numbers[context];
	if (region.parent)
		region.parent = contexts_piece(contexts, pieces, region.parent - 1);
	region.id = ++pieces->count;
	*(struct code_region *)((char *)pieces->all + (region.id - 1) * pieces->step) = region;
	return pieces->numbers[context] = region.id;
}

static uint64_t hash_text(uint64_t seed, const char *text)
{
	return text ? XXH3_64bits_withSeed(text, strlen(text), seed) : seed + 1;
}

/* A name for code without one: module and offset, as objdump would find it. */
static const char *plain_name(struct contexts *contexts, const struct code_region *region)
{
	struct code_region plain = { .dso = region->dso, .address = region->address };

	contexts->names = grow(contexts->names, contexts->name_count, &contexts->name_capacity,
			       sizeof(*contexts->names));
	contexts->names[contexts->name_count] = region_text(&plain, false);
	return contexts->names[contexts->name_count++];
}

/* Code that cannot be read is known by its source line. */
static struct tally describe_line(struct contexts *contexts, const struct code *code,
				  const struct location *location)
{
	struct tally tally = {
		.region = {
			.kind = REGION_LINE, .module = code->module, .address = code->address,
			.function = location->function, .file = location->file,
			.line = location->line, .end_line = location->line,
		},
		.named = location->function, .leaf = true,
	};

	if (code->module)
		tally.region.dso = module_path(code->module);
	else
		tally.region.dso = code->anonymous ? "[anonymous]" : "[unknown]";
	if (!tally.named)
		tally.region.function = plain_name(contexts, &tally.region);
	return tally;
}

static size_t add(struct contexts *contexts, const struct tally *tally)
{
	contexts->tallies = grow(contexts->tallies, contexts->count, &contexts->capacity,
				 sizeof(*contexts->tallies));
	contexts->tallies[contexts->count] = xmalloc(sizeof(*tally));
	*contexts->tallies[contexts->count] = *tally;
	contexts->tallies[contexts->count]->region.id = contexts->count + 1;
	return contexts->count++;
}

static bool same_line(const struct code_region *a, const struct code_region *b)
{
	return a->kind == b->kind && a->line == b->line && same_text(a->function, b->function) &&
	       same_text(a->file, b->file) && same_text(a->dso, b->dso);
}

/* The context of a source line: an old one of the same names, or a new one. */
static size_t line_context(struct contexts *contexts, const struct code *code,
			   const struct location *location)
{
	struct tally tally = describe_line(contexts, code, location);
	struct code_region *line = &tally.region, *known;
	uint64_t hash, *value;

	hash = hash_text(hash_text(hash_text(line->line, line->function), line->file), line->dso);
	for (;; hash++) {
		value = map_at(&contexts->by_key, hash);
		if (!*value)
			return (*value = add(contexts, &tally) + 1) - 1;
		known = &contexts->tallies[*value - 1]->region;
		if (same_line(known, line))
			break;
	}
	if (line->address < known->address)
		known->address = line->address;
	return *value - 1;
}

static size_t nest_context(struct contexts *contexts, struct module *module, struct nest *nest,
			   uint32_t loop);

static bool holds_loops(const struct loop_forest *forest, uint32_t loop)
{
	uint32_t i;

	for (i = 0; i < forest->count && forest->loops[i].parent != loop; i++)
		;
	return i < forest->count;
}

static struct tally describe_nest(struct contexts *contexts, struct module *module,
				  struct nest *nest, uint32_t loop)
{
	struct tally tally = {
		.region = *nest_region(contexts->nests, module, nest, loop),
		.leaf = !holds_loops(&nest->forest, loop),
	};
	struct code_region function = { .dso = tally.region.dso, .address = nest->entry };

	tally.named = tally.region.function;
	if (!tally.named)
		tally.region.function = plain_name(contexts, &function);
	if (loop != LOOP_NONE)
		tally.region.parent = nest_context(contexts, module, nest,
						   nest->forest.loops[loop].parent) + 1;
	return tally;
}

static bool is_nest(const struct code_region *region, const struct code_region *wanted)
{
	return region->kind == wanted->kind && region->module == wanted->module &&
	       region->address == wanted->address && region->parent == wanted->parent;
}

/* The context of a loop, or of a function outside its loops; those around it are made too. */
static size_t nest_context(struct contexts *contexts, struct module *module, struct nest *nest,
			   uint32_t loop)
{
	uint64_t key[3] = { (uintptr_t)module, nest->entry, loop }, hash, *value;
	struct tally tally;

	hash = XXH3_64bits(key, sizeof(key));
	tally = describe_nest(contexts, module, nest, loop);
	for (;; hash++) {
		value = map_at(&contexts->by_key, hash);
		if (!*value)
			return (*value = add(contexts, &tally) + 1) - 1;
		if (is_nest(&contexts->tallies[*value - 1]->region, &tally.region))
			return *value - 1;
	}
}

static size_t context_of(struct contexts *contexts, const struct code *code,
			 const struct location *location)
{
	struct nest *nest = NULL;
	uint32_t loop;

	if (code->module)
		nest = nests_find(contexts->nests, code->module, code->address);
	if (!nest)
		return line_context(contexts, code, location);
	loop = nest_loop_at(nest, code->address);
	while (loop != LOOP_NONE && nest->forest.loops[loop].depth > DEPTH_MOST)
		loop = nest->forest.loops[loop].parent;
	return nest_context(contexts, code->module, nest, loop);
}

static size_t add_site(struct contexts *contexts, const struct code *code)
{
	struct location location = { .function = NULL };
	struct code_site site = { .module = code->module, .address = code->address,
				  .anonymous = code->anonymous };

	if (code->module)
		module_own_line(code->module, code->address, &location);
	site.file = location.file;
	site.line = location.line;
	site.context = context_of(contexts, code, &location);
	contexts->sites = grow(contexts->sites, contexts->site_count, &contexts->site_capacity,
			       sizeof(site));
	contexts->sites[contexts->site_count] = site;
	return contexts->site_count++;
}

size_t contexts_site_of(struct contexts *contexts, const struct code *code)
{
	uint64_t key[3] = { (uintptr_t)code->module, code->address, code->anonymous }, hash, *value;

	for (hash = XXH3_64bits(key, sizeof(key)); ; hash++) {
		const struct code_site *site;

		value = map_at(&contexts->by_site, hash);
		if (!*value)
			return (*value = add_site(contexts, code) + 1) - 1;
		site = &contexts->sites[*value - 1];
		if (site->module == code->module && site->address == code->address)
			return *value - 1;
	}
}

static struct ip_cache *cache_of(struct contexts *contexts, uint32_t process)
{
	uint64_t *value;

	if (contexts->last_cache && contexts->last_process == process)
		return contexts->last_cache;
	value = map_at(&contexts->caches, process);
	if (!*value)
		*value = (uintptr_t)xcalloc(1, sizeof(struct ip_cache));
	contexts->last_process = process;
	contexts->last_cache = (void *)(uintptr_t)*value;
	return contexts->last_cache;
}

size_t contexts_find(struct contexts *contexts, uint32_t process, struct space *space, uint64_t ip)
{
	struct ip_cache *cache = cache_of(contexts, process);
	uint64_t version = space_code_version(space);
	struct code code;
	uint64_t found;

	if (cache->version != version) {
		map_clear(&cache->ips);
		cache->version = version;
	}
	found = map_get(&cache->ips, ip);
	if (!found) {
		code = space_code(space, ip);
		found = contexts_site_of(contexts, &code) + 1;
		*map_at(&cache->ips, ip) = found;
	}
	return found - 1;
}
