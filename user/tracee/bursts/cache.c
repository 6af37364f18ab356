// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory of the code cache:
 *
 *	variables	1 page
 *	trap		1 page that cannot be accessed: what is to fault stores there
 *	tables		65536 pointers each: by the low 16 bits of a target, where to go
 *	code		common stubs, blocks with their exits' stubs
 *
 * and, away from the code: blocks, their source bytes, places, exits. It is
 * reserved as a whole and used from the front; full, it is emptied as a whole.
 */
#include <string.h>
#include <sys/mman.h>

#include "tracee/bursts/cache.h"
#include "tracee/bursts/miss.h"
#include "tracee/decode/decode.h"
#include "tracee/decode/heads.h"
#include "tracee/preload/sys.h"
#include "tracee/x86/emit.h"
#include "tracee/x86/safe.h"

#define PAGE		4096ul
#define TABLE_ENTRIES	65536u
#define TABLE		(TABLE_ENTRIES * sizeof(uint8_t *))
#define FIXED		(2 * PAGE + 2 * TABLE)
#define CODE		(24ul << 20)
#define BLOCKS		65536u
#define HASH		(2 * BLOCKS)
#define HASH_FIRST	4096u		/* entries: a page is dear that a process uses first */
#define INDEX		(2 * BLOCKS - 1)	/* bits of a hash's entry; the others are a tag */
#define SOURCE		(4ul << 20)
#define PLACES		(1u << 20)
#define EXITS		(2 * BLOCKS)
#define STUB		32		/* bytes, at most, of a common one */
#define AHEAD		8		/* blocks */

/* All that is not code. */
struct book {
	uint32_t hash[HASH] __attribute__((aligned(64)));	/* index + 1 of a block, a tag */
	struct block block[BLOCKS + AHEAD];
	uint8_t source[SOURCE];
	struct place place[PLACES];
	struct exit exit[EXITS];
	struct heads heads;
};

struct variables *variables;
uint8_t **indirect_table[2];
uint8_t *cache_trap;
uint8_t *cache_code, *stub_start, *stub_again, *stub_miss, *stub_exit;

static struct book *book;
static uint8_t *first_code, *next_code;
static uint32_t blocks, source_used, places_used, exits;
static uint32_t hash_size;		/* entries that are used: a power of two */
static uint32_t numbers;
static bool timed_ready;		/* the second table is filled in */

static void *reserve(size_t size, int protection)
{
	long at = sys6(mmap, 0, size, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
		       0);

	if (sys_failed(at))
		return NULL;
	/* A fork would copy its page tables, and its child would copy what it empties. */
	sys3(madvise, at, size, MADV_DONTFORK);
	return (void *)at;
}

static uint8_t *emit_fault(struct emit *e)
{
	uint8_t *begin = e->at;

	emit_trap(e, cache_trap);
	e->at = begin + STUB;
	return begin;
}

/* To miss_enter, rax being saved; a fault where the state cannot be saved. */
static uint8_t *emit_miss(struct emit *e)
{
	static const uint8_t jump[] = { 0xff, 0xe0 };		/* jmp rax */
	uint8_t *begin = e->at;

	if (!miss_ready())
		return emit_fault(e);
	emit_store_variable(e, &variables->rax, RAX);
	emit_constant(e, RAX, (uint64_t)miss_enter);
	emit_bytes(e, jump, sizeof(jump));
	e->at = begin + STUB;
	return begin;
}

static uint8_t *emit_indirect_miss(struct emit *e)
{
	uint8_t *begin = e->at;

	emit_load_variable(e, RAX, &variables->rax);
	emit_load_variable(e, RCX, &variables->rcx);
	emit_load_variable(e, RDX, &variables->rdx);
	emit_store_variable_32(e, &variables->exit, EXIT_INDIRECT);
	emit_miss(e);
	return begin;
}

static void clear_table(uint8_t **table)
{
	uint32_t i;

	sys3(madvise, table, TABLE, POPULATE_WRITE);
	for (i = 0; i < TABLE_ENTRIES; i++)
		table[i] = stub_miss;
}

bool cache_init(void)
{
	struct emit e;

	if (book)
		return true;
	if (!zydis_ready())
		return false;
	decode_init();
	cache_code = reserve(FIXED + CODE, PROT_READ | PROT_WRITE | PROT_EXEC);
	if (!cache_code)
		return false;
	variables = (struct variables *)cache_code;
	cache_trap = cache_code + PAGE;
	indirect_table[0] = (uint8_t **)(cache_trap + PAGE);
	indirect_table[1] = indirect_table[0] + TABLE_ENTRIES;
	e.at = cache_code + FIXED;
	stub_start = emit_fault(&e);
	stub_again = emit_fault(&e);
	stub_exit = emit_miss(&e);
	stub_miss = emit_indirect_miss(&e);
	first_code = next_code = e.at;
	book = reserve(sizeof(*book), PROT_READ | PROT_WRITE);
	if (!book || sys3(mprotect, cache_trap, PAGE, PROT_NONE)) {
		sys2(munmap, cache_code, FIXED + CODE);
		cache_code = NULL;
		book = NULL;
		return false;
	}
	decode_heads = &book->heads;
	hash_size = HASH_FIRST;
	clear_table(indirect_table[0]);
	return true;
}

void cache_forget(void)
{
	cache_code = NULL;
	book = NULL;
	decode_heads = NULL;
	blocks = source_used = places_used = exits = 0;
	timed_ready = false;
}

void cache_prepare_timed(void)
{
	if (!timed_ready)
		clear_table(indirect_table[1]);
	timed_ready = true;
}

/*
 * What lies in a cache line of code is in one of the hash, which is a miss for the first of them.
 * The tag saves that of a look at another block.
 */
static uint32_t place_of(uint64_t address, uint32_t *tag)
{
	uint64_t line = (address >> 6) * 0x9e3779b97f4a7c15ull;

	*tag = (address * 0x9e3779b97f4a7c15ull) >> 32 & ~INDEX;
	return line >> 48 << 4 | (address >> 2 & 15);
}

static bool is_of(const struct block *block, uint64_t address, bool timed)
{
	return block->address == address && block->timed == timed;
}

/* Where in the hash the block is, or would be. */
static uint32_t *entry_of(uint64_t address, bool timed, uint32_t *tag)
{
	uint32_t i = place_of(address, tag);

	for (;; i++) {
		uint32_t *entry = &book->hash[i & (hash_size - 1)];

		if (!*entry || ((*entry & ~INDEX) == *tag &&
				is_of(&book->block[(*entry & INDEX) - 1], address, timed)))
			return entry;
	}
}

static void enter(const struct block *block)
{
	uint32_t tag, *entry = entry_of(block->address, block->timed, &tag);

	*entry = (block - book->block + 1) | tag;
}

/* All blocks, with room for more. */
static void fill_hash(uint32_t size)
{
	uint32_t i;

	hash_size = size;
	memset(book->hash, 0, size * sizeof(*book->hash));
	for (i = 0; i < blocks; i++)
		enter(&book->block[i]);
}

void cache_flush(void)
{
	next_code = first_code;
	blocks = source_used = places_used = exits = 0;
	fill_hash(HASH_FIRST);
	clear_table(indirect_table[0]);
	if (timed_ready)
		clear_table(indirect_table[1]);
}

void cache_unmap(void)
{
	if (!book)
		return;
	sys2(munmap, cache_code, FIXED + CODE);
	sys2(munmap, book, sizeof(*book));
	cache_forget();
}

uint32_t cache_blocks(void)
{
	return blocks;
}

struct block *cache_new(void)
{
	struct block *block;

	if (blocks == BLOCKS || source_used + BLOCK_SOURCE > SOURCE ||
	    places_used + BLOCK_INSNS > PLACES || exits + 2 > EXITS ||
	    next_code + BLOCK_CODE > cache_code + FIXED + CODE)
		return NULL;
	block = &book->block[blocks];
	memset(block, 0, sizeof(*block));
	block->source = source_used;
	block->places = places_used;
	block->code = next_code - cache_code;
	block->number = ++numbers;
	return block;
}

uint8_t *cache_source(const struct block *block)
{
	return book->source + block->source;
}

struct place *cache_places(const struct block *block)
{
	return book->place + block->places;
}

void cache_keep(struct block *block, uint8_t *end)
{
	enter(block);
	if (4 * ++blocks > hash_size && hash_size < HASH)
		fill_hash(2 * hash_size);
	source_used += block->bytes;
	places_used += block->insns;
	next_code = (uint8_t *)(((uintptr_t)end + 15) & ~15ul);
}

struct block *cache_find(uint64_t address, bool timed)
{
	uint32_t tag, entry = *entry_of(address, timed, &tag);

	return entry ? &book->block[(entry & INDEX) - 1] : NULL;
}

bool cache_holds(const uint8_t *at)
{
	return book && at >= cache_code && at < cache_code + FIXED + CODE;
}

/* Blocks lie in the order of their indices. */
struct block *cache_find_code(const uint8_t *at)
{
	uint32_t offset = at - cache_code, low = 0, high = blocks;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (book->block[middle].code <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low || offset >= book->block[low - 1].code_end)
		return NULL;
	return &book->block[low - 1];
}

bool cache_is_stub(const uint8_t *at)
{
	return at >= stub_start && at < first_code;
}

/* --- links --- */

void cache_link(const struct exit *exit, const struct block *block)
{
	if (exit->target != block->address || exit->timed != block->timed)
		return;
	if (!block->quiet && exit_keeps(exit, block->scratch[0], block->scratch[1]))
		patch_jump(exit->inner, cache_code + block->code + block->inner);
	else
		patch_jump(exit->jump, cache_code + block->code);
}

uint8_t *cache_exit(const struct exit *exit, uint8_t *at)
{
	struct block *block = cache_find(exit->target, exit->timed);
	struct emit e = { at };

	if (block) {
		cache_link(exit, block);
		return at;
	}
	book->exit[exits] = *exit;
	patch_jump(exit->jump, at);
	emit_store_variable_32(&e, &variables->exit, exits++);
	emit_jump(&e, stub_exit);
	return e.at;
}

const struct exit *cache_taken(void)
{
	return variables->exit < exits ? &book->exit[variables->exit] : NULL;
}

/*
 * What a table's entry leads to. The jump has the target in rax, and rax, rcx
 * and rdx saved:
 *
 *	movabs rcx, -address; lea rcx, [rcx + rax]; jrcxz hit; jmp NEXT
 * hit:	restore; jmp BLOCK
 */
void cache_link_indirect(struct block *block)
{
	static const uint8_t compare[] = { 0x48, 0x8d, 0x0c, 0x01, 0xe3, 0x05 };
	uint8_t **entry = &indirect_table[block->timed][block->address & (TABLE_ENTRIES - 1)];
	uint8_t *begin = next_code;
	struct emit e = { begin };

	if (block->indirect || next_code + BLOCK_CODE > cache_code + FIXED + CODE)
		return;
	emit_u8(&e, 0x48);
	emit_u8(&e, 0xb9);
	emit_u64(&e, -block->address);
	emit_bytes(&e, compare, sizeof(compare));
	emit_jump(&e, *entry);
	emit_load_variable(&e, RAX, &variables->rax);
	emit_load_variable(&e, RCX, &variables->rcx);
	emit_load_variable(&e, RDX, &variables->rdx);
	emit_jump(&e, cache_code + block->code);
	next_code = (uint8_t *)(((uintptr_t)e.at + 15) & ~15ul);
	*entry = begin;
	block->indirect = true;
}

/* --- is it still what was translated? --- */

bool cache_verify(void)
{
	uint32_t i;

	for (i = 0; i < blocks; i++) {
		const struct block *block = &book->block[i];

		if (block->twin)
			continue;
		/* The program's code lies here and there. */
		__builtin_prefetch((const void *)block[AHEAD].address);
		if (!safe_equal((const void *)block->address, book->source + block->source,
				block->bytes))
			return false;
	}
	return true;
}
