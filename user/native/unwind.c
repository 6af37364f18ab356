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

/* One frame up. Return: there was one. */
static bool step(struct caller *c)
{
	struct frame_rule rule = rule_at(c->ip);
	uintptr_t cfa, bp = c->bp, saved;

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
	}
	*c = (struct caller){ at(cfa - WORD), cfa, bp };
	return c->ip != 0;
}

uint32_t unwind(const struct caller *caller, uint64_t *frames)
{
	struct caller c = *caller;
	uint32_t depth = 0;

	frames[depth++] = c.ip - 1;
	if (c.sp < self.stack_low || c.sp >= self.stack_high)
		return depth;
	while (depth < STACK_DEPTH && step(&c))
		frames[depth++] = c.ip - 1;
	return depth;
}
