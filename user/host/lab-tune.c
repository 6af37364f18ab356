// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/memory.h"
#include "host/lab-state.h"
#include "host/lab.h"

#define USAGE 2

/* Items and their new values; the texts are of the lab or of the command line. */
struct changes {
	const struct lab_item **items;
	const char **values;
	size_t count, room, values_room;
};

static void add(struct changes *changes, const struct lab_item *item, const char *value)
{
	changes->items = grow(changes->items, changes->count, &changes->room,
			      sizeof(*changes->items));
	changes->values = grow(changes->values, changes->count, &changes->values_room,
			       sizeof(*changes->values));
	changes->items[changes->count] = item;
	changes->values[changes->count++] = value;
}

static const char *why_not(int result)
{
	switch (result) {
	case LAB_IGNORED:
		return "the kernel did not take it";
	case EACCES:
	case EPERM:
	case EROFS:
		return "not permitted: it needs root (sudo), outside of containers";
	default:
		return strerror(result);
	}
}

/* --- what is asked for --- */

static bool is_named(const struct lab_item *item, const char *word)
{
	size_t length = strcspn(word, "=");

	return (strlen(item->name) == length && !strncmp(item->name, word, length)) ||
	       (strlen(item->knob->name) == length && !strncmp(item->knob->name, word, length));
}

/* An item that is set already, or that cannot be read and so not restored, is left unchanged. */
static void choose(struct changes *changes, const struct lab_item *item, const char *value)
{
	if (!item->value || item->state == LAB_ODD) {
		warning("%s is left unchanged: it is %s here%s%s", item->name,
			lab_state_name(item->state), item->advice ? "; " : "",
			item->advice ? item->advice : "");
		return;
	}
	if (value && strcmp(value, item->value))
		add(changes, item, value);
}

static int choose_word(struct changes *changes, const struct lab *lab, const char *word)
{
	const char *value = strchr(word, '=');
	bool found = false;

	for (size_t i = 0; i < lab->count; i++) {
		const struct lab_item *item = &lab->items[i];
		const char *to = value ? value + 1 : item->state == LAB_QUIET ? item->value :
				 item->wanted;

		if (!is_named(item, word))
			continue;
		found = true;
		if (item->knob->shown)
			return fail("%s is only shown: %s", item->name, item->knob->why);
		if (!to && !item->knob->wanted && !item->knob->look)
			return fail("%s needs a value: %s=VALUE", item->name, item->name);
		if (value && item->value && !lab_accepts(item, to))
			return fail("%s cannot be '%s'", item->name, to);
		choose(changes, item, to);
	}
	return found ? 0 : fail("there is no '%.*s': ccsample lab show lists the names",
				(int)strcspn(word, "="), word);
}

static int choose_all(struct changes *changes, const struct lab *lab,
		      const struct lab_request *request)
{
	for (int i = 0; i < request->word_count; i++)
		if (choose_word(changes, lab, request->words[i]) < 0)
			return -1;
	if (request->word_count)
		return 0;
	for (size_t i = 0; i < lab->count; i++) {
		const struct lab_item *item = &lab->items[i];

		if (item->knob->usual && item->state != LAB_ABSENT && item->state != LAB_QUIET &&
		    item->state != LAB_SHOWN)
			choose(changes, item, item->wanted);
	}
	return 0;
}

/* --- tune --- */

/* Interrupts are reported together: there may be hundreds, and the kernel keeps some in place. */
static bool is_interrupt(const struct lab_item *item)
{
	return item->knob->look == lab_look_interrupts;
}

static int apply(const struct lab *lab, const struct changes *changes)
{
	size_t moved = 0, kept = 0, i;
	int failed = 0;

	for (i = 0; i < changes->count; i++) {
		const struct lab_item *item = changes->items[i];
		int result = lab_set(lab, item, changes->values[i]);

		if (is_interrupt(item)) {
			moved += !result;
			kept += result;
		} else if (result) {
			failed = fail("%s is still %s: %s", item->name, item->value,
				      why_not(result));
		} else {
			printf("%-12s %s -> %s\n", item->name, item->value, changes->values[i]);
		}
	}
	if (moved || kept)
		printf("%-12s %zu moved off CPU %u, %zu left there (the kernel does not move "
		       "them)\n",
		       "irq", moved, lab->cpu, kept);
	return failed;
}

/* Is everything as it was saved? Something may have been set in part before it failed. */
static bool is_unchanged(const struct lab *lab, const struct changes *changes)
{
	bool unchanged = true;
	struct lab now;

	lab_look(&now, lab->system.root, lab->cpu);
	for (size_t i = 0; i < changes->count && unchanged; i++) {
		const struct lab_item *item = lab_item(&now, changes->items[i]->name);

		unchanged = item && item->value && !strcmp(item->value, changes->items[i]->value);
	}
	lab_free(&now);
	return unchanged;
}

/* Without changes there is nothing to reset. */
static void settle_state(const struct lab *lab, const struct changes *changes, const char *path)
{
	if (is_unchanged(lab, changes) && !unlink(path))
		puts("Nothing was changed.");
	else
		printf("The former state is in %s: ccsample lab reset restores it.\n", path);
}

/* A knob named twice would be kept twice, the second time with a value that never was. */
static int check_once(const struct changes *changes)
{
	for (size_t i = 0; i < changes->count; i++)
		for (size_t j = 0; j < i; j++)
			if (changes->items[i] == changes->items[j])
				return fail("%s is named twice", changes->items[i]->name);
	return 0;
}

int lab_tune(const struct lab_request *request)
{
	struct changes changes = { };
	struct lab lab;
	int status = USAGE;

	lab_look(&lab, request->root, request->cpu);
	if (choose_all(&changes, &lab, request) < 0 || check_once(&changes) < 0)
		goto free;
	status = 0;
	if (!changes.count) {
		printf("There is nothing to set for CPU %u.\n", lab.cpu);
		goto free;
	}
	status = 1;
	if (lab_state_save(request->state, lab.cpu, changes.items, changes.count) < 0)
		goto free;
	status = apply(&lab, &changes) < 0;
	settle_state(&lab, &changes, request->state);
free:
	free(changes.items);
	free(changes.values);
	lab_free(&lab);
	return status;
}

/* --- reset --- */

/* Return: whether the item is as it was, so that its line is done with. */
static bool restore(const struct lab *lab, const struct lab_saved *saved)
{
	const struct lab_item *item = lab_item(lab, saved->name);
	int result;

	if (!item || (!item->value && item->state == LAB_ABSENT)) {
		warning("%s was %s, and is no longer there", saved->name, saved->value);
		return true;
	}
	if (item->value && !strcmp(item->value, saved->value))
		return true;
	result = lab_set(lab, item, saved->value);
	if (!result)
		printf("%-12s %s -> %s\n", saved->name, item->value ? item->value : "?",
			       saved->value);
	else
		fail("%s could not be restored to %s: %s", saved->name, saved->value,
		     why_not(result));
	return !result;
}

int lab_reset(const struct lab_request *request)
{
	struct lab_saved_state state;
	struct lab lab;
	size_t i;

	if (request->word_count)
		return fail("lab reset restores all, and takes no '%s'", request->words[0]), USAGE;
	if (lab_state_load(request->state, &state) < 0)
		return 1;
	lab_look(&lab, request->root, state.cpu);
	for (i = state.count; i-- > 0; )
		if (restore(&lab, &state.items[i]))
			lab_state_drop(&state, i);
	lab_free(&lab);
	i = state.count;
	if (lab_state_keep(request->state, &state) < 0) {
		lab_state_free(&state);
		return 1;
	}
	if (i)
		fail("%zu not restored; they are still in %s", i, request->state);
	else
		puts("Everything is restored.");
	lab_state_free(&state);
	return i > 0;
}
