// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "base/cpu-list.h"
#include "output/prose.h"
#include "record/cores.h"

/* Return: whether they are all of one kind's. */
static bool all_of(const struct machine_kind *kind, const cpu_set_t *cpus)
{
	cpu_set_t of, both;

	if (cpus_parse(kind->cpus, &of))
		return false;
	CPU_AND(&both, &of, cpus);
	return CPU_EQUAL(&both, cpus);
}

void cores_choose(struct machine *machine, const cpu_set_t *cpus)
{
	for (uint32_t i = 0; i < machine->kind_count; i++) {
		const struct machine_kind *kind = &machine->kinds[i];

		if (!all_of(kind, cpus))
			continue;
		machine->chosen = true;
		machine->cache_count = kind->cache_count;
		memcpy(machine->caches, kind->caches, sizeof(machine->caches));
	}
}

char *cores_text(const struct machine *machine, const cpu_set_t *cpus)
{
	char *text = NULL, *list;
	cpu_set_t of;

	for (uint32_t i = 0; i < machine->kind_count; i++) {
		const struct machine_kind *kind = &machine->kinds[i];

		if (cpus_parse(kind->cpus, &of))
			continue;
		CPU_AND(&of, &of, cpus);
		list = cpus_text(&of);
		if (CPU_COUNT(&of))
			prose_append(&text, "%s%s %s", text ? ", " : "", kind->name, list);
		free(list);
	}
	if (text && !machine->chosen)
		prose_append(&text, " (caches that are not given: CPU 0's for all)");
	return text;
}
