// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which CPUs interrupts may go to: /proc/irq/N/smp_affinity_list, an item for
 * each. They are kept off the whole core: of one that goes only to a sibling the
 * kernel forgets where it went when the sibling is switched off. It refuses to
 * move those that belong to one CPU (timers, queues that it manages itself).
 */
#include <dirent.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/cpu-list.h"
#include "host/lab.h"

#define IRQ_DIR "/proc/irq"

static void online_cpus(const struct lab *lab, cpu_set_t *cpus)
{
	char *text = system_text(&lab->system, "/sys/devices/system/cpu/online");

	if (!text || cpus_parse(text, cpus))
		CPU_ZERO(cpus);
	free(text);
}

/* The same CPUs without the core; where none is left, all others. NULL = there is no other */
static char *without(const struct lab *lab, const cpu_set_t *core, cpu_set_t cpus)
{
	cpu_set_t here;

	CPU_AND(&here, &cpus, core);
	CPU_XOR(&cpus, &cpus, &here);
	if (!CPU_COUNT(&cpus)) {
		online_cpus(lab, &cpus);
		CPU_AND(&here, &cpus, core);
		CPU_XOR(&cpus, &cpus, &here);
	}
	return CPU_COUNT(&cpus) ? cpus_text(&cpus) : NULL;
}

/* A number without a handler is no interrupt; there may be hundreds. */
static bool is_used(const struct lab *lab, const char *number)
{
	char *path = xasprintf("/sys/kernel/irq/%s/actions", number);
	char *actions = system_text(&lab->system, path);
	bool used = !actions || *actions;

	free(actions);
	free(path);
	return used;
}

static void add_interrupt(struct lab *lab, const struct lab_knob *knob, const char *number,
			  const cpu_set_t *core)
{
	char *path = xasprintf(IRQ_DIR "/%s/smp_affinity_list", number);
	struct lab_item *item;
	cpu_set_t cpus, here;

	if (!system_has(&lab->system, path) || !is_used(lab, number)) {
		free(path);
		return;
	}
	item = lab_add(lab, knob, number);
	item->path = path;
	item->value = system_text(&lab->system, path);
	if (!item->value) {
		item->state = LAB_DENIED;
	} else if (cpus_parse(item->value, &cpus)) {
		item->state = LAB_ODD;
	} else {
		item->wanted = without(lab, core, cpus);
		CPU_AND(&here, &cpus, core);
		item->state = !CPU_COUNT(&here) ? LAB_QUIET : item->wanted ? LAB_NOISY : LAB_SHOWN;
	}
}

static int is_number(const struct dirent *entry)
{
	return entry->d_name[0] >= '0' && entry->d_name[0] <= '9';
}

void lab_look_interrupts(struct lab *lab, const struct lab_knob *knob)
{
	char *path = xasprintf("%s" IRQ_DIR, lab->system.root);
	size_t before = lab->count;
	struct dirent **entries;
	int count = scandir(path, &entries, is_number, versionsort), i;
	cpu_set_t core;

	lab_core(lab, &core);
	for (i = 0; i < count; i++) {
		add_interrupt(lab, knob, entries[i]->d_name, &core);
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
	if (lab->count == before)
		lab_add(lab, knob, NULL);
	free(path);
}
