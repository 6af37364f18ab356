// SPDX-License-Identifier: GPL-2.0-only
/*
 * The memory that observed programs share with the recorder of bursts, as a hostile program may
 * leave it: headers, definitions and logs by recipe.h. Whatever is there: an end, and references
 * that have a size and a kind, the same ones where they were packed: a burst's, or those of a long
 * one's parts.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "bursts/log.h"
#include "bursts/pack.h"
#include "recipe.h"

#define BLOCKS_MOST	16
#define CLEARED		(17u << 10)	/* bytes: more than an input writes */

#define KEPT_MOST	100000u

static struct burst_references kept;

static bool take(void *context, const struct burst_reference *all, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		if (!all[i].size || !all[i].kind || all[i].kind > BURST_LOAD_STORE)
			abort();
		if (kept.count == KEPT_MOST)
			continue;
		kept.all = grow(kept.all, kept.count, &kept.room, sizeof(*kept.all));
		kept.all[kept.count++] = all[i];
	}
	return true;
}

static struct burst_packer *packers[2];	/* of bursts, of long ones */
static uint32_t next_part;		/* that goes on with what is kept; 0 = none does */

/* What is packed of it is the same. */
static void compare(struct burst_packer *packer)
{
	static struct burst_references got;
	const uint8_t *bytes;
	size_t size;

	bytes = burst_packer_end(packer, &size);
	if (kept.count == KEPT_MOST)
		return;
	if (burst_unpack(bytes, size, kept.count, false, &got) || got.count != kept.count ||
	    (got.count && memcmp(got.all, kept.all, got.count * sizeof(*got.all))))
		abort();
}

static void read_burst(struct burst_log *log, const struct burst *burst)
{
	struct burst_packer *packer = packers[burst->part > 0];
	size_t size;

	if (burst->part <= 1) {
		burst_packer_end(packer, &size);
		kept.count = 0;
	} else if (burst->part != next_part) {
		packer = NULL;
	}
	burst_log_read(log, burst, packer, take, NULL);
	next_part = packer && burst->part && burst->more && !log->why ? burst->part + 1 : 0;
	if (packer && !log->why && !next_part)
		compare(packer);
}

/* A repeated instruction stands for a million references, unless the words that it takes are close. */
static uint64_t most_word;

static void make_ref(struct recipe *recipe, struct burst_ref *ref)
{
	static const uint16_t sizes[] = { 0, 1, 2, 4, 8, 16, 64, UINT16_MAX };

	*ref = (struct burst_ref){
		.at = byte(recipe), .size = sizes[byte(recipe) & 7], .kind = byte(recipe) & 3,
		.form = byte(recipe) % (BURST_GATHER_VECTOR + 2), .slot = byte(recipe) & 15,
		.flags = byte(recipe) & 15, .count = byte(recipe), .scale = byte(recipe),
		.offset = word(recipe),
	};
	if (ref->form == BURST_STRING && byte(recipe) < 255)
		most_word = 0xff;
}

/* Return: their bytes. */
static uint32_t make_definitions(struct recipe *recipe, uint8_t *to)
{
	uint32_t blocks = byte(recipe) % BLOCKS_MOST, used = 0, i;

	for (; blocks; blocks--) {
		struct burst_block block = {
			.number = byte(recipe) & 7, .address = word(recipe),
			.bytes = byte(recipe), .instructions = byte(recipe), .counted = 5,
			.words = byte(recipe) & 31, .refs = byte(recipe) & 7,
		};

		block.size = sizeof(block) + block.refs * sizeof(struct burst_ref);
		if (byte(recipe) > 250)
			block.size = byte(recipe);
		memcpy(to + used, &block, sizeof(block));
		used += sizeof(block);
		for (i = 0; i < block.refs; i++, used += sizeof(struct burst_ref))
			make_ref(recipe, (struct burst_ref *)(to + used));
	}
	return used;
}

/* Numbers of blocks, and words between. Return: how many. */
static uint32_t make_log(struct recipe *recipe, uint64_t *words)
{
	uint32_t count = byte(recipe) * 8u, i;

	for (i = 0; i < count; i++)
		words[i] = byte(recipe) & 1 ? byte(recipe) & 7 : word(recipe) & most_word;
	return count;
}

static void make_burst(struct recipe *recipe, struct bursts_area *area, unsigned int i)
{
	struct burst *burst = bursts_slot(area, i);
	uint64_t *words = bursts_slot_log(burst);
	uint8_t *definitions = bursts_slot_definitions(burst);

	memset(words, 0, CLEARED);
	memset(definitions, 0, CLEARED);
	burst->pid = burst->tid = byte(recipe) & 3;
	burst->image = byte(recipe) & 1;
	burst->start = word(recipe);
	burst->definitions = make_definitions(recipe, definitions);
	burst->log_begin = 0;
	burst->log_end = make_log(recipe, words);
	burst->last_refs = byte(recipe) & 7;
	burst->more = byte(recipe) & 1;
	burst->part = burst->more ? byte(recipe) & 3 : 0;
	if (i && !burst->part && byte(recipe) & 1)
		burst->part = bursts_slot(area, i - 1)->part + 1;
	if (byte(recipe) > 240) {
		burst->log_begin = word(recipe);
		burst->log_end = word(recipe);
	}
	if (byte(recipe) > 240)
		burst->definitions = word(recipe);
	area->taken[i].state = BURST_READY;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct burst_log_options options = { 4096, 1000, 1000 };
	static struct burst_log log;
	struct recipe recipe = { data, data + size };
	struct burst burst;
	unsigned int i, bursts = 0;

	if (!log.area && burst_log_open(&log, &options))
		abort();
	for (i = 0; i < 2 && !packers[i]; i++)
		packers[i] = burst_packer_new(i);
	next_part = 0;
	most_word = UINT64_MAX;
	for (i = 0; i < 4 && recipe.at < recipe.end; i++)
		make_burst(&recipe, log.area, i);
	while (burst_log_next(&log, &burst)) {
		if (bursts++ == i)
			abort();
		read_burst(&log, &burst);
	}
	burst_log_forget(&log);
	log.references = 0;
	return 0;
}
