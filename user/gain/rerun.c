// SPDX-License-Identifier: GPL-2.0-only
/* Encodings: Intel SDM, volume 2. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/map.h"
#include "base/memory.h"
#include "gain/affine.h"
#include "gain/rerun.h"
#include "gain/rounds.h"

#define CHUNK_BITS	21		/* what an address keeps: sets of L2 and of TLBs, too */
#define CHUNK		(1ull << CHUNK_BITS)
#define CHUNKS_MOST	1000u		/* so that 32 bits reach all of them, twice */
#define FILLED_MOST	64u		/* that have all of their pages */
#define PAGE		4096u
#define LINE		64u
#define LINES_MOST	8u		/* of one reference */
#define WIDE		32u		/* bytes of the largest access */
#define EVICTED		(8u << 20)	/* bytes, where the size of L2 is not known */
#define ENDS		128u		/* bytes before and after the references' code */
#define DELAY_BYTES	(3u + 4u * 85u + 6u)	/* of 255 cycles */
#define CODE_MOST	(LINES_MOST * 11u + DELAY_BYTES)	/* of a reference, and of loops */
#define TABLE_MOST	16u		/* ... and of its part of a table */
#define TABLE_END	0x80000000u	/* no offset, signed */
#define LONG_LOOP	32u	/* rounds by constant steps: prefetching knows them by then */
#define WAIT		3		/* cycles of a 32-bit multiplication */

/* results, 0 to add, waits, memory; memory in loops; what delays; R8 and on: slots */
enum { EAX, ECX, EDX, EBX, EBP = 5, ESI, EDI, R8, R14 = 14 };

static const uint8_t loop_bases[AFFINE_STEPS] = { ESI, EDI, EBP };

/* Twice the same chunks: the second are for code to be fetched by, with other data. */
struct rerun_memory {
	uint8_t *start;
	void *mapped;
	uint32_t open, filled;		/* chunks that may be used; that have all of their pages */
};

struct rerun {
	void *mapped;
	size_t mapped_bytes;
	uint8_t *code, *at;	/* begins at a chunk: predictors go by instructions' addresses */
	uint32_t *table;		/* where the next one begins */
	struct rerun_memory *memory;
	struct map chunks;		/* address >> CHUNK_BITS -> number + 1 */
	uint32_t chunk_count;
	uint64_t *offsets;		/* of references, in the memory */
	bool wide;			/* has 32-byte accesses */
};

/* --- memory --- */

static int by_address(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* One number after the other in the order of their addresses: neighbours stay neighbours. */
static bool number_chunks(struct rerun *rerun)
{
	struct map *map = &rerun->chunks;
	uint64_t *chunks = xcalloc(map->count + 1, sizeof(*chunks));

	for (size_t i = 0; map->entries && i <= map->mask; i++)
		if (map->entries[i].value)
			chunks[rerun->chunk_count++] = map->entries[i].key;
	qsort(chunks, rerun->chunk_count, sizeof(*chunks), by_address);
	for (uint32_t i = 0; i < rerun->chunk_count; i++)
		*map_at(map, chunks[i]) = i + 1;
	free(chunks);
	return rerun->chunk_count <= CHUNKS_MOST;
}

static uint64_t offset_of(const struct rerun *rerun, uint64_t address)
{
	uint64_t chunk = map_get(&rerun->chunks, address >> CHUNK_BITS) - 1;

	return chunk << CHUNK_BITS | (address & (CHUNK - 1));
}

/* Finds memory for the references. Return: false where they are too far apart. */
static bool place(struct rerun *rerun, const struct rerun_reference *references, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		uint64_t last = references[i].address + references[i].bytes - 1;

		*map_at(&rerun->chunks, references[i].address >> CHUNK_BITS) = 1;
		*map_at(&rerun->chunks, last >> CHUNK_BITS) = 1;
	}
	if (!number_chunks(rerun))
		return false;
	rerun->offsets = xcalloc(count + 1, sizeof(*rerun->offsets));
	for (size_t i = 0; i < count; i++)
		rerun->offsets[i] = offset_of(rerun, references[i].address);
	return true;
}

/* One chunk more at the end of each: a reference may go over the last. */
#define MEMORY_BYTES	((CHUNKS_MOST + 1) * CHUNK)
#define MAPPED_BYTES	(2 * MEMORY_BYTES + CHUNK)

struct rerun_memory *rerun_memory_new(void)
{
	struct rerun_memory *memory = xcalloc(1, sizeof(*memory));
	uint64_t start;

	memory->mapped = mmap(NULL, MAPPED_BYTES, PROT_NONE,
			      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (memory->mapped == MAP_FAILED) {
		free(memory);
		return NULL;
	}
	madvise(memory->mapped, MAPPED_BYTES, MADV_NOHUGEPAGE);
	start = ((uint64_t)memory->mapped + CHUNK - 1) & ~(CHUNK - 1);
	memory->start = (uint8_t *)start;
	return memory;
}

void rerun_memory_free(struct rerun_memory *memory)
{
	if (!memory)
		return;
	munmap(memory->mapped, MAPPED_BYTES);
	free(memory);
}

/* What is not used must not count against a limit of memory. */
static bool open_chunks(struct rerun_memory *memory, uint32_t count)
{
	uint64_t bytes = (count + 1) * CHUNK;

	if (count < memory->open)
		return true;
	if (mprotect(memory->start, bytes, PROT_READ | PROT_WRITE) ||
	    mprotect(memory->start + MEMORY_BYTES, bytes, PROT_READ | PROT_WRITE))
		return false;
	memory->open = count + 1;
	return true;
}

static void touch(uint8_t *at)
{
	*(volatile uint8_t *)at = 0;
}

/*
 * A program mostly writes a block from its beginning to its end, so that the kernel gives its pages
 * one after the other: pages of a column that are taken alone would lie closer together, and meet
 * in other sets of L2.
 */
static void fill_chunks(struct rerun_memory *memory, uint32_t count)
{
	for (; memory->filled < count && memory->filled < FILLED_MOST; memory->filled++)
		for (uint64_t at = 0; at < CHUNK; at += PAGE)
			touch(memory->start + memory->filled * CHUNK + at);
}

/* Pages that were never written would share one. */
static void touch_all(const struct rerun *rerun, const struct rerun_reference *references,
		      size_t count)
{
	for (size_t i = 0; i < count; i++) {
		uint8_t *at = rerun->memory->start + rerun->offsets[i];
		uint32_t last = references[i].bytes - 1;

		touch(at);
		touch(at + last);
		touch(at + MEMORY_BYTES);
		touch(at + MEMORY_BYTES + last);
	}
}

/* --- code --- */

static void put(struct rerun *rerun, uint8_t byte)
{
	*rerun->at++ = byte;
}

static void put_all(struct rerun *rerun, const char *bytes, size_t count)
{
	memcpy(rerun->at, bytes, count);
	rerun->at += count;
}

static void put_number(struct rerun *rerun, uint32_t number)
{
	memcpy(rerun->at, &number, sizeof(number));
	rerun->at += sizeof(number);
}

/* Memory: [base + index + offset], the index a register of 8 to 15, or 0 = none. */
struct where {
	uint8_t base, index;
	uint32_t offset;
};

static void put_where(struct rerun *rerun, unsigned int reg, const struct where *where)
{
	put(rerun, 0x80 | (reg & 7) << 3 | (where->index ? 4 : where->base));
	if (where->index)
		put(rerun, (where->index & 7) << 3 | where->base);
	put_number(rerun, where->offset);
}

struct opcode {
	uint8_t prefix, escape, code;	/* 0 = none */
};

/* By the logarithm of bytes: 1, 2, 4, 8; then 16 as a vector. */
static const struct opcode loads[] = {
	{ 0, 0x0f, 0xb6 }, { 0, 0x0f, 0xb7 }, { 0, 0, 0x8b }, { 0, 0, 0x8b }, { 0, 0x0f, 0x10 },
};
static const struct opcode stores[] = {
	{ 0, 0, 0x88 }, { 0x66, 0, 0x89 }, { 0, 0, 0x89 }, { 0, 0, 0x89 }, { 0, 0x0f, 0x11 },
};
static const struct opcode adds[] = {
	{ 0, 0, 0x00 }, { 0x66, 0, 0x01 }, { 0, 0, 0x01 }, { 0, 0, 0x01 },
};

static void put_access(struct rerun *rerun, const struct opcode *opcode, bool quad,
		       unsigned int reg, const struct where *where)
{
	uint8_t rex = 0x40 | quad << 3 | (reg >= 8) << 2 | (where->index >= 8) << 1;

	if (opcode->prefix)
		put(rerun, opcode->prefix);
	if (rex != 0x40)
		put(rerun, rex);
	if (opcode->escape)
		put(rerun, opcode->escape);
	put(rerun, opcode->code);
	put_where(rerun, reg, where);
}

/* vmovups ymm0 */
static void put_wide(struct rerun *rerun, bool store, const struct where *where)
{
	put_all(rerun, "\xc5\xfc", 2);
	put(rerun, store ? 0x11 : 0x10);
	put_where(rerun, 0, where);
	rerun->wide = true;
}

static unsigned int log_of(uint32_t bytes, unsigned int most)
{
	unsigned int log = 0;

	while (log < most && 2u << log <= bytes)
		log++;
	return log;
}

static void put_part(struct rerun *rerun, const struct rerun_reference *reference,
		     const struct where *where, uint32_t bytes)
{
	unsigned int log = log_of(bytes, 4);

	if (bytes >= WIDE && !where->index && !reference->to &&
	    reference->kind != RERUN_LOAD_STORE &&
	    __builtin_cpu_supports("avx")) {
		put_wide(rerun, reference->kind == RERUN_STORE, where);
		return;
	}
	if ((reference->to || reference->kind == RERUN_LOAD_STORE) && log > 3)
		log = 3;
	if (reference->kind == RERUN_LOAD_STORE)
		put_access(rerun, &adds[log], log == 3, ECX, where);
	else if (reference->kind == RERUN_STORE)
		put_access(rerun, &stores[log], log == 3, EAX, where);
	else
		put_access(rerun, &loads[log], log == 3,
			   reference->to ? R8 + reference->to - 1 : EAX, where);
}

/* Each line that it touches. */
static void put_reference(struct rerun *rerun, const struct rerun_reference *reference,
			  const struct where *first)
{
	struct where where = *first;
	uint32_t left = reference->bytes, step;

	if (left <= LINE) {
		put_part(rerun, reference, &where, left);
		return;
	}
	for (uint32_t lines = 0; lines < LINES_MOST; lines++) {
		put_part(rerun, reference, &where, left < WIDE ? left : WIDE);
		step = LINE - where.offset % LINE;
		if (step >= left)
			break;
		where.offset += step;
		left -= step;
	}
}

/* What is due of the instructions between references. */
struct due {
	double fillers, cycles;
	uint8_t from, delay;		/* what the register of delays has; from 0 = nothing */
};

static void put_between(struct rerun *rerun, const struct rerun_mix *mix, struct due *due)
{
	for (due->fillers += mix->fillers; due->fillers >= 1; due->fillers--)
		put(rerun, 0x90);
	for (due->cycles += mix->cycles; due->cycles >= WAIT; due->cycles -= WAIT)
		put_all(rerun, "\x0f\xaf\xd2", 3);	/* imul edx, edx */
}

/* A register that gets what a slot has, so much later: still a zero. */
static void put_delay(struct rerun *rerun, const struct rerun_reference *reference, struct due *due)
{
	uint8_t cycles = reference->delay;

	if (due->from == reference->from && due->delay == cycles)
		return;
	due->from = reference->from;
	due->delay = cycles;
	put_all(rerun, "\x45\x89", 2);				/* mov r14d, slot */
	put(rerun, 0xc6 | (R8 + reference->from - 1 - 8) << 3);
	for (; cycles >= WAIT; cycles -= WAIT, due->fillers--)
		put_all(rerun, "\x45\x0f\xaf\xf6", 4);		/* imul r14d, r14d */
	for (; cycles; cycles--, due->fillers--)
		put_all(rerun, "\x45\x01\xf6", 3);		/* add r14d, r14d: a cycle */
}

static void put_one(struct rerun *rerun, const struct rerun_mix *mix, struct due *due,
		    const struct rerun_reference *reference, uint32_t offset, uint8_t base)
{
	bool delayed = reference->from && reference->delay;
	uint8_t slot = reference->from ? R8 + reference->from - 1 : 0;

	put_between(rerun, mix, due);
	if (delayed)
		put_delay(rerun, reference, due);
	put_reference(rerun, reference, &(struct where){ base, delayed ? R14 : slot, offset });
	if (reference->to == due->from)
		due->from = 0;
}

/* The next round would lose what is left. */
static void put_rest(struct rerun *rerun, struct due *due)
{
	for (; due->cycles >= 0.5; due->cycles--)
		put_all(rerun, "\xd1\xc2", 2);		/* rol edx, 1: a cycle */
}

static void put_jump_back(struct rerun *rerun, const uint8_t *begin)
{
	put_all(rerun, "\x0f\x85", 2);				/* jne begin */
	put_number(rerun, begin - (rerun->at + 4));
}

/*
 * One round is the program's: were it unrolled, prefetching by instruction would see other steps.
 * Return: references of it.
 */
static size_t put_loop(struct rerun *rerun, const struct rerun_reference *references,
		       const uint64_t *offsets, const struct affine *affine,
		       const struct rerun_mix *mix)
{
	struct due due = { .fillers = 0.5 - affine->steps - 2 };
	uint8_t *begin;

	for (size_t i = 0; i < affine->steps; i++) {
		put_all(rerun, "\x48\x89", 2);			/* mov base, rbx */
		put(rerun, 0xc0 | EBX << 3 | loop_bases[i]);
	}
	put_all(rerun, "\x41\xbf", 2);				/* mov r15d, times */
	put_number(rerun, affine->rounds);
	begin = rerun->at;
	for (size_t i = 0; i < affine->period; i++)
		put_one(rerun, mix, &due, &references[i], offsets[i],
			loop_bases[affine->which[i]]);
	put_rest(rerun, &due);
	for (size_t i = 0; i < affine->steps; i++) {
		put_all(rerun, "\x48\x81", 2);			/* add base, step */
		put(rerun, 0xc0 | loop_bases[i]);
		put_number(rerun, affine->step[i]);
	}
	put_all(rerun, "\x41\xff\xcf", 3);			/* dec r15d */
	put_jump_back(rerun, begin);
	return affine->rounds * affine->period;
}

/* Where the references of each group are in each round. Offsets keep their place in a line. */
static void fill_table(struct rerun *rerun, const uint64_t *offsets, const struct rounds *rounds)
{
	for (size_t round = 0; round < rounds->rounds; round++)
		for (size_t i = 0; i < rounds->groups; i++) {
			uint8_t leader = rounds->leader[i];

			*rerun->table++ = offsets[round * rounds->period + leader] -
					  offsets[leader] % LINE;
		}
	*rerun->table++ = TABLE_END;
}

/* A loop as the program's, but that it reads where to go from a table. Return: references of it. */
static size_t put_rounds(struct rerun *rerun, const struct rerun_reference *references,
			 const uint64_t *offsets, const struct rounds *rounds,
			 const struct rerun_mix *mix)
{
	struct due due = { .fillers = 0.5 - 2.0 * rounds->groups - 2 };
	uint8_t *begin;

	put_all(rerun, "\x4c\x8d\x3d", 3);			/* lea r15, [rip + table] */
	put_number(rerun, (uint8_t *)rerun->table - (rerun->at + 4));
	fill_table(rerun, offsets, rounds);
	begin = rerun->at;
	for (size_t i = 0; i < rounds->groups; i++) {
		put_all(rerun, "\x49\x63", 2);			/* movsxd base, [r15 + 4 i] */
		put(rerun, 0x47 | loop_bases[i] << 3);
		put(rerun, i * sizeof(*rerun->table));
		put_all(rerun, "\x48\x01", 2);			/* add base, rbx */
		put(rerun, 0xc0 | EBX << 3 | loop_bases[i]);
	}
	for (size_t i = 0; i < rounds->period; i++) {
		uint64_t leader = offsets[rounds->leader[rounds->which[i]]];

		put_one(rerun, mix, &due, &references[i],
			offsets[i] - (leader - leader % LINE), loop_bases[rounds->which[i]]);
	}
	put_rest(rerun, &due);
	put_all(rerun, "\x49\x83\xc7", 3);			/* add r15, 4 groups */
	put(rerun, rounds->groups * sizeof(*rerun->table));
	put_all(rerun, "\x41\x81\x3f", 3);			/* cmp dword [r15], end */
	put_number(rerun, TABLE_END);
	put_jump_back(rerun, begin);
	return rounds->rounds * rounds->period;
}

/* Rounds up to where a loop by constant steps begins, which is better run as that. */
static void cut(struct rounds *rounds, const struct rerun_reference *references,
		const uint64_t *offsets, size_t count)
{
	struct affine affine;

	for (size_t round = 1; round < rounds->rounds && round <= LONG_LOOP; round++) {
		size_t at = round * rounds->period;

		if (affine_find(references + at, offsets + at, count - at, &affine) &&
		    affine.rounds >= LONG_LOOP)
			rounds->rounds = round;
	}
}

/* Return: references of a loop, 0 = they are none. */
static size_t put_some(struct rerun *rerun, const struct rerun_reference *references,
		       const uint64_t *offsets, size_t count, const struct rerun_mix *mix)
{
	struct affine affine;
	struct rounds rounds;
	bool constant = affine_find(references, offsets, count, &affine);

	if (constant && affine.rounds >= LONG_LOOP)
		return put_loop(rerun, references, offsets, &affine, mix);
	if (!rounds_find(references, offsets, count, &rounds))
		return constant ? put_loop(rerun, references, offsets, &affine, mix) : 0;
	cut(&rounds, references, offsets, count);
	if (constant && rounds.rounds * rounds.period <= affine.rounds * affine.period)
		return put_loop(rerun, references, offsets, &affine, mix);
	return put_rounds(rerun, references, offsets, &rounds, mix);
}

static void put_code(struct rerun *rerun, const struct rerun_reference *references, size_t count,
		     const struct rerun_mix *mix)
{
	/* push rbx, rbp, r12 to r15; mov rbx, rdi; xor eax, ecx, edx, r8d to r15d, xmm0 */
	static const char begin[] = "\x53\x55\x41\x54\x41\x55\x41\x56\x41\x57\x48\x89\xfb\x31\xc0"
		"\x31\xc9\x31\xd2\x45\x31\xc0\x45\x31\xc9\x45\x31\xd2\x45\x31\xdb\x45\x31\xe4"
		"\x45\x31\xed\x45\x31\xf6\x45\x31\xff\x0f\x57\xc0";
	static const char end[] = "\x41\x5f\x41\x5e\x41\x5d\x41\x5c\x5d\x5b\xc3";
	struct due due = { .fillers = 0 };
	size_t i = 0;

	put_all(rerun, begin, sizeof(begin) - 1);
	if (__builtin_cpu_supports("avx"))
		put_all(rerun, "\xc5\xf8\x77", 3);		/* vzeroupper: all of ymm0 is 0 */
	while (i < count) {
		size_t some = put_some(rerun, &references[i], &rerun->offsets[i], count - i, mix);

		if (some) {
			due.from = 0;
			i += some;
			continue;
		}
		put_one(rerun, mix, &due, &references[i], rerun->offsets[i], EBX);
		i++;
	}
	if (rerun->wide)
		put_all(rerun, "\xc5\xf8\x77", 3);		/* vzeroupper */
	put_all(rerun, end, sizeof(end) - 1);
}

static bool open_code(struct rerun *rerun, const struct rerun_reference *references, size_t count,
		      const struct rerun_mix *mix)
{
	size_t code = 2 * ENDS + count * (size_t)(CODE_MOST + mix->fillers + mix->cycles);

	code = (code + PAGE - 1) & ~(size_t)(PAGE - 1);
	rerun->mapped_bytes = CHUNK + code + count * TABLE_MOST;
	rerun->mapped = mmap(NULL, rerun->mapped_bytes, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (rerun->mapped == MAP_FAILED) {
		rerun->mapped = NULL;
		return false;
	}
	rerun->code = (uint8_t *)(((uint64_t)rerun->mapped + CHUNK - 1) & ~(CHUNK - 1));
	rerun->at = rerun->code;
	rerun->table = (uint32_t *)(rerun->code + code);
	put_code(rerun, references, count, mix);
	return !mprotect(rerun->mapped, rerun->mapped_bytes, PROT_READ | PROT_EXEC);
}

/* --- */

struct rerun *rerun_new(struct rerun_memory *memory, const struct rerun_reference *references,
			size_t count, const struct rerun_mix *mix)
{
	struct rerun *rerun = xcalloc(1, sizeof(*rerun));

	rerun->memory = memory;
	if (!place(rerun, references, count) || !open_chunks(memory, rerun->chunk_count))
		goto fail;
	fill_chunks(memory, rerun->chunk_count);
	touch_all(rerun, references, count);
	if (!open_code(rerun, references, count, mix))
		goto fail;
	return rerun;
fail:
	rerun_free(rerun);
	return NULL;
}

void rerun_free(struct rerun *rerun)
{
	if (!rerun)
		return;
	if (rerun->mapped)
		munmap(rerun->mapped, rerun->mapped_bytes);
	free(rerun->offsets);
	map_free(&rerun->chunks);
	free(rerun);
}

static double run(const struct rerun *rerun, uint8_t *memory)
{
	void (*code)(void *memory) = (void (*)(void *))rerun->code;
	uint64_t begin = now_ns();

	code(memory);
	return now_ns() - begin;
}

double rerun_once(const struct rerun *rerun)
{
	return run(rerun, rerun->memory->start);
}

/* Other data takes the place of all that the nearer caches hold. */
static void evict(void)
{
	static volatile uint64_t *other;
	static size_t words;
	long l2 = sysconf(_SC_LEVEL2_CACHE_SIZE);

	if (!other) {
		words = (l2 > 0 ? 2 * l2 : EVICTED) / sizeof(*other);
		other = xcalloc(words, sizeof(*other));
		for (size_t i = 0; i < words; i += LINE / sizeof(*other))
			other[i] = 0;
	}
	for (size_t i = 0; i < words; i += LINE / sizeof(*other))
		(void)other[i];
}

double rerun_cold(const struct rerun *rerun, const uint64_t *near, size_t count)
{
	run(rerun, rerun->memory->start + MEMORY_BYTES);
	evict();
	for (size_t i = 0; i < count; i++)
		if (map_get(&rerun->chunks, near[i] >> CHUNK_BITS))
			(void)*(volatile uint8_t *)&rerun->memory->start[offset_of(rerun, near[i])];
	return run(rerun, rerun->memory->start);
}
