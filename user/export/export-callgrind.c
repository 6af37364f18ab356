// SPDX-License-Identifier: GPL-2.0-only
/*
 * The format of Callgrind's profiles ("Callgrind Format Specification", Valgrind's manual):
 * functions are those of the machine code; lines that were inlined from other files stand in
 * them under fi=, and fe= goes back. Names are written once and then known by number.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#include "base/map.h"
#include "base/memory.h"
#include "export/export.h"
#include "output/text.h"

#define UNKNOWN "???"	/* as the tools that read it have it */

/* Names of one kind that were written. */
struct names {
	const char **all;
	size_t count, capacity;
	struct map numbers;		/* hash -> number, counted from 1 */
};

struct writer {
	FILE *out;
	const struct costs *costs;
	struct names objects, files, functions;
	const char *file;		/* that lines are of, as the reader has it */
};

/* Where a name's number is kept, 0 = not written yet. */
static uint64_t *number_of(struct names *names, const char *name)
{
	uint64_t hash = XXH3_64bits(name, strlen(name)), *value;

	for (;; hash++) {
		value = map_at(&names->numbers, hash);
		if (!*value || !strcmp(names->all[*value - 1], name))
			return value;
	}
}

static void names_drop(struct names *names)
{
	map_free(&names->numbers);
	free(names->all);
}

static void put_name(struct writer *writer, const char *key, struct names *names, const char *name)
{
	uint64_t *number = number_of(names, name);
	char *clean;

	if (*number) {
		fprintf(writer->out, "%s=(%" PRIu64 ")\n", key, *number);
		return;
	}
	names->all = grow(names->all, names->count, &names->capacity, sizeof(*names->all));
	names->all[names->count] = name;
	*number = ++names->count;
	clean = text_clean(name);
	fprintf(writer->out, "%s=(%zu) %s\n", key, names->count, clean);
	free(clean);
}

static void put_text(struct writer *writer, const char *key, const char *text)
{
	fputs(key, writer->out);
	text_put(writer->out, text);
	fputc('\n', writer->out);
}

/* An event's name is one word there. */
static void put_event(FILE *out, const char *name)
{
	for (; *name; name++)
		fputc(isalnum((unsigned char)*name) || *name == '-' ? *name : '_', out);
}

static const char *or_unknown(const char *name)
{
	return name && *name ? name : UNKNOWN;
}

static const struct cost_frame *outermost(const struct cost_code *code)
{
	return &code->frames[code->frame_count - 1];
}

static int order_functions(const struct cost_code *a, const struct cost_code *b)
{
	int by = strcmp(a->dso, b->dso);

	if (!by)
		by = (a->entry > b->entry) - (a->entry < b->entry);
	return by ? by : strcmp(outermost(a)->function, outermost(b)->function);
}

/* By function, then address. */
static int order(const void *left, const void *right, void *codes)
{
	const struct cost_code *a = (struct cost_code *)codes + *(const size_t *)left;
	const struct cost_code *b = (struct cost_code *)codes + *(const size_t *)right;
	int by = order_functions(a, b);

	return by ? by : (a->address > b->address) - (a->address < b->address);
}

static void put_counts(FILE *out, const uint64_t *counts, size_t count)
{
	for (size_t i = 0; i < count; i++)
		fprintf(out, " %" PRIu64, counts[i]);
	fputc('\n', out);
}

static void put_function(struct writer *writer, const struct cost_code *code)
{
	writer->file = or_unknown(code->home);
	fputc('\n', writer->out);
	put_name(writer, "ob", &writer->objects, code->dso);
	put_name(writer, "fl", &writer->files, writer->file);
	put_name(writer, "fn", &writer->functions, outermost(code)->function);
}

/* @home: the file of the function */
static void put_code(struct writer *writer, const struct cost_code *code, const char *home,
		     const uint64_t *counts)
{
	const char *file = or_unknown(code->frames[0].path);

	if (strcmp(file, writer->file)) {
		put_name(writer, strcmp(file, home) ? "fi" : "fe", &writer->files, file);
		writer->file = file;
	}
	fprintf(writer->out, "0x%" PRIx64 " %" PRIu32, code->address, code->frames[0].line);
	put_counts(writer->out, counts, writer->costs->event_count);
}

static bool any(const uint64_t *counts, size_t count)
{
	while (count && !counts[count - 1])
		count--;
	return count;
}

/* @counts: COSTS_EVENTS of each code */
static void put_codes(struct writer *writer, const uint64_t *counts)
{
	const struct costs *costs = writer->costs;
	size_t *codes = xcalloc(costs->code_count + 1, sizeof(*codes)), i;
	const struct cost_code *first = NULL;

	for (i = 0; i < costs->code_count; i++)
		codes[i] = i;
	qsort_r(codes, costs->code_count, sizeof(*codes), order, costs->codes);
	for (i = 0; i < costs->code_count; i++) {
		const struct cost_code *code = &costs->codes[codes[i]];

		if (!any(&counts[codes[i] * COSTS_EVENTS], costs->event_count))
			continue;
		if (!first || order_functions(first, code)) {
			first = code;
			put_function(writer, first);
		}
		put_code(writer, code, or_unknown(first->home),
			 &counts[codes[i] * COSTS_EVENTS]);
	}
	free(codes);
}

static void put_head(struct writer *writer, const struct export_about *about)
{
	const struct costs *costs = writer->costs;
	size_t i;

	fprintf(writer->out, "# callgrind format\nversion: 1\ncreator: ccsample %s\n",
		CCSAMPLE_VERSION);
	put_text(writer, "cmd: ", about->command);
	for (i = 0; i < about->note_count; i++)
		put_text(writer, "desc: ", about->notes[i]);
	fputs("positions: instr line\n", writer->out);
	for (i = 0; i < costs->event_count; i++) {
		fputs("event: ", writer->out);
		put_event(writer->out, costs->events[i]->name);
		put_text(writer, " : ", costs->events[i]->title);
	}
	fputs("events:", writer->out);
	for (i = 0; i < costs->event_count; i++) {
		fputc(' ', writer->out);
		put_event(writer->out, costs->events[i]->name);
	}
	fputs("\nsummary:", writer->out);
	put_counts(writer->out, costs->totals, costs->event_count);
}

void export_callgrind(FILE *out, const struct costs *costs, const struct export_about *about)
{
	struct writer writer = { .out = out, .costs = costs };
	uint64_t *counts = xcalloc(costs->code_count + 1, COSTS_EVENTS * sizeof(*counts));

	for (size_t i = 0; i < costs->site_count; i++)
		for (size_t j = 0; j < costs->event_count; j++)
			counts[costs->sites[i].code * COSTS_EVENTS + j] +=
				costs->sites[i].counts[j];
	put_head(&writer, about);
	put_codes(&writer, counts);
	fputs("\ntotals:", out);
	put_counts(out, costs->totals, costs->event_count);
	free(counts);
	names_drop(&writer.objects);
	names_drop(&writer.files);
	names_drop(&writer.functions);
}
