// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who called: a walk up the stack by the program's own unwind tables
 * (.eh_frame; DWARF 5, 6.4; System V ABI for x86-64, 3.7 and 6.2).
 *
 * The rules for each return address are worked out once and remembered, so that
 * a walk costs a look-up and a load or two a frame; and it is exact, since rules
 * depend on nothing but the address. Kept are rules of the forms that compilers
 * make: frames based on rsp or rbp, and main's realigned stack. At anything
 * else, a signal's frame, code without tables, or outside of the thread's stack
 * (coroutines), the walk ends, and the stack is as deep as it is.
 */
#include <dlfcn.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>

#include "native/native.h"
#include "native/sys.h"
#include "native/tables.h"

#define SLOTS	(1u << 15)
#define WORD	sizeof(uintptr_t)

/*
 * Two words that are not written at once: the first is the address combined
 * with the second, so that halves of two rules match no address.
 */
struct slot {
	uint64_t check;
	uint64_t rule;
};

static struct slot *slots;
static uint32_t generation;		/* 8 bits of it are in each rule */

bool unwind_init(void)
{
	long memory = sys6(mmap, NULL, SLOTS * sizeof(*slots), PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	slots = (struct slot *)memory;
	return (unsigned long)memory <= -4096ul;
}

void unwind_forget(void)
{
	__atomic_fetch_add(&generation, 1, __ATOMIC_RELAXED);
}

static uint64_t pack(struct frame_rule rule)
{
	uint64_t word = 0;

	rule.generation = generation;
	memcpy(&word, &rule, sizeof(rule));
	return word;
}

static struct frame_rule rule_at(uintptr_t ip)
{
	struct slot *slot = &slots[ip * 0x9e3779b97f4a7c15ull >> 49];
	uint64_t word = __atomic_load_n(&slot->rule, __ATOMIC_RELAXED);
	uint64_t check = __atomic_load_n(&slot->check, __ATOMIC_RELAXED);
	struct frame_rule rule;

	memcpy(&rule, &word, sizeof(rule));
	if (likely((check ^ word) == ip && rule.generation == (uint8_t)generation))
		return rule;
	rule = tables_rule(ip - 1);
	word = pack(rule);
	__atomic_store_n(&slot->check, ip ^ word, __ATOMIC_RELAXED);
	__atomic_store_n(&slot->rule, word, __ATOMIC_RELAXED);
	return rule;
}

static bool on_stack(uintptr_t address, uintptr_t low)
{
	return address >= low && address <= self.stack_high - WORD && !(address % WORD);
}

static uintptr_t at(uintptr_t address)
{
	return *(const uintptr_t *)address;
}

/* A frame of a walk, and how far above its stack pointer the frame above it was read. */
struct walked {
	struct caller at;
	uint32_t cfa;			/* 0 = the next frame is not to be compared */
	uint32_t bp;			/* where the caller's rbp was, + 1; 0 = it is the same */
};

/*
 * A walk is mostly the same as the last one, from some frame upwards. Where
 * frame, code and rbp are the same the rule is, and so are the words that it
 * leads to: they are compared, which needs no look-up.
 */
struct walk {
	struct walked frames[STACK_DEPTH];
	uint32_t count, generation;
};

static __thread struct walk walks[2] __attribute__((tls_model("initial-exec")));
static __thread uint32_t newest __attribute__((tls_model("initial-exec")));
static __thread uintptr_t walking __attribute__((tls_model("initial-exec")));	/* from there up */

/* One frame up, by the rule. Return: there was one. */
static bool step(struct walked *w, struct caller *up)
{
	const struct caller *c = &w->at;
	struct frame_rule rule = rule_at(c->ip);
	uintptr_t cfa, bp = c->bp, saved;

	w->cfa = w->bp = 0;
	if (rule.base == BASE_NONE)
		return false;
	cfa = (rule.base == BASE_SP ? c->sp : c->bp) + rule.cfa;
	if (rule.base == BASE_BP_DEREF) {
		if (!on_stack(cfa, c->sp))
			return false;
		cfa = at(cfa);
	}
	if (cfa <= c->sp || !on_stack(cfa - WORD, c->sp))
		return false;
	if (rule.bp != BP_SAME) {
		saved = (rule.bp == BP_CFA ? cfa : c->bp) + rule.bp_at;
		if (!on_stack(saved, c->sp))
			return false;
		bp = at(saved);
		w->bp = saved - c->sp + 1;
	}
	if (rule.base != BASE_BP_DEREF && self.stack_high - c->sp < UINT32_MAX)
		w->cfa = cfa - c->sp;
	*up = (struct caller){ at(cfa - WORD), cfa, bp };
	return up->ip != 0;
}

/* Does the frame above follow as it did in the last walk? */
static inline bool follows(const struct walked *w)
{
	return w->cfa && at(w->at.sp + w->cfa - WORD) == w[1].at.ip &&
	       (!w->bp || at(w->at.sp + w->bp - 1) == w[1].at.bp);
}

static inline bool equal(const struct caller *a, const struct caller *b)
{
	return a->sp == b->sp && a->ip == b->ip && a->bp == b->bp;
}

/*
 * From @w on as in the last walk, as far as that holds. Return: the frame that
 * it got to, with @old moved along.
 */
static inline struct walked *repeat(struct walked *w, const struct walked *end,
				    const struct walked **old, const struct walked *old_last)
{
	const struct walked *o = *old;

	while (w < end && o < old_last && follows(o)) {
		*w++ = *o++;
		w->at = o->at;
	}
	*old = o;
	return w;
}

static uint32_t walk(const struct caller *caller, uint64_t *frames)
{
	struct walk *now = &walks[!newest], *last = &walks[newest];
	const struct walked *old = last->frames, *old_last = old + last->count - 1;
	struct walked *w = now->frames, *end = w + STACK_DEPTH - 1;
	uint32_t depth, i;

	w->at = *caller;
	if (!last->count || last->generation != generation)
		old_last = old;
	if (caller->sp < self.stack_low || caller->sp >= self.stack_high)
		end = w;
	while (w < end) {
		while (old < old_last && old->at.sp < w->at.sp)
			old++;
		if (old < old_last && equal(&old->at, &w->at)) {
			w = repeat(w, end, &old, old_last);
			if (w == end)
				break;
		}
		if (!step(w, &w[1].at))
			break;
		w++;
	}
	w->cfa = 0;
	depth = w - now->frames + 1;
	for (i = 0; i < depth; i++)
		frames[i] = now->frames[i].at.ip - 1;
	now->count = depth;
	now->generation = generation;
	newest = !newest;
	return depth;
}

/* A signal handler that interrupted a walk, and leaves it as it is, has one frame. */
uint32_t unwind(const struct caller *caller, uint64_t *frames)
{
	uint32_t depth;

	if (unlikely(caller->sp < walking)) {
		frames[0] = caller->ip - 1;
		return 1;
	}
	walking = caller->sp;
	depth = walk(caller, frames);
	walking = 0;
	return depth;
}
