// SPDX-License-Identifier: GPL-2.0-only
/* What a recording says of itself in texts. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "findings/pass.h"
#include "base/memory.h"
#include "format/recording.h"

#define LAB		"lab."
#define LAB_MOST	64	/* knobs that are kept; a recording may claim any number */

static void take_lab(struct pass *pass, const char *name, size_t name_size, const char *value,
		     size_t value_size)
{
	size_t i;

	for (i = 0; i < pass->lab_count; i++)
		if (strlen(pass->lab[i].name) == name_size &&
		    !memcmp(pass->lab[i].name, name, name_size))
			return;
	if (i == LAB_MOST)
		return;
	pass->lab = grow(pass->lab, pass->lab_count, &pass->lab_room, sizeof(*pass->lab));
	pass->lab[pass->lab_count++] = (struct lab_fact){
		.name = xstrndup(name, name_size),
		.value = xstrndup(value, value_size),
	};
}

/* Is the event among those that a text names, with commas between? */
static bool names(const struct event_totals *event, const char *text, size_t size)
{
	size_t length = strlen(event->name), at = 0, end;

	for (; at < size; at = end + 1) {
		const char *comma = memchr(text + at, ',', size - at);

		end = comma ? (size_t)(comma - text) : size;
		if (end - at == length && !memcmp(text + at, event->name, length))
			return true;
	}
	return false;
}

void pass_uncounted(struct pass *pass, const struct ccs_meta *meta)
{
	const char *value = (const char *)(meta + 1) + meta->key_size;
	bool misses = meta_is(meta, "uncounted"), lines = meta_is(meta, "no-accesses");
	size_t i;

	for (i = 0; (misses || lines) && i < pass->event_count; i++) {
		struct event_totals *event = &pass->events[i];

		if (!names(event, value, meta->value_size))
			continue;
		event->uncounted |= misses;
		event->no_accesses |= lines;
	}
}

void pass_meta(struct pass *pass, const struct ccs_meta *meta)
{
	const struct {
		const char *key;
		char **text;
	} texts[] = {
		{ "version", &pass->version }, { "source", &pass->source }, { "cpu", &pass->cpu },
		{ "kernel", &pass->kernel }, { "start", &pass->start }, { "clock", &pass->clock },
		{ "pages", &pass->pages }, { "option.overhead", &pass->overhead },
		{ "L1.hash", &pass->hashes[1] },
		{ "L2.hash", &pass->hashes[2] }, { "L3.hash", &pass->hashes[3] },
	};
	const char *key = (const char *)(meta + 1), *value = key + meta->key_size;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(texts); i++) {
		if (!meta_is(meta, texts[i].key))
			continue;
		free(*texts[i].text);
		*texts[i].text = xstrndup(value, meta->value_size);
	}
	if (meta->key_size > strlen(LAB) && !memcmp(key, LAB, strlen(LAB)))
		take_lab(pass, key + strlen(LAB), meta->key_size - strlen(LAB), value,
			 meta->value_size);
	if (meta_is(meta, "command") && !pass->command)
		pass->command = meta_command(meta);
}

void pass_meta_free(struct pass *pass)
{
	size_t i;

	for (i = 0; pass->command && pass->command[i]; i++)
		free(pass->command[i]);
	free(pass->command);
	free(pass->version);
	free(pass->source);
	free(pass->cpu);
	free(pass->kernel);
	free(pass->start);
	free(pass->clock);
	free(pass->pages);
	free(pass->overhead);
	for (i = 0; i < pass->lab_count; i++) {
		free(pass->lab[i].name);
		free(pass->lab[i].value);
	}
	free(pass->lab);
}
