// SPDX-License-Identifier: GPL-2.0-only
/* Encodings: Intel SDM, volume 2. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/map.h"
#include "base/memory.h"
#include "gain/rerun.h"

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
#define CODE_MOST	(LINES_MOST * 10u)	/* bytes of one reference's */

enum { EAX, ECX, EDX, EBX };		/* results, 0 to add, waits, memory */

/* Twice the same chunks: the second are for code to be fetched by, with other data. */
struct rerun_memory {
	uint8_t *start;
	void *mapped;
	uint32_t filled;		/* chunks */
};

struct rerun {
	uint8_t *code, *at;
	size_t code_bytes;
	struct rerun_memory *memory;
	struct map chunks;		/* address >> CHUNK_BITS -> number + 1 */
	uint32_t chunk_count;
	bool wide;			/* has 32-byte accesses */
};

/* --- memory --- */

static bool place_chunk(struct rerun *rerun, uint64_t address)
{
	uint64_t *chunk = map_at(&rerun->chunks, address >> CHUNK_BITS);

	if (!*chunk)
		*chunk = ++rerun->chunk_count;
	return rerun->chunk_count <= CHUNKS_MOST;
}

static uint64_t offset_of(const struct rerun *rerun, uint64_t address)
{
	uint64_t chunk = map_get(&rerun->chunks, address >> CHUNK_BITS) - 1;

	return chunk << CHUNK_BITS | (address & (CHUNK - 1));
}

static bool place(struct rerun *rerun, const struct rerun_reference *references, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!place_chunk(rerun, references[i].address) ||
		    !place_chunk(rerun, references[i].address + references[i].bytes - 1))
			return false;
	return true;
}

/* One chunk more at the end of each: a reference may go over the last. */
#define MEMORY_BYTES	((CHUNKS_MOST + 1) * CHUNK)
#define MAPPED_BYTES	(2 * MEMORY_BYTES + CHUNK)

struct rerun_memory *rerun_memory_new(void)
{
	struct rerun_memory *memory = xcalloc(1, sizeof(*memory));
	uint64_t start;

	memory->mapped = mmap(NULL, MAPPED_BYTES, PROT_READ | PROT_WRITE,
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
		uint8_t *at = rerun->memory->start + offset_of(rerun, references[i].address);
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

/* [rbx + offset], or [rbx + index + offset] with a register of 8 to 15. */
static void put_place(struct rerun *rerun, unsigned int reg, int index, uint32_t offset)
{
	put(rerun, 0x80 | (reg & 7) << 3 | (index ? 4 : EBX));
	if (index)
		put(rerun, (index & 7) << 3 | EBX);
	memcpy(rerun->at, &offset, sizeof(offset));
	rerun->at += sizeof(offset);
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
		       unsigned int reg, int index, uint32_t offset)
{
	uint8_t rex = 0x40 | quad << 3 | (reg >= 8) << 2 | (index >= 8) << 1;

	if (opcode->prefix)
		put(rerun, opcode->prefix);
	if (rex != 0x40)
		put(rerun, rex);
	if (opcode->escape)
		put(rerun, opcode->escape);
	put(rerun, opcode->code);
	put_place(rerun, reg, index, offset);
}

/* vmovups ymm0 */
static void put_wide(struct rerun *rerun, bool store, uint32_t offset)
{
	put_all(rerun, "\xc5\xfc", 2);
	put(rerun, store ? 0x11 : 0x10);
	put_place(rerun, 0, 0, offset);
	rerun->wide = true;
}

static unsigned int log_of(uint32_t bytes, unsigned int most)
{
	unsigned int log = 0;

	while (log < most && 2u << log <= bytes)
		log++;
	return log;
}

static void put_part(struct rerun *rerun, const struct rerun_reference *reference, uint64_t offset,
		     uint32_t bytes)
{
	int index = reference->from ? 7 + reference->from : 0;
	unsigned int log = log_of(bytes, 4);

	if (bytes >= WIDE && !index && !reference->to && reference->kind != RERUN_LOAD_STORE &&
	    __builtin_cpu_supports("avx")) {
		put_wide(rerun, reference->kind == RERUN_STORE, offset);
		return;
	}
	if ((reference->to || reference->kind == RERUN_LOAD_STORE) && log > 3)
		log = 3;
	if (reference->kind == RERUN_LOAD_STORE)
		put_access(rerun, &adds[log], log == 3, ECX, index, offset);
	else if (reference->kind == RERUN_STORE)
		put_access(rerun, &stores[log], log == 3, EAX, index, offset);
	else
		put_access(rerun, &loads[log], log == 3, reference->to ? 7 + reference->to : EAX,
			   index, offset);
}

/* Each line that it touches. */
static void put_reference(struct rerun *rerun, const struct rerun_reference *reference)
{
	uint64_t offset = offset_of(rerun, reference->address), end = offset + reference->bytes;
	uint32_t lines = 0;

	if (reference->bytes <= LINE) {
		put_part(rerun, reference, offset, reference->bytes);
		return;
	}
	for (; offset < end && lines < LINES_MOST; lines++) {
		put_part(rerun, reference, offset, end - offset < WIDE ? end - offset : WIDE);
		offset = (offset / LINE + 1) * LINE;
	}
}

static void put_code(struct rerun *rerun, const struct rerun_reference *references, size_t count,
		     const struct rerun_mix *mix)
{
	/* push rbx, r12 to r15; mov rbx, rdi; xor eax, ecx, edx, r8d to r15d with themselves */
	static const char begin[] = "\x53\x41\x54\x41\x55\x41\x56\x41\x57\x48\x89\xfb\x31\xc0\x31"
		"\xc9\x31\xd2\x45\x31\xc0\x45\x31\xc9\x45\x31\xd2\x45\x31\xdb\x45\x31\xe4\x45\x31"
		"\xed\x45\x31\xf6\x45\x31\xff\x0f\x57\xc0";
	static const char end[] = "\x41\x5f\x41\x5e\x41\x5d\x41\x5c\x5b\xc3";
	double fillers = 0, waits = 0;

	put_all(rerun, begin, sizeof(begin) - 1);
	if (__builtin_cpu_supports("avx"))
		put_all(rerun, "\xc5\xf8\x77", 3);		/* vzeroupper: all of ymm0 is 0 */
	for (size_t i = 0; i < count; i++) {
		for (fillers += mix->fillers; fillers >= 1; fillers--)
			put(rerun, 0x90);
		for (waits += mix->waits; waits >= 1; waits--)
			put_all(rerun, "\x0f\xaf\xd2", 3);	/* imul edx, edx */
		put_reference(rerun, &references[i]);
	}
	if (rerun->wide)
		put_all(rerun, "\xc5\xf8\x77", 3);		/* vzeroupper */
	put_all(rerun, end, sizeof(end) - 1);
}

static bool open_code(struct rerun *rerun, const struct rerun_reference *references, size_t count,
		      const struct rerun_mix *mix)
{
	rerun->code_bytes = 2 * ENDS + count * (CODE_MOST + mix->fillers + 3 * mix->waits);
	rerun->code = mmap(NULL, rerun->code_bytes, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (rerun->code == MAP_FAILED) {
		rerun->code = NULL;
		return false;
	}
	rerun->at = rerun->code;
	put_code(rerun, references, count, mix);
	return !mprotect(rerun->code, rerun->code_bytes, PROT_READ | PROT_EXEC);
}

/* --- */

struct rerun *rerun_new(struct rerun_memory *memory, const struct rerun_reference *references,
			size_t count, const struct rerun_mix *mix)
{
	struct rerun *rerun = xcalloc(1, sizeof(*rerun));

	rerun->memory = memory;
	if (!place(rerun, references, count))
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
	if (rerun->code)
		munmap(rerun->code, rerun->code_bytes);
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

double rerun_cold(const struct rerun *rerun)
{
	evict();
	run(rerun, rerun->memory->start + MEMORY_BYTES);
	return run(rerun, rerun->memory->start);
}
