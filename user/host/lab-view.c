// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "host/lab.h"
#include "output/json.h"
#include "output/table.h"
#include "output/text.h"

#define VALUE_AT	11	/* columns */
#define WHY_AT		44

static const enum tint tints[LAB_STATES] = {
	[LAB_QUIET] = TINT_GOOD, [LAB_NOISY] = TINT_CAUTION, [LAB_ODD] = TINT_BAD,
};

static void put_line(FILE *out, const char *name, enum lab_state state, const char *value,
		     const char *why, bool colour)
{
	char *clean = text_clean(value), *fitted = text_fit(clean, WHY_AT - VALUE_AT - 8,
							    TEXT_FIT_MIDDLE);

	fprintf(out, "%-*s%s%-7s%s%-*s ", VALUE_AT, name, tint_code(tints[state], colour),
	       lab_state_name(state), tint_code(TINT_NONE, colour), WHY_AT - VALUE_AT - 8, fitted);
	text_paragraph(out, why, WHY_AT);
	free(fitted);
	free(clean);
}

/* The worst of a knob's items, for the knobs that have several. */
static enum lab_state worst(const struct lab_item *items, size_t count)
{
	enum lab_state state = items[0].state;

	for (size_t i = 1; i < count; i++)
		if (items[i].state == LAB_NOISY || state == LAB_SHOWN || state == LAB_ABSENT)
			state = items[i].state;
	return state;
}

static void put_interrupts(FILE *out, const struct lab_item *items, size_t count, bool colour)
{
	size_t here = 0, i;
	char *text;

	for (i = 0; i < count; i++)
		here += items[i].state == LAB_NOISY;
	text = items[0].path ? xasprintf("%zu of %zu come here", here, count) : xstrdup("");
	put_line(out, "irq", worst(items, count), text, items[0].knob->why, colour);
	free(text);
}

static void put_several(FILE *out, const struct lab_item *items, size_t count, bool colour)
{
	bool alike = true;
	size_t i;

	for (i = 1; i < count; i++)
		alike &= items[i].state == items[0].state;
	if (alike) {
		put_line(out, items[0].knob->name, items[0].state, items[0].value ? items[0].value :
			 items[0].advice ? items[0].advice : "", items[0].knob->why, colour);
		return;
	}
	for (i = 0; i < count; i++)
		put_line(out, strchr(items[i].name, '.') - strlen(items[i].knob->name),
			 items[i].state, items[i].value ? items[i].value : "", i ? items[i].name :
			 items[i].knob->why, colour);
}

void lab_text(FILE *out, const struct lab *lab, bool colour)
{
	size_t i, count;

	fprintf(out, "CPU %u\n\n", lab->cpu);
	for (i = 0; i < lab->count; i += count) {
		for (count = 1; i + count < lab->count &&
		     lab->items[i + count].knob == lab->items[i].knob; count++)
			;
		if (lab->items[i].knob->look == lab_look_interrupts)
			put_interrupts(out, &lab->items[i], count, colour);
		else
			put_several(out, &lab->items[i], count, colour);
	}
}

void lab_json(FILE *out, const struct lab *lab)
{
	struct json json = { .out = out };

	json_begin(&json, "lab");
	json_put_count(&json, "cpu", lab->cpu);
	json_open_under(&json, "knobs", '[');
	for (size_t i = 0; i < lab->count; i++) {
		const struct lab_item *item = &lab->items[i];

		json_open_flat(&json, '{');
		json_put_string(&json, "name", item->name);
		json_put_string(&json, "state", lab_state_name(item->state));
		json_put_string(&json, "value", item->value);
		json_put_string(&json, "wanted", item->wanted);
		json_put_bool(&json, "usual", item->knob->usual);
		json_put_bool(&json, "settable", !item->knob->shown);
		json_put_string(&json, "why", item->knob->why);
		json_close(&json, '}');
	}
	json_close(&json, ']');
	json_close(&json, '}');
}
