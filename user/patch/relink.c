// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where a variable begins is the linker's choice. Each variable in the bursts gets the place in its
 * page that it would have if all arrays of a page and more were longer. The cures name fewer: a
 * declaration is not edited for nothing. Here that costs nothing, and arrays that are at no equal
 * places of pages are faster still: a load waits for a store before it that has the same place.
 * The gaps are below a page each.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "patch/relink.h"

struct placed {
	const struct object *object;
	uint64_t low;
};

static bool is_name(const char *text)
{
	if (!isalpha((unsigned char)*text) && *text != '_')
		return false;
	while (of_word(*text))
		text++;
	return !*text;
}

static bool only_lengthens(const struct cure *cure)
{
	for (size_t i = 0; i < cure->count; i++)
		if (cure->changes[i].kind != CHANGE_LENGTHEN)
			return false;
	return cure->count && !cure->instead_of;
}

/* How much longer each array becomes; 0 = there is no such cure. */
static uint64_t step_of(const struct cures *advice)
{
	for (size_t i = 0; i < advice->count; i++)
		if (only_lengthens(&advice->cures[i]))
			return advice->cures[i].changes[0].step;
	return 0;
}

static int by_address(const void *a, const void *b)
{
	const struct placed *x = a, *y = b;

	if (x->low != y->low)
		return x->low < y->low ? -1 : 1;
	return (x->object->id > y->object->id) - (x->object->id < y->object->id);
}

/* In the first process that has them: places in pages are the same in each. */
static size_t collect(const struct keep *keep, struct placed *variables)
{
	size_t count = 0;

	for (size_t i = 1; i < keep->block_count; i++) {
		const struct keep_block *block = &keep->blocks[i];

		if (!block->object || block->object->kind != OBJECT_GLOBAL ||
		    block->process != keep->blocks[1].process || !is_name(block->object->name))
			continue;
		variables[count++] = (struct placed){ block->object, block->low };
	}
	qsort(variables, count, sizeof(*variables), by_address);
	return count;
}

static void put_placed(FILE *out, const struct placed *variable, uint64_t place)
{
	const char *name = variable->object->name;

	fprintf(out, "\t\t. = . + ((0x%" PRIx64 " - .) & 0xfff);\n", place % STAGGER_MODULO);
	fprintf(out, "\t\t*(.bss.%s .bss.%s.* .bss._ZL%zu%s)\n", name, name, strlen(name), name);
}

size_t cures_relink(FILE *out, const struct keep *keep, const struct cures *advice)
{
	struct placed *variables = xcalloc(keep->block_count + 1, sizeof(*variables));
	uint64_t step = step_of(advice), moved = 0;
	size_t count = step ? collect(keep, variables) : 0, i;

	fputs("/* Places of variables, as ccsample advise found:\n"
	      "   cc -fdata-sections ... -Wl,-T,FILE */\n", out);
	if (count)
		fputs("SECTIONS\n{\n\t.bss.ccsample : ALIGN(4096)\n\t{\n", out);
	for (i = 0; i < count; i++) {
		put_placed(out, &variables[i], variables[i].low + moved);
		moved += variables[i].object->bytes < STAGGER_MODULO ? 0 : step;
	}
	if (count)
		fputs("\t}\n}\nINSERT AFTER .bss;\n", out);
	free(variables);
	return count;
}
