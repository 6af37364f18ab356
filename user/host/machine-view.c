// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>

#include "host/machine.h"
#include "output/json.h"

void machine_text(FILE *out, const struct machine *machine)
{
	fprintf(out, "name = %s\n", machine->cpu);
	for (uint32_t i = 0; i < machine->cache_count; i++) {
		const struct machine_cache *cache = &machine->caches[i];

		fprintf(out, "L%" PRIu32 " = %" PRIu64 "K,%" PRIu32 ",%" PRIu32 "\n", cache->level,
		       cache->size >> 10, cache->geometry.ways, cache->geometry.line);
	}
}

void machine_json(FILE *out, const struct machine *machine)
{
	struct json json = { .out = out };

	json_begin(&json, "topology");
	json_put_string(&json, "cpu", machine->cpu);
	json_key(&json, "caches");
	json_open(&json, '[');
	for (uint32_t i = 0; i < machine->cache_count; i++) {
		const struct machine_cache *cache = &machine->caches[i];

		json_open_flat(&json, '{');
		json_put_count(&json, "level", cache->level);
		json_put_count(&json, "size", cache->size);
		json_put_count(&json, "ways", cache->geometry.ways);
		json_put_count(&json, "sets", cache->geometry.sets);
		json_put_count(&json, "line", cache->geometry.line);
		json_close(&json, '}');
	}
	json_close(&json, ']');
	json_close(&json, '}');
}
