// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/cpu-list.h"
#include "host/lab.h"

#define ISOLATED	"/sys/devices/system/cpu/isolated"
#define ONLINE		"/sys/devices/system/cpu/online"

const char *lab_state_name(enum lab_state state)
{
	static const char *const names[LAB_STATES] = {
		"quiet", "noisy", "shown", "absent", "denied", "odd"
	};

	return names[state];
}

struct lab_item *lab_add(struct lab *lab, const struct lab_knob *knob, const char *suffix)
{
	lab->items = grow(lab->items, lab->count, &lab->room, sizeof(*lab->items));
	lab->items[lab->count] = (struct lab_item){
		.knob = knob,
		.name = xasprintf("%s%s%s", knob->name, suffix ? "." : "", suffix ? suffix : ""),
		.state = LAB_ABSENT,
		.wanted = knob->wanted ? xstrdup(knob->wanted) : NULL,
	};
	return &lab->items[lab->count++];
}

void lab_settle(struct lab_item *item)
{
	if (!item->wanted)
		item->state = LAB_SHOWN;
	else
		item->state = strcmp(item->value, item->wanted) ? LAB_NOISY : LAB_QUIET;
}

static bool is_number(const char *text)
{
	return *text && !text[strspn(text, "0123456789")];
}

/* "always [madvise] never" to "madvise". */
static void take_bracketed(char *text)
{
	char *open = strchr(text, '['), *close = open ? strchr(open, ']') : NULL;

	if (!close)
		return;
	*close = 0;
	memmove(text, open + 1, strlen(open + 1) + 1);
}

static const char *word_for(const struct lab_word *words, const char *held)
{
	for (; words->held; words++)
		if (!strcmp(words->held, held))
			return words->word;
	return NULL;
}

static const char *held_for(const struct lab_word *words, const char *word)
{
	for (; words->held; words++)
		if (!strcmp(words->word, word))
			return words->held;
	return NULL;
}

/* What a file's text means. Return: false if that is not known. */
static bool understand(const struct lab_item *item, char **text)
{
	const struct lab_word *words = item->place->words;
	const char *word;

	if (!words)
		return item->knob->number ? is_number(*text) : **text && !strchr(*text, '\n');
	take_bracketed(*text);
	word = word_for(words, *text);
	if (!word)
		return false;
	free(*text);
	*text = xstrdup(word);
	return true;
}

static char *path_of(const struct lab *lab, const struct lab_place *place)
{
	const char *number = strstr(place->path, "%u");

	return number ? xasprintf("%.*s%u%s", (int)(number - place->path), place->path, lab->cpu,
				  number + 2) : xstrdup(place->path);
}

static void look(struct lab *lab, const struct lab_knob *knob)
{
	struct lab_item *item = lab_add(lab, knob, NULL);

	for (size_t i = 0; i < 2 && knob->places[i].path; i++) {
		free(item->path);
		item->place = &knob->places[i];
		item->path = path_of(lab, item->place);
		if (system_has(&lab->system, item->path))
			break;
	}
	item->value = system_text(&lab->system, item->path);
	if (!item->value)
		item->state = system_has(&lab->system, item->path) ? LAB_DENIED : LAB_ABSENT;
	else if (understand(item, &item->value))
		lab_settle(item);
	else
		item->state = LAB_ODD;
}

void lab_look_knob(struct lab *lab, const struct lab_knob *knob)
{
	(knob->look ? knob->look : look)(lab, knob);
}

void lab_look(struct lab *lab, const char *root, unsigned int cpu)
{
	*lab = (struct lab){ .system.root = root, .cpu = cpu };
	for (size_t i = 0; i < lab_knobs_nr; i++)
		lab_look_knob(lab, &lab_knobs[i]);
}

void lab_forget(struct lab *lab)
{
	for (size_t i = 0; i < lab->count; i++) {
		free(lab->items[i].name);
		free(lab->items[i].path);
		free(lab->items[i].value);
		free(lab->items[i].wanted);
	}
	lab->count = 0;
}

void lab_free(struct lab *lab)
{
	lab_forget(lab);
	free(lab->items);
}

static bool read_cpus(const struct system *system, const char *path, cpu_set_t *cpus)
{
	char *text = system_text(system, path);
	bool read = text && !cpus_parse(text, cpus);

	free(text);
	return read;
}

unsigned int lab_choose_cpu(const char *root)
{
	struct system system = { .root = root };
	cpu_set_t cpus;
	int cpu;

	if (read_cpus(&system, ISOLATED, &cpus))
		return cpus_first(&cpus);
	if (!read_cpus(&system, ONLINE, &cpus))
		return 0;
	for (cpu = CPU_SETSIZE - 1; !CPU_ISSET(cpu, &cpus); cpu--)
		;
	return cpu;
}

const struct lab_item *lab_item(const struct lab *lab, const char *name)
{
	for (size_t i = 0; i < lab->count; i++)
		if (!strcmp(lab->items[i].name, name))
			return &lab->items[i];
	return NULL;
}

bool lab_accepts(const struct lab_item *item, const char *value)
{
	const struct lab_knob *knob = item->knob;

	if (knob->shown || !*value || strchr(value, '\n'))
		return false;
	if (knob->accepts)
		return knob->accepts(item, value);
	if (knob->number)
		return is_number(value);
	if (item->place && item->place->words)
		return held_for(item->place->words, value);
	return knob->look ? !strcmp(value, "on") || !strcmp(value, "off") : true;
}

static int write_file(const struct lab *lab, const struct lab_item *item, const char *value)
{
	const struct lab_word *words = item->place ? item->place->words : NULL;

	return system_write(&lab->system, item->path, words ? held_for(words, value) : value);
}

int lab_set(const struct lab *lab, const struct lab_item *item, const char *value)
{
	const struct lab_item *now;
	struct lab after;
	int result;

	if (!lab_accepts(item, value))
		return EINVAL;
	if (!item->path)
		return ENOENT;
	result = item->knob->set ? item->knob->set(lab, item, value) :
				   write_file(lab, item, value);
	if (result)
		return result;
	after = (struct lab){ .system = lab->system, .cpu = lab->cpu };
	lab_look_knob(&after, item->knob);
	now = lab_item(&after, item->name);
	if (!now || !now->value || strcmp(now->value, value))
		result = LAB_IGNORED;
	lab_free(&after);
	return result;
}
