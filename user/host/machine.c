// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/array.h"
#include "base/memory.h"
#include "host/machine.h"
#include "host/system.h"

#define CACHE_DIR	"/sys/devices/system/cpu/cpu0/cache"

/* To be freed, NULL if there is none. */
static char *read_text(const struct system *system, uint32_t index, const char *name)
{
	char *path = xasprintf(CACHE_DIR "/index%u/%s", index, name);
	char *text = system_text(system, path);

	free(path);
	return text;
}

static uint64_t read_number(const struct system *system, uint32_t index, const char *name)
{
	char *text = read_text(system, index, name), *end;
	uint64_t number;

	if (!text)
		return 0;
	number = strtoull(text, &end, 10);
	if (*end == 'K' || *end == 'M')
		number <<= *end == 'K' ? 10 : 20;
	free(text);
	return number;
}

static bool read_cache(const struct system *system, struct machine_cache *cache, uint32_t index)
{
	char *type = read_text(system, index, "type");
	bool data = type && strcmp(type, "Instruction");

	free(type);
	if (!data)
		return false;
	cache->level = read_number(system, index, "level");
	cache->size = read_number(system, index, "size");
	return cache->level >= 1 && cache->level <= 3 &&
	       !cache_geometry_init(&cache->geometry, cache->size,
				    read_number(system, index, "ways_of_associativity"),
				    read_number(system, index, "coherency_line_size"));
}

static void read_cpu(const struct system *system, char *cpu, size_t size)
{
	char *name = system_line(system, "/proc/cpuinfo", "model name");

	snprintf(cpu, size, "%s", name ? name : "unknown");
	free(name);
}

void machine_read(struct machine *machine)
{
	const struct system system = { .root = system_root() };
	const uint32_t most = ARRAY_SIZE(machine->caches);
	struct utsname names;
	uint32_t index;

	memset(machine, 0, sizeof(*machine));
	read_cpu(&system, machine->cpu, sizeof(machine->cpu));
	if (!uname(&names))
		snprintf(machine->kernel, sizeof(machine->kernel), "%s %s", names.release,
			 names.version);
	for (index = 0; index < 16 && machine->cache_count < most; index++)
		if (read_cache(&system, &machine->caches[machine->cache_count], index))
			machine->cache_count++;
}

void machine_levels(const struct machine *machine, struct hierarchy_plan *plan)
{
	uint32_t i;

	for (i = 0; i < machine->cache_count; i++)
		if (machine->caches[i].level == plan->levels + 1)
			plan->level[plan->levels++].geometry = machine->caches[i].geometry;
}
