// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "advise/edit.h"
#include "advise/plan.h"
#include "advise/words.h"
#include "base/clean.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/text.h"
#include "pads/plan.h"
#include "program/elf-file.h"

#define CHUNK		16u	/* what malloc() aligns to */

/* A plan in the making. */
struct plan {
	FILE *out;
	const struct keep *keep;
	struct map modules;		/* struct module * -> 1: its build-id is written */
	struct map objects;		/* id -> 1: it is in the plan */
	bool stacks;			/* so are stacks of threads */
	size_t calls;
};

bool cure_at_run_time(const struct cure *cure)
{
	for (size_t i = 0; i < cure->count; i++) {
		const struct layout_change *change = &cure->changes[i];

		if (change->kind == CHANGE_STACKS)
			continue;
		if ((change->kind != CHANGE_STAGGER && change->kind != CHANGE_HUGE) ||
		    !change->object->call_count || 2 * change->movable < change->blocks)
			return false;
	}
	return true;
}

static bool is_free(const struct plan *plan, const struct cure *cure)
{
	for (size_t i = 0; i < cure->count; i++)
		if (map_get(&plan->objects, cure->changes[i].object->id))
			return false;
	return true;
}

/* "WORD NAME" */
static void put_name(FILE *out, const char *word, const struct module *module)
{
	const char *name = base_name(module_path(module));
	char *text = xmalloc(4 * strlen(name) + 1);

	pads_name_escape(text, name);
	fprintf(out, "%s %s", word, text);
	free(text);
}

static void put_module(struct plan *plan, struct module *module)
{
	const struct elf_file *file = module_file(module);
	uint64_t *written = map_at(&plan->modules, (uintptr_t)module);

	if (*written)
		return;
	*written = 1;
	if (!file || !file->build_id_size)
		return;
	put_name(plan->out, "module", module);
	fputs(" build-id ", plan->out);
	for (size_t i = 0; i < file->build_id_size; i++)
		fprintf(plan->out, "%02x", file->build_id[i]);
	fputc('\n', plan->out);
}

struct extent {
	uint64_t least, most;		/* bytes of its blocks */
	bool aligned;			/* to more than malloc() does by itself */
};

static struct extent extent_of(const struct keep *keep, const struct object *object)
{
	struct extent extent = { UINT64_MAX, 0, true };

	for (size_t i = 1; i < keep->block_count; i++) {
		const struct keep_block *block = &keep->blocks[i];
		uint64_t bytes = block->high - block->low;

		if (block->object != object)
			continue;
		extent.least = bytes < extent.least ? bytes : extent.least;
		extent.most = bytes > extent.most ? bytes : extent.most;
		extent.aligned &= !(block->low % (4 * CHUNK));
	}
	extent.least = extent.least < PADS_LEAST_BLOCK ? PADS_LEAST_BLOCK : extent.least;
	return extent;
}

/* Of all processes: a plan has one line of stacks. */
static void put_stacks(struct plan *plan, const struct layout_change *change)
{
	if (!plan->stacks)
		fprintf(plan->out, "stacks stagger %" PRIu32 "\n", change->step);
	plan->calls += !plan->stacks;
	plan->stacks = true;
}

static void put_change(struct plan *plan, const struct layout_change *change)
{
	const struct object *object = change->object;
	struct extent extent = extent_of(plan->keep, object);

	*map_at(&plan->objects, object->id) = 1;
	if (change->kind == CHANGE_STACKS) {
		put_stacks(plan, change);
		return;
	}
	if (change->kind == CHANGE_HUGE && extent.least >> HUGE_BITS == 0)
		extent.least = 1u << HUGE_BITS;
	for (size_t i = 0; i < object->call_count; i++) {
		const struct code *call = &object->calls[i];

		put_module(plan, call->module);
		/* Recordings have the last byte of a call, plans where it returns to. */
		put_name(plan->out, "site", call->module);
		fprintf(plan->out, "+0x%" PRIx64 " size %" PRIu64 "-%" PRIu64 " stagger %" PRIu32,
			call->address + 1, extent.least, extent.most, change->step);
		if (change->first)
			fprintf(plan->out, " from %" PRIu32, change->first);
		if (extent.aligned)
			fprintf(plan->out, " align %u", CHUNK);
		fprintf(plan->out, change->kind == CHANGE_HUGE ? " huge\n" : "\n");
		plan->calls++;
	}
}

static void put_comment(FILE *out, char *text)
{
	char *clean = text_clean(text);

	fprintf(out, "# %s\n", clean);
	free(clean);
	free(text);
}

size_t cures_plan(FILE *out, const struct keep *keep, const struct cures *advice)
{
	struct plan plan = { .out = out, .keep = keep };

	fprintf(out, "# A plan of pads: ccsample cure --plan FILE -- program\n");
	for (size_t i = 0; i < advice->count; i++) {
		const struct cure *cure = &advice->cures[i];

		if (!cure_at_run_time(cure) || !is_free(&plan, cure))
			continue;
		put_comment(out, effect_text(&cure->all));
		put_comment(out, cure_edit(cure));
		for (size_t c = 0; c < cure->count; c++)
			put_change(&plan, &cure->changes[c]);
	}
	map_free(&plan.modules);
	map_free(&plan.objects);
	return plan.calls;
}
