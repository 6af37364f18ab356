// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/array.h"
#include "host/machine.h"

#define CACHE_DIR	"/sys/devices/system/cpu/cpu0/cache"

/* The first line of a file of the cache directory. Return: false if there is none. */
static bool read_line(char *line, int size, uint32_t index, const char *name)
{
	char path[128];
	FILE *file;
	bool got;

	snprintf(path, sizeof(path), CACHE_DIR "/index%u/%s", index, name);
	file = fopen(path, "re");
	if (!file)
		return false;
	got = fgets(line, size, file);
	fclose(file);
	if (got)
		line[strcspn(line, "\n")] = 0;
	return got;
}

static uint64_t read_number(uint32_t index, const char *name)
{
	char line[64];
	char *end;
	uint64_t number;

	if (!read_line(line, sizeof(line), index, name))
		return 0;
	number = strtoull(line, &end, 10);
	return *end == 'K' ? number << 10 : *end == 'M' ? number << 20 : number;
}

static bool read_cache(struct machine_cache *cache, uint32_t index)
{
	char type[64];

	if (!read_line(type, sizeof(type), index, "type") || !strcmp(type, "Instruction"))
		return false;
	cache->level = read_number(index, "level");
	cache->size = read_number(index, "size");
	return cache->level >= 1 && cache->level <= 3 &&
	       !cache_geometry_init(&cache->geometry, cache->size,
				    read_number(index, "ways_of_associativity"),
				    read_number(index, "coherency_line_size"));
}

static void read_cpu(char *cpu, size_t size)
{
	FILE *file = fopen("/proc/cpuinfo", "re");
	char line[512];

	snprintf(cpu, size, "unknown");
	while (file && fgets(line, sizeof(line), file)) {
		char *value = strstr(line, ": ");

		if (strncmp(line, "model name", 10) || !value)
			continue;
		value[strcspn(value, "\n")] = 0;
		snprintf(cpu, size, "%s", value + 2);
		break;
	}
	if (file)
		fclose(file);
}

void machine_read(struct machine *machine)
{
	const uint32_t most = ARRAY_SIZE(machine->caches);
	struct utsname names;
	uint32_t index;

	memset(machine, 0, sizeof(*machine));
	read_cpu(machine->cpu, sizeof(machine->cpu));
	if (!uname(&names))
		snprintf(machine->kernel, sizeof(machine->kernel), "%s %s", names.release,
			 names.version);
	for (index = 0; index < 16 && machine->cache_count < most; index++)
		if (read_cache(&machine->caches[machine->cache_count], index))
			machine->cache_count++;
}

void machine_levels(const struct machine *machine, struct hierarchy_plan *plan)
{
	uint32_t i;

	for (i = 0; i < machine->cache_count; i++)
		if (machine->caches[i].level == plan->levels + 1)
			plan->level[plan->levels++].geometry = machine->caches[i].geometry;
}
