// SPDX-License-Identifier: GPL-2.0-only
/* The sibling threads of the measured one, and CPUs that are kept free. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/cpu-list.h"
#include "host/lab.h"

#define CPU_DIR "/sys/devices/system/cpu/cpu"

bool lab_accepts_cpus(const struct lab_item *item, const char *value)
{
	cpu_set_t cpus;

	return !cpus_parse(value, &cpus) ||
	       (!strcmp(value, "none") && item->wanted && !strcmp(item->wanted, value));
}

static bool is_online(const struct lab *lab, int cpu)
{
	char *path = xasprintf(CPU_DIR "%d/online", cpu);
	bool online = !system_has(&lab->system, path) || system_says(&lab->system, path, "1");

	free(path);
	return online;
}

int lab_core(const struct lab *lab, cpu_set_t *cpus)
{
	char *path = xasprintf(CPU_DIR "%u/topology/thread_siblings_list", lab->cpu);
	char *text = system_text(&lab->system, path);
	int result = text ? cpus_parse(text, cpus) : -1, cpu;

	if (result)
		CPU_ZERO(cpus);
	CPU_SET(lab->cpu, cpus);
	for (cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, cpus) && cpu != lab->cpu && !is_online(lab, cpu))
			CPU_CLR(cpu, cpus);
	free(text);
	free(path);
	return result;
}

void lab_look_sibling(struct lab *lab, const struct lab_knob *knob)
{
	struct lab_item *item = lab_add(lab, knob, NULL);
	cpu_set_t cpus;

	item->path = xasprintf(CPU_DIR "%u/topology/thread_siblings_list", lab->cpu);
	if (lab_core(lab, &cpus)) {
		item->value = system_text(&lab->system, item->path);
		item->state = item->value ? LAB_ODD : system_has(&lab->system, item->path) ?
			      LAB_DENIED : LAB_ABSENT;
		return;
	}
	CPU_CLR(lab->cpu, &cpus);
	item->value = cpus_text(&cpus);
	lab_settle(item);
}

static int switch_cpus(const struct lab *lab, const cpu_set_t *cpus, const char *to)
{
	int result = 0, cpu;

	for (cpu = 0; cpu < CPU_SETSIZE && !result; cpu++) {
		char *path;

		if (!CPU_ISSET(cpu, cpus))
			continue;
		path = xasprintf(CPU_DIR "%d/online", cpu);
		result = system_has(&lab->system, path) ? system_write(&lab->system, path, to) :
							  EBUSY;	/* CPU 0 often cannot */
		free(path);
	}
	return result;
}

static void siblings_of(const char *value, cpu_set_t *cpus)
{
	if (!value || cpus_parse(value, cpus))
		CPU_ZERO(cpus);
}

int lab_set_sibling(const struct lab *lab, const struct lab_item *item, const char *value)
{
	cpu_set_t now, then, differ, off, on;
	int result;

	siblings_of(item->value, &now);
	siblings_of(value, &then);
	CPU_XOR(&differ, &now, &then);
	CPU_AND(&off, &differ, &now);
	CPU_AND(&on, &differ, &then);
	result = switch_cpus(lab, &off, "0");
	return result ? result : switch_cpus(lab, &on, "1");
}

static void take_list(struct lab_item *item)
{
	cpu_set_t cpus;

	/* Without any: empty, or what printf makes of a null mask. */
	if (!item->value[0] || !strcmp(item->value, "(null)")) {
		free(item->value);
		item->value = xstrdup("none");
	}
	item->state = strcmp(item->value, "none") && cpus_parse(item->value, &cpus) ? LAB_ODD :
										      LAB_SHOWN;
}

void lab_look_isolated(struct lab *lab, const struct lab_knob *knob)
{
	struct lab_item *item = lab_add(lab, knob, NULL);

	item->path = xstrdup(knob->places[0].path);
	item->value = system_text(&lab->system, item->path);
	if (item->value)
		take_list(item);
	else
		item->state = system_has(&lab->system, item->path) ? LAB_DENIED : LAB_ABSENT;
}

/* It has no file: the boot option is used, the last one given. */
void lab_look_callbacks(struct lab *lab, const struct lab_knob *knob)
{
	struct lab_item *item = lab_add(lab, knob, NULL);
	char *line = system_text(&lab->system, "/proc/cmdline"), *rest = line, *word;

	if (!line) {
		item->state = system_has(&lab->system, "/proc/cmdline") ? LAB_DENIED : LAB_ABSENT;
		return;
	}
	item->value = xstrdup("none");
	while ((word = strsep(&rest, " \n"))) {
		if (strncmp(word, "rcu_nocbs", 9) || (word[9] && word[9] != '='))
			continue;
		free(item->value);
		item->value = xstrdup(word[9] ? word + 10 : "all");
	}
	item->state = LAB_SHOWN;
	free(line);
}
