// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who called: a walk up the stack by the program's own unwind tables
 * (.eh_frame; DWARF 5, 6.4; System V ABI for x86-64, 3.7 and 6.2).
 *
 * The rules for each return address are worked out once and remembered; that is
 * exact, since rules depend on nothing but the address. Kept are rules of the forms that compilers
 * make: frames based on rsp or rbp, and main's realigned stack. At anything
 * else, a signal's frame, code without tables, or outside of the thread's stack
 * (coroutines), the walk ends, and the stack is as deep as it is.
 */
#include <dlfcn.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>

#include "tracee/preload/native.h"
#include "tracee/preload/recent.h"
#include "tracee/preload/sys.h"
#include "tracee/preload/tables.h"

#define FIRST	(1u << 11)	/* slots that are tried first: few pages are touched */
#define SLOTS	(1u << 15)	/* the others */
#define MANY	64		/* addresses that had no place among the first ones */
#define ADDRESS_BITS	47
#define WORD	sizeof(uintptr_t)

/*
 * Two words that are not written at once: the first is the address combined
 * with the second, so that halves of two rules match no address.
 */
struct slot {
	uint64_t check;
	uint64_t rule;
};

static struct slot *slots;		/* the first ones, and all */
uint32_t unwind_generation = 1;		/* 8 bits of it are in each slot's check */

bool unwind_init(void)
{
	long memory = sys6(mmap, NULL, (FIRST + SLOTS) * sizeof(*slots), PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	slots = (struct slot *)memory;
	return pages_populate(slots, FIRST * sizeof(*slots));
}

void unwind_forget(void)
{
	__atomic_fetch_add(&unwind_generation, 1, __ATOMIC_RELAXED);
}

/* Such an offset from rsp keeps the stack's order and alignment, which then need no look. */
static bool is_regular(struct frame_rule rule)
{
	return rule.base != BASE_SP || (rule.cfa > 0 && rule.cfa % WORD == 0);
}

static struct frame_rule rule_new(struct slot *slot, uintptr_t ip, uint64_t tag)
{
	struct frame_rule rule = tables_rule(ip - 1);
	uint64_t word;

	if (!is_regular(rule))
		rule.base = BASE_NONE;
	memcpy(&word, &rule, sizeof(rule));
	__atomic_store_n(&slot->check, tag ^ word, __ATOMIC_RELAXED);
	__atomic_store_n(&slot->rule, word, __ATOMIC_RELAXED);
	return rule;
}

/* There is no place for it among the first ones. */
static struct frame_rule rule_spilled(struct slot *slot, uintptr_t ip, uint64_t tag)
{
	static uint32_t spilled;

	if (__atomic_add_fetch(&spilled, 1, __ATOMIC_RELAXED) == MANY)
		pages_touch(slots + FIRST, SLOTS * sizeof(*slots));
	return rule_new(slot, ip, tag);
}

/* Return: whose rule it is. */
static inline uint64_t slot_tag(const struct slot *slot, struct frame_rule *rule)
{
	uint64_t word = __atomic_load_n(&slot->rule, __ATOMIC_RELAXED);
	uint64_t check = __atomic_load_n(&slot->check, __ATOMIC_RELAXED);

	memcpy(rule, &word, sizeof(*rule));
	return check ^ word;
}

/* Not where it was looked for first: that is another's, or free, or of code that may be gone. */
static __attribute__((noinline)) struct frame_rule rule_else(struct slot *first, uint64_t hash,
							     uintptr_t ip, uint64_t tag)
{
	struct slot *slot = slots + FIRST + hash % SLOTS, *next = slots + ((first - slots) ^ 1);
	struct frame_rule rule;

	if (slot_tag(next, &rule) == tag)
		return rule;
	if (slot_tag(first, &rule) >> ADDRESS_BITS != tag >> ADDRESS_BITS)
		return rule_new(first, ip, tag);
	if (slot_tag(next, &rule) >> ADDRESS_BITS != tag >> ADDRESS_BITS)
		return rule_new(next, ip, tag);
	return slot_tag(slot, &rule) == tag ? rule : rule_spilled(slot, ip, tag);
}

/* The generation stands above the address. */
static inline __attribute__((always_inline)) struct frame_rule rule_at(uintptr_t ip,
								       uint64_t generation)
{
	uint64_t hash = ip * 0x9e3779b97f4a7c15ull >> 40;
	struct slot *first = &slots[hash % FIRST];
	uint64_t tag = ip ^ generation << ADDRESS_BITS;
	struct frame_rule rule;

	return likely(slot_tag(first, &rule) == tag) ? rule : rule_else(first, hash, ip, tag);
}

/* A frame of a walk, and where its rbp was saved: 0 = nowhere yet, it is in @at. */
struct frame {
	struct caller at;
	uintptr_t bp_from;
};

static inline uintptr_t word_at(uintptr_t address)
{
	return *(const uintptr_t *)address;
}

static bool on_stack(uintptr_t address, uintptr_t low)
{
	return address >= low && address <= self.stack_high - WORD && !(address % WORD);
}

/* The walk depends on the word that lies there. */
static inline uintptr_t led_by(struct trail *trail, uintptr_t address)
{
	uint32_t i = trail->count++;

	trail->offsets[i] = address - trail->sp;
	trail->words[i] = word_at(address);
	return trail->words[i];
}

/* As led_by(), for words that are no return addresses, which there is always room for. */
static bool led_also(struct trail *trail, uintptr_t address, uintptr_t low, uintptr_t *value)
{
	if (!on_stack(address, low))
		return false;
	if (trail->count < TRAIL_WORDS - STACK_DEPTH) {
		*value = led_by(trail, address);
	} else {
		*value = word_at(address);
		trail->whole = false;
	}
	return true;
}

/*
 * A frame's address by a rule with rbp. Compilers use rbp as they like: it is
 * saved in most frames, and matters only here.
 *
 * Return: it, 0 if there is none.
 */
static __attribute__((noinline)) uintptr_t cfa_by_bp(struct frame *f, struct frame_rule rule,
						     struct trail *trail)
{
	uintptr_t cfa;

	if (rule.base == BASE_NONE)
		return 0;
	if (f->bp_from && !led_also(trail, f->bp_from, trail->sp, &f->at.bp))
		return 0;
	trail->bp_matters |= !f->bp_from;
	f->bp_from = 0;
	cfa = (rule.base == BASE_SP ? f->at.sp : f->at.bp) + rule.cfa;
	if (rule.base == BASE_BP_DEREF && !led_also(trail, cfa, f->at.sp, &cfa))
		return 0;
	return cfa > f->at.sp && on_stack(cfa - WORD, f->at.sp) ? cfa : 0;
}

/*
 * Walks up. @frames: room for @most, or NULL. Return: frames; that ends where the
 * walk does, or at the first whose stack pointer is not below @end.
 */
static inline __attribute__((always_inline)) uint32_t
walk(struct frame *from, uint64_t *frames, uint32_t most, uintptr_t end, struct trail *trail)
{
	const uintptr_t high = self.stack_high;
	const uint64_t generation = (uint8_t)unwind_generation;
	struct caller at = from->at;
	uintptr_t bp_from = from->bp_from, cfa;
	uint32_t depth = 1;

	while (depth < most && at.sp < end) {
		struct frame_rule rule = rule_at(at.ip, generation);

		if (unlikely(rule.base != BASE_SP || rule.bp == BP_BP)) {
			struct frame f = { at, bp_from };

			cfa = cfa_by_bp(&f, rule, trail);
			at.bp = f.at.bp;
			bp_from = f.bp_from;
		} else {
			cfa = at.sp + rule.cfa;
		}
		if (unlikely(cfa - 1 >= high))
			break;
		if (rule.bp == BP_CFA)
			bp_from = cfa + rule.bp_at;
		else if (rule.bp == BP_BP)
			bp_from = at.bp + rule.bp_at;
		at.sp = cfa;
		at.ip = led_by(trail, cfa - WORD);
		if (unlikely(!at.ip))
			break;
		if (frames)
			frames[depth] = at.ip - 1;
		depth++;
	}
	*from = (struct frame){ at, bp_from };
	return depth;
}

static bool begin(struct trail *trail, const struct caller *caller)
{
	trail->sp = caller->sp;
	trail->count = 0;
	trail->bp_matters = false;
	trail->whole = self.stack_high - caller->sp <= UINT32_MAX;
	return on_own_stack(caller) && !(caller->sp % WORD);
}

uint32_t unwind(const struct caller *caller, uint64_t *frames, struct trail *trail)
{
	struct frame f = { .at = *caller };

	frames[0] = f.at.ip - 1;
	if (!begin(trail, caller))
		return 1;
	return walk(&f, frames, STACK_DEPTH, UINTPTR_MAX, trail);
}

bool unwind_reaches(const struct caller *caller, uintptr_t sp)
{
	struct frame f = { .at = *caller };
	struct trail trail;

	if (!begin(&trail, caller))
		return false;
	do
		trail.count = 0;
	while (walk(&f, NULL, 2, sp, &trail) == 2);
	return f.at.sp == sp;
}
