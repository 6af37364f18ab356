// SPDX-License-Identifier: GPL-2.0-only
/*
 * Call stacks by number. A table of 64-bit hashes, filled without locks; the
 * number is the place in it. Two stacks of one hash would be taken for one: of
 * 10^5 stacks, that happens once in 10^9 runs. A fork's child goes on with a
 * copy, as the recording says.
 */
#include <string.h>
#include <sys/mman.h>

#include "native/native.h"
#include "native/sys.h"

#define SLOTS		(1u << 20)
#define PROBES		64		/* then the table is too full */
#define TOLD		1ull		/* in a slot's hash: its STACK was written */

static uint64_t *slots;

bool stacks_init(void)
{
	long memory = sys6(mmap, NULL, SLOTS * sizeof(*slots), PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	slots = (uint64_t *)memory;
	return (unsigned long)memory <= -4096ul;
}

/* Multiply and fold, 64 x 64 to 128 bits: all bits of the product depend on all of both. */
static uint64_t mix(uint64_t a, uint64_t b)
{
	unsigned __int128 product = (unsigned __int128)a * b;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static uint64_t hash_of(const uint64_t *frames, uint32_t depth)
{
	uint64_t hash = depth;
	uint32_t i;

	for (i = 0; i < depth; i++)
		hash = mix(hash ^ 0x9e3779b97f4a7c15ull, frames[i] ^ 0xd6e8feb86659fd93ull);
	return (hash & ~TOLD) ? hash & ~TOLD : 2;
}

/* The slot of a hash, taken if it has none; NULL if there is no room. */
static uint64_t *slot_of(uint64_t hash)
{
	uint32_t at = hash >> 44, i;

	for (i = 0; i < PROBES; i++) {
		uint64_t *slot = &slots[(at + i) % SLOTS];
		uint64_t held = __atomic_load_n(slot, __ATOMIC_RELAXED);

		if (!held && __atomic_compare_exchange_n(slot, &held, hash, false,
							 __ATOMIC_RELAXED, __ATOMIC_RELAXED))
			return slot;
		if ((held & ~TOLD) == hash)
			return slot;
	}
	return NULL;
}

static bool tell(uint32_t id, const uint64_t *frames, uint32_t depth)
{
	struct ccs_stack *r;
	uint64_t now;

	r = ring_reserve(CCS_STACK, sizeof(*r) + depth * sizeof(*frames), &now);
	if (!r)
		return false;
	r->id = id;
	r->depth = depth;
	memcpy(r + 1, frames, depth * sizeof(*frames));
	ring_commit(r);
	return true;
}

/* Told before its slot says so: another thread may tell it as well, which does no harm. */
uint32_t stacks_id(const struct caller *caller)
{
	uint64_t frames[STACK_DEPTH];
	uint32_t depth = unwind(caller, frames);
	uint64_t *slot = slot_of(hash_of(frames, depth));
	uint32_t id;

	if (!slot)
		return 0;
	id = slot - slots + 1;
	if (likely(__atomic_load_n(slot, __ATOMIC_RELAXED) & TOLD))
		return id;
	if (!tell(id, frames, depth))
		return 0;
	__atomic_fetch_or(slot, TOLD, __ATOMIC_RELAXED);
	return id;
}
