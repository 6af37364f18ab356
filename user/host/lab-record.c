// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/cpu-list.h"
#include "host/lab-record.h"
#include "host/lab.h"
#include "output/prose.h"

/* "a" and "b" to "a, b", each once. */
static void add_word(char **words, const char *word)
{
	char *at = *words ? strstr(*words, word) : NULL;
	size_t length = strlen(word);

	if (at && (at == *words || at[-1] == ' ') && (!at[length] || at[length] == ','))
		return;
	prose_append(words, "%s%s", *words ? ", " : "", word);
}

/* "17 of 24 come here": those that may come to one of the CPUs. */
static char *interrupts_text(const struct lab *lab, const cpu_set_t *cpus)
{
	size_t count = 0, all = 0, i;
	cpu_set_t to;

	for (i = 0; i < lab->count; i++) {
		if (!lab->items[i].value || cpus_parse(lab->items[i].value, &to))
			continue;
		all++;
		CPU_AND(&to, &to, cpus);
		count += CPU_COUNT(&to) > 0;
	}
	return all ? xasprintf("%zu of %zu come here", count, all) : NULL;
}

/* Of several items each by its name: "l2 off, l1 on". A sibling's number says nothing. */
static void add_item(char **words, const struct lab_item *item)
{
	const char *suffix = strchr(item->name, '.');
	char *word;

	if (!item->value || !*item->value)
		return;
	if (suffix) {
		word = xasprintf("%s %s", suffix + 1, item->value);
		add_word(words, word);
		free(word);
	} else if (item->knob->look == lab_look_sibling && strcmp(item->value, "none")) {
		add_word(words, "online");
	} else {
		add_word(words, item->value);
	}
}

static char *knob_text(struct lab *lab, const struct lab_knob *knob, const cpu_set_t *cpus)
{
	char *words = NULL;
	int cpu;

	for (cpu = cpus_first(cpus); cpu >= 0 && cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET(cpu, cpus))
			continue;
		lab->cpu = cpu;
		lab_look_knob(lab, knob);
		if (!knob->per_cpu)
			break;
	}
	if (knob->look == lab_look_interrupts)
		return interrupts_text(lab, cpus);
	for (size_t i = 0; i < lab->count; i++)
		add_item(&words, &lab->items[i]);
	return words;
}

void lab_record(struct recording_writer *writer, const char *root, const cpu_set_t *cpus,
		bool interrupts)
{
	struct lab lab = { .system.root = root };

	for (size_t i = 0; i < lab_knobs_nr; i++) {
		char *text, *key;

		if (lab_knobs[i].look == lab_look_interrupts && !interrupts)
			continue;
		text = knob_text(&lab, &lab_knobs[i], cpus);
		key = xasprintf("lab.%s", lab_knobs[i].name);
		if (text)
			recording_meta(writer, key, text, strlen(text));
		free(key);
		free(text);
		lab_forget(&lab);
	}
	lab_free(&lab);
}
