// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#include "analysis/contexts.h"
#include "base/map.h"
#include "base/memory.h"

/* What the instructions of one process image were found to be. */
struct ip_cache {
	uint64_t version;		/* space_code_version() it holds for */
	struct map ips;			/* address -> context number + 1 */
};

struct contexts {
	struct tally **tallies;
	size_t count, capacity;
	struct map by_key;		/* hash of names -> context number + 1 */
	struct map caches;		/* process -> struct ip_cache * */
	uint32_t last_process;
	struct ip_cache *last_cache;
	char **names;			/* made up here, to be freed */
	size_t name_count, name_capacity;
};

struct contexts *contexts_new(void)
{
	return xcalloc(1, sizeof(struct contexts));
}

void contexts_free(struct contexts *contexts)
{
	size_t i;

	for (i = 0; i < contexts->count; i++)
		free(contexts->tallies[i]);
	for (i = 0; i < contexts->name_count; i++)
		free(contexts->names[i]);
	for (i = 0; contexts->caches.entries && i <= contexts->caches.mask; i++) {
		struct ip_cache *cache = (void *)(uintptr_t)contexts->caches.entries[i].value;

		if (cache)
			map_free(&cache->ips);
		free(cache);
	}
	map_free(&contexts->caches);
	map_free(&contexts->by_key);
	free(contexts->names);
	free(contexts->tallies);
	free(contexts);
}

size_t contexts_count(const struct contexts *contexts)
{
	return contexts->count;
}

struct tally *contexts_tally(struct contexts *contexts, size_t index)
{
	return contexts->tallies[index];
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static uint64_t hash_text(uint64_t seed, const char *text)
{
	return text ? XXH3_64bits_withSeed(text, strlen(text), seed) : seed + 1;
}

/* A name for code without one: module and offset, as objdump would find it. */
static const char *plain_name(struct contexts *contexts, const struct code *code, const char *dso)
{
	const char *base = strrchr(dso, '/');
	char *name;

	name = xasprintf("%s+0x%" PRIx64, base ? base + 1 : dso, code->address);
	contexts->names = grow(contexts->names, contexts->name_count, &contexts->name_capacity,
			       sizeof(*contexts->names));
	contexts->names[contexts->name_count++] = name;
	return name;
}

static struct tally describe(const struct code *code)
{
	struct location location = { .function = NULL };
	struct tally tally = { .module = code->module, .address = code->address };

	if (code->module) {
		tally.dso = module_path(code->module);
		module_locate(code->module, code->address, &location);
	} else {
		tally.dso = code->anonymous ? "[anonymous]" : "[unknown]";
	}
	tally.function = location.function;
	tally.named = location.function;
	tally.file = location.file;
	tally.line = location.line;
	return tally;
}

static size_t add(struct contexts *contexts, const struct tally *tally)
{
	contexts->tallies = grow(contexts->tallies, contexts->count, &contexts->capacity,
				 sizeof(*contexts->tallies));
	contexts->tallies[contexts->count] = xmalloc(sizeof(*tally));
	*contexts->tallies[contexts->count] = *tally;
	return contexts->count++;
}

static bool same_code(const struct tally *a, const struct tally *b)
{
	return a->line == b->line && same_text(a->function, b->function) &&
	       same_text(a->file, b->file) && same_text(a->dso, b->dso);
}

/* The context of a newly seen instruction: an old one of the same names, or a new one. */
static size_t resolve(struct contexts *contexts, struct space *space, uint64_t ip)
{
	struct code code = space_code(space, ip);
	struct tally tally = describe(&code);
	uint64_t hash, *value;

	if (!tally.named)
		tally.function = plain_name(contexts, &code, tally.dso);
	hash = hash_text(hash_text(hash_text(tally.line, tally.function), tally.file), tally.dso);
	for (;; hash++) {
		value = map_at(&contexts->by_key, hash);
		if (!*value)
			return (*value = add(contexts, &tally) + 1) - 1;
		if (same_code(contexts->tallies[*value - 1], &tally))
			break;
	}
	if (tally.address < contexts->tallies[*value - 1]->address)
		contexts->tallies[*value - 1]->address = tally.address;
	return *value - 1;
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
	uint64_t found;

	if (cache->version != version) {
		map_clear(&cache->ips);
		cache->version = version;
	}
	found = map_get(&cache->ips, ip);
	if (!found) {
		found = resolve(contexts, space, ip) + 1;
		*map_at(&cache->ips, ip) = found;
	}
	return found - 1;
}
