// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/memory.h"
#include "host/machine.h"

/* One cache directory of a CPU. */
struct place {
	const struct system *system;
	uint32_t cpu, index;
};

/* To be freed, NULL if there is none. */
static char *read_text(const struct place *at, const char *name)
{
	char *path = xasprintf("/sys/devices/system/cpu/cpu%u/cache/index%u/%s", at->cpu, at->index,
			       name);
	char *text = system_text(at->system, path);

	free(path);
	return text;
}

static uint64_t read_number(const struct place *at, const char *name)
{
	char *text = read_text(at, name), *end;
	uint64_t number;

	if (!text)
		return 0;
	number = strtoull(text, &end, 10);
	if (*end == 'K' || *end == 'M')
		number <<= *end == 'K' ? 10 : 20;
	free(text);
	return number;
}

static bool read_cache(const struct place *at, struct machine_cache *cache)
{
	char *type = read_text(at, "type");
	bool data = type && strcmp(type, "Instruction");

	free(type);
	if (!data)
		return false;
	cache->level = read_number(at, "level");
	cache->size = read_number(at, "size");
	return cache->level >= 1 && cache->level <= 3 &&
	       !cache_geometry_init(&cache->geometry, cache->size,
				    read_number(at, "ways_of_associativity"),
				    read_number(at, "coherency_line_size"));
}

static uint32_t read_caches(const struct system *system, uint32_t cpu, struct machine_cache *caches)
{
	struct place at = { .system = system, .cpu = cpu };
	uint32_t count = 0;

	for (; at.index < 16 && count < MACHINE_CACHES; at.index++)
		count += read_cache(&at, &caches[count]);
	return count;
}

/* Some hypervisors hide the CPUID leaf that the kernel reads; the C library knows older ones. */
static uint32_t ask_library(struct machine_cache *caches)
{
	static const struct {
		int size, ways, line;
	} levels[] = {
		{ _SC_LEVEL1_DCACHE_SIZE, _SC_LEVEL1_DCACHE_ASSOC, _SC_LEVEL1_DCACHE_LINESIZE },
		{ _SC_LEVEL2_CACHE_SIZE, _SC_LEVEL2_CACHE_ASSOC, _SC_LEVEL2_CACHE_LINESIZE },
		{ _SC_LEVEL3_CACHE_SIZE, _SC_LEVEL3_CACHE_ASSOC, _SC_LEVEL3_CACHE_LINESIZE },
	};
	uint32_t n;

	for (n = 0; n < 3; n++) {
		long size = sysconf(levels[n].size), ways = sysconf(levels[n].ways);

		caches[n].level = n + 1;
		caches[n].size = size;
		if (size <= 0 || ways <= 0 ||
		    cache_geometry_init(&caches[n].geometry, size, ways, sysconf(levels[n].line)))
			break;
	}
	return n;
}

uint32_t machine_caches(const struct system *system, struct machine_cache *caches, bool *listed)
{
	uint32_t count = read_caches(system, 0, caches);

	*listed = count;
	return count || *system->root ? count : ask_library(caches);
}

uint32_t machine_kinds(const struct system *system, struct machine_kind *kinds)
{
	/* The kernel's devices, a kind of cores each (arch/x86/events/intel/core.c). */
	static const char *const names[MACHINE_KINDS] = { "cpu_core", "cpu_atom", "cpu_lowpower" };
	uint32_t count = 0;

	for (size_t i = 0; i < MACHINE_KINDS; i++) {
		struct machine_kind *kind = &kinds[count];
		char *path = xasprintf("/sys/devices/%s/cpus", names[i]);
		char *cpus = system_text(system, path);

		if (cpus && *cpus) {
			*kind = (struct machine_kind){ .name = names[i] };
			snprintf(kind->cpus, sizeof(kind->cpus), "%s", cpus);
			kind->cache_count = read_caches(system, strtoul(cpus, NULL, 10),
							kind->caches);
			count++;
		}
		free(cpus);
		free(path);
	}
	return count;
}

void machine_read(struct machine *machine)
{
	const struct system system = { .root = system_root() };
	char *name = system_line(&system, "/proc/cpuinfo", "model name");
	struct utsname names;

	memset(machine, 0, sizeof(*machine));
	snprintf(machine->cpu, sizeof(machine->cpu), "%s", name ? name : "unknown");
	free(name);
	if (!uname(&names))
		snprintf(machine->kernel, sizeof(machine->kernel), "%s %s", names.release,
			 names.version);
	machine->cache_count = machine_caches(&system, machine->caches, &machine->listed);
	machine->kind_count = machine_kinds(&system, machine->kinds);
}

void machine_levels(const struct machine *machine, struct hierarchy_plan *plan)
{
	uint32_t i;

	for (i = 0; i < machine->cache_count; i++)
		if (machine->caches[i].level == plan->levels + 1)
			plan->level[plan->levels++].geometry = machine->caches[i].geometry;
}
