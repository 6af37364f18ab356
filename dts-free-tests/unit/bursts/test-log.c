// SPDX-License-Identifier: GPL-2.0-only
/*
 * The memory of bursts against a program that is hostile: it cannot be cut, nor cost without bounds.
 * And a log that ends in the middle of a block.
 */
#include <fcntl.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/array.h"
#include "base/memory.h"
#include "base/random.h"
#include "bursts/log.h"
#include "bursts/pack.h"
#include "format/format.h"
#include "tap.h"

#define REFS		8u
#define MOST		(20u << 20)	/* references of one burst: 16 Mi, and the last instruction's */
#define KEPT		(300ul << 20)	/* bytes of definitions: 256 MiB, and what malloc() adds */

static struct burst_log log_all;
static uint64_t given;

static bool count(void *context, const struct burst_reference *all, size_t count)
{
	given += count;
	return true;
}

/* Return: false if there is none. */
static bool read_next(burst_references_fn *take)
{
	struct burst burst;

	if (!burst_log_next(&log_all, &burst))
		return false;
	burst_log_read(&log_all, &burst, NULL, take, NULL);
	return true;
}

static struct burst *slot(void)
{
	return bursts_slot(log_all.area, 0);
}

static union burst_taken *taken(unsigned int i)
{
	return &log_all.area->taken[i];
}

static uint64_t *words(void)
{
	return bursts_slot_log(slot());
}

/* A block of these references. Return: what follows it. */
static uint8_t *define_each(uint8_t *at, uint32_t number, uint16_t words_used, uint16_t refs,
			    const struct burst_ref *ref)
{
	struct burst_block block = {
		.size = sizeof(block) + refs * sizeof(*ref), .number = number,
		.address = 0x1000, .words = words_used, .refs = refs, .instructions = 1,
		.counted = number & 1,
	};

	memcpy(at, &block, sizeof(block));
	memcpy(at + sizeof(block), ref, refs * sizeof(*ref));
	return at + block.size;
}

/* ... of @refs references of a form. */
static uint8_t *define(uint8_t *at, uint32_t number, uint16_t words_used, uint16_t refs,
		       const struct burst_ref *ref)
{
	static struct burst_ref all[1024];
	uint16_t i;

	for (i = 0; i < refs; i++)
		all[i] = *ref;
	return define_each(at, number, words_used, refs, all);
}

static uint8_t *definitions(void)
{
	return bursts_slot_definitions(slot());
}

static void set_burst(uint64_t image, const uint8_t *defined, uint32_t log_end)
{
	slot()->image = image;
	slot()->number = 1;
	slot()->definitions = defined - definitions();
	slot()->log_end = log_end;
	slot()->last_refs = REFS;
	taken(0)->state = BURST_READY;
	given = 0;
}

static bool read_burst(uint64_t image, const uint8_t *defined, uint32_t log_end)
{
	set_burst(image, defined, log_end);
	return read_next(count);
}

/* REP MOVSB of 2^40 bytes, eight times in each block, as often as the log has room. */
static void test_strings(void)
{
	const struct burst_ref string = { .size = 1, .kind = BURST_LOAD, .form = BURST_STRING };
	uint32_t i;

	for (i = 0; i + 3 <= BURSTS_LOG_WORDS; i += 3) {
		words()[i] = 1;
		words()[i + 1] = 0;
		words()[i + 2] = 1ull << 40;
	}
	ok(read_burst(1, define(definitions(), 1, 2, REFS, &string), i) && given &&
	   given <= MOST, "a burst that claims 2^43 references and more gives %u Mi at most",
	   (unsigned int)(given >> 20));
}

static struct burst_reference turn[8];

static bool keep_turns(void *context, const struct burst_reference *all, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (given++ < ARRAY_SIZE(turn))
			turn[given - 1] = all[i];
	return true;
}

/* REP MOVSQ downwards: each turn loads and stores. */
static void test_turns(void)
{
	const struct burst_ref both[] = {
		{ .at = 3, .size = 8, .kind = BURST_LOAD, .form = BURST_STRING },
		{ .at = 3, .size = 8, .kind = BURST_STORE, .form = BURST_STRING, .slot = 2 },
	};
	const uint64_t log[] = { 1, 0x2010, 0x1ff8, 0x5010, 0x4ff8 };
	uint8_t *end = define_each(definitions(), 1, 4, 2, both);
	uint64_t before;
	bool right = true;

	memcpy(words(), log, sizeof(log));
	set_burst(3, end, ARRAY_SIZE(log));
	right &= read_next(keep_turns) && given == 6;
	for (uint64_t i = 0; i < 3; i++)
		right &= turn[2 * i].address == 0x2010 - 8 * i && turn[2 * i].kind == BURST_LOAD &&
			 turn[2 * i + 1].address == 0x5010 - 8 * i &&
			 turn[2 * i + 1].kind == BURST_STORE;
	ok(right, "a copy's loads and stores come in turns");
	log_all.most = 4;
	right = read_burst(3, end, ARRAY_SIZE(log)) && given == 4;
	slot()->more = 1;
	right &= read_burst(3, end, ARRAY_SIZE(log)) && given == 6;
	slot()->more = 0;
	ok(right, "no more of them are read than were asked for, but of a long burst");
	for (uint32_t i = 0; i < 500; i++) {
		words()[3 * i] = 1;
		words()[3 * i + 1] = 0x1000;
		words()[3 * i + 2] = 0x2000;
	}
	log_all.most = 200000;
	end = define(definitions(), 1, 2, 1, &(struct burst_ref){
		.size = 1, .kind = BURST_LOAD, .form = BURST_STRING });
	before = log_all.instructions;
	right = read_burst(4, end, 1500) && given == 200000;
	log_all.most = MOST;
	ok(right && log_all.instructions - before == 49,
	   "as many instructions are counted as the references are of: 49, not 500");
}

/* Masked elements of 64 KiB: no processor has them, and their lines would be walked one by one. */
static void test_elements(void)
{
	struct burst_ref mask = {
		.size = 64, .kind = BURST_LOAD, .form = BURST_MASK, .count = 1,
	};

	words()[0] = 1;
	words()[1] = 0x10000;
	words()[2] = 1;
	ok(read_burst(1, define(definitions(), 1, 2, 1, &mask), 3) && !log_all.why,
	   "an element of 64 bytes is one");
	mask.size = 65535;
	read_burst(1, define(definitions(), 2, 2, 1, &mask), 3);
	ok(!!log_all.why, "... of 65,535 bytes is none");
}

static const struct burst_ref plain_ref = { .size = 8, .kind = BURST_LOAD };

/*
 * A gather of two elements with indices of 64 bits, of which two are written where the block has
 * room for eight: it has run although the log was full behind them.
 */
static void test_gather(void)
{
	const struct burst_ref gather = {
		.size = 8, .kind = BURST_LOAD, .form = BURST_GATHER, .flags = BURST_INDEX_64,
		.count = 2, .scale = 8,
	};

	words()[0] = 1;
	words()[1] = 0x10000;
	words()[2] = 3;
	words()[3] = 5;
	words()[4] = 7;
	ok(read_burst(1, define(definitions(), 1, 10, 1, &gather), 5) && !log_all.why && given == 2,
	   "a log that ends behind a gather's indices has what it read");
	ok(read_burst(1, define(definitions(), 1, 10, 1, &gather), 4) && !given,
	   "... and one that ends before has not");
}

/* A slot of a thread that ends has no burst: what its log says is nobody's. */
static void test_no_burst(void)
{
	const uint8_t *end = define(definitions(), 1, 1, 1, &plain_ref);

	words()[0] = 1;
	words()[1] = 0x10000;
	ok(read_burst(1, end, 2) && given == 1, "a log of one reference");
	slot()->number = 0;
	taken(0)->state = BURST_READY;
	given = 0;
	ok(read_next(count) && !given,
	   "... is not read where there was no burst");
}

/* Return: a process number that was one's and is nobody's. */
static pid_t gone(void)
{
	pid_t pid = fork();

	if (!pid)
		_exit(0);
	waitpid(pid, NULL, 0);
	return pid;
}

static void test_writers(void)
{
	union burst_taken *dead = taken(1), *alive = taken(2);

	taken(0)->pid = dead->pid = gone();
	read_burst(1, definitions(), 0);
	ok(!taken(0)->both, "a slot that was read is nobody's");
	alive->pid = getpid();
	dead->state = alive->state = BURST_WRITING;
	taken(0)->pid = dead->pid;
	taken(0)->state = BURST_READY;
	burst_log_reclaim(&log_all);
	ok(!dead->both, "one whose writer is gone is nobody's");
	ok(alive->state == BURST_WRITING, "one whose writer lives stays taken");
	ok(taken(0)->state == BURST_READY && read_next(count), "one that is ready is read all the same");
	alive->both = 0;
}

/* A burst of an image in the second slot, which refers once, by a block of that number. */
static struct burst *add_second(uint64_t image, uint64_t number, uint64_t start, uint64_t block)
{
	struct burst *second = bursts_slot(log_all.area, 1);

	*second = (struct burst){ .image = image, .number = number, .start = start, .log_end = 2,
				  .last_refs = 1 };
	memcpy(bursts_slot_log(second), (uint64_t[]){ block, 0x10000 }, 16);
	taken(1)->state = BURST_READY;
	return second;
}

/* Of two that are ready, one without definitions entered its handler first, and has come later. */
static void test_late(void)
{
	uint64_t bad = log_all.bad;

	add_second(7, 2, 10, 1);
	words()[0] = 1;
	words()[1] = 0x10000;
	slot()->start = 20;
	ok(read_burst(7, define(definitions(), 1, 1, 1, &plain_ref), 2) && !taken(0)->both,
	   "of an image the first burst by number is read first, wherever another began");
	ok(read_next(count) && !taken(1)->both && given == 2 && log_all.bad == bad,
	   "... and what it defines is known in the second");
	add_second(8, 2, 10, 1);
	read_burst(7, definitions(), 2);
	ok(!taken(1)->both && taken(0)->both, "of two images the one that began first");
	read_next(count);
	slot()->start = 0;
}

/* Blocks 1 to 20 of an image, of which the last runs. */
static const uint8_t *define_large(void)
{
	uint8_t *at = definitions();
	uint32_t number;

	for (number = 1; number <= 20; number++)
		at = define(at, number, 1, 1024, &plain_ref);
	words()[0] = 20;
	words()[1] = 0x10000;
	return at;
}

/* As many images as it takes for 600 MiB. */
static void test_definitions(void)
{
	const uint32_t each = sizeof(struct burst_block) + 1024 * sizeof(plain_ref);
	uint64_t image;
	size_t most = 0, used;

	for (image = 2; image < 2 + (600ull << 20) / (20 * each); image++) {
		if (!read_burst(image, define_large(), 2) || log_all.why)
			break;
		used = mallinfo2().uordblks + mallinfo2().hblkhd;
		most = used > most ? used : most;
	}
	ok(given == REFS && !log_all.why, "definitions of many images: each has its own");
	ok(most < KEPT, "... and they do not add up: %zu MiB", most >> 20);
}

/*
 * Each image defines as many blocks as the one before, and one of the first image runs. Return: the
 * next image
 */
static uint64_t read_until_forgotten(uint64_t image)
{
	uint32_t before = log_all.area->forgotten;

	for (; log_all.area->forgotten == before && image < 2000; image++) {
		words()[0] = 20;
		words()[1] = 0x10000;
		if (!read_burst(1, definitions(), 2) || log_all.why)
			break;
		read_burst(image, define_large(), 2);
	}
	return image;
}

/* A process that lives on, and whose blocks are translated, while many others come and go. */
static void test_living(void)
{
	uint32_t before;
	uint64_t image;

	burst_log_forget(&log_all);
	ok(read_burst(1, define_large(), 2) && !log_all.why, "a process defines its blocks");
	before = log_all.area->forgotten;
	image = read_until_forgotten(2);
	ok(log_all.area->forgotten == before + 1 && image > 150 && image < 2000,
	   "after many more, writers are told to define all again");
	image = read_until_forgotten(image);
	ok(log_all.area->forgotten == before + 2, "what they defined before is known until then");
	read_burst(1, definitions(), 2);
	ok(!!log_all.why, "then it is not");
	ok(read_burst(1, define_large(), 2) && !log_all.why, "... until it is defined again");
}

/* By themselves, and each time by another number of words: the newest definition counts. */
static void test_newest(void)
{
	uint32_t before = log_all.area->forgotten, wrong = 0, i;
	uint64_t image = 3000;

	for (i = 0; i < 200; i++) {
		uint16_t used = 1 + i % 2;

		words()[0] = 1;
		words()[1] = words()[2] = 0x10000;
		wrong += !read_burst(5, define(definitions(), 1, used, 1, &plain_ref), 1 + used) ||
			 log_all.why || given != 1;
		/* Read at once, without a definition. */
		wrong += !read_burst(5, definitions(), 1 + used) || log_all.why || given != 1;
		for (unsigned int n = 0; n < 5; n++)
			read_burst(image++, define_large(), 2);
	}
	ok(!wrong && log_all.area->forgotten > before + 2,
	   "the newest of two definitions counts, however many were forgotten: %u wrong", wrong);
}

/* What takes no memory does not make others' definitions go. */
static void test_again(void)
{
	uint32_t before = log_all.area->forgotten, i;

	for (i = 0; i < 1500; i++)
		read_burst(1, define_large(), 2);
	ok(log_all.area->forgotten == before, "blocks that are defined again and again are kept once");
	for (i = 0; i < 1500; i++) {
		const uint8_t *end = define_large();

		((struct burst_block *)definitions())->number = 0;
		read_burst(1, end, 2);
	}
	ok(log_all.area->forgotten == before && log_all.why, "... and what is not sound, never");
}

/*
 * Blocks that follow one another at random, some with numbers that are equal modulo what a reader
 * may keep by their low bits, of two images, and defined anew now and then. What a block refers to
 * says which it is.
 */
#define BLOCKS		24u
#define EACH		2000u		/* blocks that a burst runs */

static struct {
	uint32_t version, words, refs;
} known[2][BLOCKS];

static uint64_t order[EACH * 4];	/* addresses that should come */
static size_t ordered, came;
static uint64_t odd;			/* blocks that ran of those with odd numbers */
static bool in_order;

static bool compare(void *context, const struct burst_reference *all, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++, came++)
		in_order &= came < ordered && all[i].address == order[came];
	return true;
}

static uint32_t number_of(uint32_t block)
{
	return 1 + block % 6 + (block / 6 << 12);
}

static uint64_t offset_of(uint32_t image, uint32_t block, uint32_t ref)
{
	return ((uint64_t)known[image][block].version << 32) + (image << 16) + (block << 4) + ref;
}

/* All of them in an image's first burst, then few. */
static const uint8_t *define_some(uint32_t image, uint64_t *random, bool first)
{
	uint8_t *at = definitions();
	uint32_t block, i;

	for (block = 0; block < BLOCKS; block++) {
		struct burst_ref ref[3];

		if (!first && random_below(random, 16))
			continue;
		known[image][block].version++;
		known[image][block].words = random_below(random, 3);
		known[image][block].refs = random_below(random, 4);
		for (i = 0; i < known[image][block].refs; i++)
			ref[i] = (struct burst_ref){
				.size = 8, .kind = BURST_LOAD, .offset = offset_of(image, block, i),
				.form = known[image][block].words ? BURST_PLAIN : BURST_STATIC,
			};
		at = define_each(at, number_of(block), known[image][block].words,
				 known[image][block].refs, ref);
	}
	return at;
}

/* Mostly in a circle or again, so that what comes next is foretold, and often wrongly. */
static uint32_t next_block(uint32_t block, uint32_t blocks, uint64_t *random)
{
	static bool loop;

	if (!random_below(random, 32))
		loop = !loop;
	if (loop)
		return block;
	return random_below(random, 8) ? (block + 7) % blocks : random_below(random, blocks);
}

/* Return: words. */
static uint32_t run_some(uint32_t image, uint64_t *random)
{
	uint32_t block = 0, end = 0, ran, i;

	for (ran = 0, ordered = 0, odd = 0; ran < EACH; ran++) {
		uint64_t word = random_next(random) >> 8;

		block = next_block(block, BLOCKS, random);
		words()[end++] = number_of(block);
		odd += number_of(block) & 1;
		for (i = 0; i < known[image][block].words; i++)
			words()[end++] = word;
		for (i = 0; i < known[image][block].refs; i++)
			order[ordered++] = offset_of(image, block, i) +
					   (known[image][block].words ? word : 0);
	}
	words()[end++] = number_of(block);	/* the last one, which may lack what it refers to */
	odd += number_of(block) & 1;
	for (i = 0; i < 16; i++)		/* nobody's */
		words()[end + i] = number_of(block);
	return end;
}

static void test_order(void)
{
	uint64_t random = 7, instructions, counted;
	uint32_t round, image;
	bool right = true;

	for (round = 0; round < 60; round++) {
		image = round < 2 ? round : random_below(&random, 2);
		slot()->image = 1000 + image;
		slot()->number = 1;
		slot()->definitions = define_some(image, &random, round < 2) - definitions();
		slot()->log_end = run_some(image, &random);
		slot()->last_refs = 0;
		taken(0)->state = BURST_READY;
		came = 0;
		in_order = true;
		instructions = log_all.instructions;
		counted = log_all.counted;
		right &= read_next(compare) && !log_all.why &&
			 in_order && came == ordered && ordered > EACH / 2 &&
			 log_all.instructions - instructions == EACH + 1 &&
			 log_all.counted - counted == odd;
	}
	ok(right, "blocks of two images in any order, some defined anew: their references, seed 7");
	words()[0] = number_of(5) + 1;
	slot()->definitions = 0;
	slot()->log_end = 1;
	taken(0)->state = BURST_READY;
	ok(read_next(compare) && log_all.why,
	   "a block that was never defined is none of them");
	words()[0] = 0;
	taken(0)->state = BURST_READY;
	ok(read_next(compare) && log_all.why, "... nor is number 0");
}

/* --- packed --- */

#define FORMS		40u		/* blocks */

static struct burst_references kept;

static bool keep(void *context, const struct burst_reference *all, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		kept.all = grow(kept.all, kept.count, &kept.room, sizeof(*kept.all));
		kept.all[kept.count++] = all[i];
	}
	return true;
}

/* Repeated instructions at random are of 2^63 turns: a part has no more references than are read. */
static bool no_strings;

static struct burst_ref any_ref(uint64_t *random, unsigned int words)
{
	static const uint16_t sizes[] = { 1, 2, 4, 8 };
	struct burst_ref ref = {
		.at = random_below(random, 64), .kind = 1 + random_below(random, 3),
		.form = random_below(random, BURST_GATHER_VECTOR + 1),
		.size = sizes[random_below(random, 4)], .flags = random_below(random, 16),
		.count = 1 + random_below(random, 16), .scale = 1 << random_below(random, 4),
		.offset = random_next(random) >> random_below(random, 64),
	};

	if (random_below(random, 2))
		ref.form = random_below(random, 2);
	if (no_strings && ref.form == BURST_STRING)
		ref.form = BURST_BIT;
	ref.slot = random_below(random, words - basic_block_ref_words(&ref) + 1);
	return ref;
}

/* Of all forms, with few words and with many. Return: words of each. */
static const uint8_t *define_forms(uint64_t *random, uint32_t *words_of)
{
	uint8_t *at = definitions();

	for (uint32_t block = 0; block < FORMS; block++) {
		struct burst_ref ref[6];
		uint16_t refs = random_below(random, ARRAY_SIZE(ref) + 1), i;

		words_of[block] = 21 + random_below(random, 44);
		for (i = 0; i < refs; i++)
			ref[i] = any_ref(random, words_of[block]);
		if (random_below(random, 2)) {	/* as most are */
			words_of[block] = random_below(random, 4);
			for (i = 0; i < refs; i++) {
				ref[i].form = words_of[block] ? BURST_PLAIN : BURST_STATIC;
				ref[i].slot = words_of[block] ? i % words_of[block] : 0;
			}
		}
		at = define_each(at, block + 1, words_of[block], refs, ref);
	}
	return at;
}

/*
 * Words go on as before, mostly, for longer the less @often they do not. Return: how many are in
 * the log, which ends anywhere.
 */
static uint32_t run_forms(uint64_t *random, const uint32_t *words_of, uint32_t often)
{
	static uint64_t last[FORMS][128], step[FORMS][128];
	uint32_t block = 0, end = 0, ran, i;

	for (ran = 0; ran < 1000; ran++) {
		block = next_block(block, FORMS, random);
		words()[end++] = block + 1;
		for (i = 0; i < words_of[block]; i++) {
			if (!random_below(random, often))
				step[block][i] = random_next(random) >> random_below(random, 64);
			if (!random_below(random, 4 * often))
				last[block][i] = random_next(random);
			words()[end++] = last[block][i] += step[block][i];
		}
	}
	return random_below(random, 2) ? end : end - random_below(random, 30);
}

/* What is packed of a log is what is read of it, as far as it is asked for. */
static void test_packed(void)
{
	struct burst_packer *packer = burst_packer_new(false);
	struct burst_references got = { .all = NULL };
	uint32_t words_of[FORMS], same = 0, tried = 0;
	uint64_t random = 11, image;
	struct burst burst;

	for (image = 5000; image < 5200; image++) {
		const uint8_t *end = define_forms(&random, words_of), *bytes;
		uint64_t most = random_below(&random, 2) ? 1u << 20 : random_below(&random, 4000);
		size_t size;

		set_burst(image, end, run_forms(&random, words_of, 8 << random_below(&random, 5)));
		slot()->fs_base = random_next(&random);
		slot()->gs_base = random_next(&random) >> 40;
		slot()->last_refs = random_below(&random, 7);
		kept.count = 0;
		if (!burst_log_next(&log_all, &burst))
			break;
		log_all.most = most;
		burst_log_read(&log_all, &burst, packer, keep, NULL);
		bytes = burst_packer_end(packer, &size);
		if (log_all.why)
			continue;
		tried++;
		same += !burst_unpack(bytes, size, kept.count, false, &got) && got.count == kept.count &&
			!memcmp(got.all, kept.all, kept.count * sizeof(*got.all));
	}
	log_all.most = MOST;
	ok(same == tried && tried > 100,
	   "%u of %u logs of blocks of all forms are read and unpacked alike, seed 11", same, tried);
	burst_packer_free(packer);
	free(got.all);
}

/* Parts of a long burst; @end: of the definitions, in the first. Return: is any not sound? */
static bool read_parts(struct burst_packer *packer, uint64_t image, const uint8_t *end,
		       const uint32_t *words_of, uint64_t *random)
{
	uint64_t fs_base = random_next(random), gs_base = random_next(random) >> 40;
	uint32_t parts = 1 + random_below(random, 5), part;
	struct burst burst;

	for (part = 1; part <= parts; part++) {
		set_burst(image, part == 1 ? end : definitions(),
			  run_forms(random, words_of, 8 << random_below(random, 5)));
		slot()->part = part;
		slot()->more = part < parts;
		slot()->fs_base = fs_base;
		slot()->gs_base = gs_base;
		slot()->last_refs = random_below(random, 7);
		burst_log_next(&log_all, &burst);
		burst_log_read(&log_all, &burst, packer, keep, NULL);
		if (log_all.why)
			break;
	}
	slot()->part = slot()->more = 0;
	return part <= parts;
}

/* What is packed of several logs, each of which ends anywhere, is what is read of them. */
static void test_packed_parts(void)
{
	struct burst_packer *packer = burst_packer_new(true);
	struct burst_references got = { .all = NULL };
	uint32_t words_of[FORMS], same = 0, tried = 0;
	uint64_t random = 67, image;

	no_strings = true;
	for (image = 5200; image < 5500; image++) {
		const uint8_t *end = define_forms(&random, words_of), *bytes;
		bool wrong;
		size_t size;

		kept.count = 0;
		wrong = read_parts(packer, image, end, words_of, &random);
		bytes = burst_packer_end(packer, &size);
		if (wrong)
			continue;
		tried++;
		same += !burst_unpack(bytes, size, kept.count, false, &got) &&
			got.count == kept.count &&
			!memcmp(got.all, kept.all, kept.count * sizeof(*got.all));
	}
	ok(same == tried && tried > 100,
	   "%u of %u long bursts of parts of all forms are read and unpacked alike, seed 67", same,
	   tried);
	burst_packer_free(packer);
	free(got.all);
}

/* A block that is defined anew while a long burst goes on would be another in its parts. */
static void test_freed(void)
{
	const struct burst_ref plain = { .size = 8, .kind = BURST_LOAD };
	struct burst_packer *packer = burst_packer_new(true);
	struct burst burst;
	size_t size;

	for (uint32_t part = 1; part <= 2; part++) {
		words()[0] = 1;
		words()[1] = 0x1000;
		set_burst(5600, define(definitions(), 1, 1, 1, &plain), 2);
		slot()->part = part;
		slot()->more = 1;
		burst_log_next(&log_all, &burst);
		burst_log_read(&log_all, &burst, packer, count, NULL);
		ok(part == 1 ? !log_all.why : log_all.why && !given,
		   part == 1 ? "a part" : "... whose block is defined again in the next: none of it");
	}
	slot()->part = slot()->more = 0;
	burst_packer_end(packer, &size);
	burst_packer_free(packer);
}

/* Blocks of 1,024 references that are masked out: their definitions are all that is packed. */
static void test_packed_most(void)
{
	const struct burst_ref mask = { .size = 8, .kind = BURST_LOAD, .form = BURST_MASK, .count = 1 };
	struct burst_packer *packer = burst_packer_new(false);
	uint32_t blocks = 0, end = 0;
	struct burst burst;
	size_t size;

	for (uint32_t i = 0; i < 150; i++) {
		uint8_t *at = definitions();

		for (uint32_t n = 0; n < 20; n++)
			at = define(at, ++blocks, 2, 1024, &mask);
		read_burst(6000, at, 0);
	}
	for (uint32_t i = 0; i < blocks; i++, end += 3) {
		words()[end] = i + 1;
		words()[end + 1] = words()[end + 2] = 0;
	}
	set_burst(6000, definitions(), end);
	if (ok(burst_log_next(&log_all, &burst), "a burst of %u large blocks", blocks))
		burst_log_read(&log_all, &burst, packer, NULL, NULL);
	burst_packer_end(packer, &size);
	ok(!log_all.why && size > CCS_BURST_MAX && size < CCS_BURST_MAX + (1 << 20),
	   "... is packed up to what a recording takes: %zu KiB", size >> 10);
	burst_packer_free(packer);
}

int main(void)
{
	const struct burst_log_options options = { 4096, 1000, 1000 };
	int fd;

	if (!ok(!burst_log_open(&log_all, &options), "the memory is made"))
		return done();
	fd = open(log_all.path, O_RDWR | O_CLOEXEC);
	ok(fd >= 0 && ftruncate(fd, 0) && ftruncate(fd, 2ull * BURSTS_FILE),
	   "a process that has it open cannot make it shorter, nor longer");
	close(fd);
	test_strings();
	test_turns();
	test_elements();
	test_gather();
	test_no_burst();
	test_late();
	test_writers();
	test_definitions();
	test_living();
	test_newest();
	test_again();
	test_order();
	test_packed();
	test_packed_parts();
	test_freed();
	test_packed_most();
	burst_log_close(&log_all);
	free(kept.all);
	return done();
}
