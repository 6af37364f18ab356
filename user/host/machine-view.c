// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>

#include "base/memory.h"
#include "host/machine.h"
#include "output/json.h"
#include "output/prose.h"

char *machine_caches_text(const struct machine_cache *caches, uint32_t count, const char *between)
{
	char *text = xstrdup("");

	for (uint32_t i = 0; i < count; i++)
		prose_append(&text, "%sL%" PRIu32 " = %" PRIu64 "K,%" PRIu32 ",%" PRIu32,
			     i ? between : "", caches[i].level, caches[i].size >> 10,
			     caches[i].geometry.ways, caches[i].geometry.line);
	return text;
}

void machine_text(FILE *out, const struct machine *machine)
{
	char *caches = machine_caches_text(machine->caches, machine->cache_count, "\n");

	fprintf(out, "name = %s\n%s\n", machine->cpu, caches);
	if (!machine->listed)
		fputs("# by CPUID: the kernel does not report them\n", out);
	free(caches);
	for (uint32_t i = 0; i < machine->kind_count; i++) {
		const struct machine_kind *kind = &machine->kinds[i];

		caches = machine_caches_text(kind->caches, kind->cache_count, "; ");
		fprintf(out, "# %s, CPUs %s: %s\n", kind->name, kind->cpus, caches);
		free(caches);
	}
}

static void put_caches(struct json *json, const struct machine_cache *caches, uint32_t count)
{
	json_open_under(json, "caches", '[');
	for (const struct machine_cache *cache = caches; cache < caches + count; cache++) {
		json_open_flat(json, '{');
		json_put_count(json, "level", cache->level);
		json_put_count(json, "size", cache->size);
		json_put_count(json, "ways", cache->geometry.ways);
		json_put_count(json, "sets", cache->geometry.sets);
		json_put_count(json, "line", cache->geometry.line);
		json_close(json, '}');
	}
	json_close(json, ']');
}

void machine_json(FILE *out, const struct machine *machine)
{
	struct json json = { .out = out };

	json_begin(&json, "topology");
	json_put_string(&json, "cpu", machine->cpu);
	put_caches(&json, machine->caches, machine->cache_count);
	json_open_under(&json, "kinds", '[');
	for (uint32_t i = 0; i < machine->kind_count; i++) {
		json_open(&json, '{');
		json_put_string(&json, "name", machine->kinds[i].name);
		json_put_string(&json, "cpus", machine->kinds[i].cpus);
		put_caches(&json, machine->kinds[i].caches, machine->kinds[i].cache_count);
		json_close(&json, '}');
	}
	json_close(&json, ']');
	json_close(&json, '}');
}
