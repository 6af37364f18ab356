// SPDX-License-Identifier: GPL-2.0-only
/*
 * Call stacks by number. A table of 64-bit hashes, filled without locks; the
 * number is the place in it. Two stacks of one hash would be taken for one: of
 * 10^5 stacks, that happens once in 10^9 runs. A fork's child goes on with a
 * copy, as the recording says.
 */
#include <string.h>
#include <sys/mman.h>

#include "base/random.h"
#include "tracee/preload/native.h"
#include "tracee/preload/recent.h"
#include "tracee/preload/sys.h"

#define FIRST		4096u		/* slots that are tried first: few pages are touched */
#define FIRST_PROBES	8
#define SLOTS		(1u << 20)	/* all */
#define PROBES		64		/* then the table is too full */
#define WRITTEN		1ull		/* in a slot's hash: its STACK was written */

static uint64_t *slots;
static uint64_t keys[STACK_DEPTH + 1];	/* of the hash */

bool stacks_init(void)
{
	long memory = sys6(mmap, NULL, SLOTS * sizeof(*slots), PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	uint64_t state = __rdtsc();
	int i;

	for (i = 0; i <= STACK_DEPTH; i++)
		keys[i] = random_next(&state);
	slots = (uint64_t *)memory;
	return !sys_failed(memory);
}

/*
 * NH (Black et al., "UMAC: fast and secure message authentication", 1999): sums of
 * products of pairs, which do not wait for one another as those of a chain do.
 */
static uint64_t hash_of(const uint64_t *frames, uint32_t depth)
{
	unsigned __int128 sum = (unsigned __int128)depth * keys[STACK_DEPTH];
	uint64_t hash;
	uint32_t i;

	for (i = 0; i + 1 < depth; i += 2)
		sum += (unsigned __int128)(frames[i] + keys[i]) * (frames[i + 1] + keys[i + 1]);
	if (i < depth)
		sum += (unsigned __int128)(frames[i] + keys[i]) * keys[i + 1];
	hash = ((uint64_t)sum ^ (uint64_t)(sum >> 64)) * 0x9e3779b97f4a7c15ull & ~WRITTEN;
	return hash ? hash : 2;
}

/*
 * The slot of a hash in a table, taken if it has none; NULL if there is no room. They are read by
 * writing nothing to them: a page that is read at first would have a second fault.
 */
static uint64_t *slot_in(uint64_t *table, uint32_t size, uint32_t probes, uint64_t hash)
{
	uint32_t at = hash >> 44, i;

	for (i = 0; i < probes; i++) {
		uint64_t *slot = &table[(at + i) % size];
		uint64_t held = __atomic_fetch_or(slot, 0, __ATOMIC_RELAXED);

		if (!held && __atomic_compare_exchange_n(slot, &held, hash, false,
							 __ATOMIC_RELAXED, __ATOMIC_RELAXED))
			return slot;
		if ((held & ~WRITTEN) == hash)
			return slot;
	}
	return NULL;
}

/* Slots are never given back: where there was no room in the first ones there never will be. */
static uint64_t *slot_of(uint64_t hash)
{
	uint64_t *slot = slot_in(slots, FIRST, FIRST_PROBES, hash);

	return slot ? slot : slot_in(slots + FIRST, SLOTS - FIRST, PROBES, hash);
}

static bool write_stack(uint32_t id, const uint64_t *frames, uint32_t depth)
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

/* Written before its slot says so: another thread may write it as well, which does no harm. */
static uint32_t id_of(const uint64_t *frames, uint32_t depth)
{
	uint64_t *slot = slot_of(hash_of(frames, depth));
	uint32_t id;

	if (!slot) {
		ring_missed();
		return 0;
	}
	id = slot - slots + 1;
	if (likely(__atomic_load_n(slot, __ATOMIC_RELAXED) & WRITTEN))
		return id;
	if (!write_stack(id, frames, depth))
		return 0;
	__atomic_fetch_or(slot, WRITTEN, __ATOMIC_RELAXED);
	return id;
}

static __attribute__((noinline)) uint32_t walk(const struct caller *caller, struct recent *recent)
{
	uint64_t frames[STACK_DEPTH];
	uint32_t depth;

	recent_missed();
	recent->ip = 0;
	recent->generation = unwind_generation;
	depth = unwind(caller, frames, &recent->trail);
	recent->id = id_of(frames, depth);
	if (!recent->id || !recent->trail.whole)
		return recent->id;
	recent->bp = caller->bp;
	recent->ip = caller->ip;
	return recent->id;
}

static __attribute__((noinline)) uint32_t walk_alone(const struct caller *caller)
{
	struct recent unused;

	return walk(caller, &unused);
}

/* A signal handler that interrupted this leaves what is kept as it is. */
uint32_t stacks_id(const struct caller *caller)
{
	struct recent *recent;
	uint32_t id;

	if (unlikely(!self.recent || caller->sp < self.walking || !on_own_stack(caller)))
		return walk_alone(caller);
	self.walking = caller->sp;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	recent = recent_of(caller);
	id = likely(recent_holds(recent, caller)) ? recent->id : walk(caller, recent);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	self.walking = 0;
	return id;
}
