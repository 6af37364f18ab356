// SPDX-License-Identifier: GPL-2.0-only
/* Sets: when each missed last in a sub-stream, and which of them a context uses. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "rcd/internal.h"

#define TABLE_LEAST	64u

int set_table_init(struct set_table *table, uint32_t sets)
{
	table->hashed = sets > RCD_DIRECT;
	table->capacity = table->hashed ? TABLE_LEAST : sets;
	table->used = 0;
	table->slots = calloc(table->capacity, sizeof(*table->slots));
	return table->slots ? 0 : -ENOMEM;
}

void set_table_forget(struct set_table *table)
{
	memset(table->slots, 0, table->capacity * sizeof(*table->slots));
	table->used = 0;
}

static struct set_slot *probe(const struct set_table *table, uint32_t set, uint32_t base)
{
	uint32_t mask = table->capacity - 1;
	uint32_t at = (set * 0x9e3779b1u) >> 7 & mask;

	while (table->slots[at].last > base && table->slots[at].set != set)
		at = (at + 1) & mask;
	return &table->slots[at];
}

static int table_double(struct set_table *table, uint32_t base)
{
	struct set_table wider = *table;
	uint32_t i;

	wider.capacity *= 2;
	wider.slots = calloc(wider.capacity, sizeof(*wider.slots));
	if (!wider.slots)
		return -ENOMEM;
	for (i = 0; i < table->capacity; i++)
		if (table->slots[i].last > base)
			*probe(&wider, table->slots[i].set, base) = table->slots[i];
	free(table->slots);
	*table = wider;
	return 0;
}

struct set_slot *set_table_find(struct set_table *table, uint32_t set, uint32_t base)
{
	struct set_slot *slot;

	if (!table->hashed)
		return &table->slots[set];
	slot = probe(table, set, base);
	if (slot->last > base)
		return slot;
	if (table->used >= table->capacity / 2) {
		if (table_double(table, base))
			return NULL;
		slot = probe(table, set, base);
	}
	table->used++;
	slot->set = set;
	slot->last = 0;
	slot->count = 0;
	return slot;
}

uint32_t set_page_words(const struct rcd_context *context)
{
	return ((context->rcd->sets < PAGE_BITS ? context->rcd->sets : PAGE_BITS) + 63) / 64;
}

uint64_t *set_page(struct rcd_context *context, uint32_t page)
{
	if (!context->pages[page])
		context->pages[page] = calloc(set_page_words(context), sizeof(**context->pages));
	return context->pages[page];
}

int set_mark(struct rcd_context *context, uint32_t set)
{
	uint64_t *page = set_page(context, set / PAGE_BITS);
	uint64_t *word, bit = 1ull << (set % 64);

	if (!page)
		return -ENOMEM;
	word = &page[set % PAGE_BITS / 64];
	context->sets_used += !(*word & bit);
	*word |= bit;
	return 0;
}
