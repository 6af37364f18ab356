// SPDX-License-Identifier: GPL-2.0-only
/* Instruction by instruction, each run at its place: the one behind it is for a while a jump. */
#include <string.h>

#include "chain.h"
#include "fuzz.h"
#include "step.h"

#define MOST		64		/* instructions */
#define ITERATIONS	10000		/* of a repeated string instruction */
#define CARRY		(1u << 0)
#define PARITY		(1u << 2)
#define ZERO		(1u << 6)
#define SIGN		(1u << 7)
#define DOWN		(1u << 10)
#define OVERFLOW	(1u << 11)

static greg_t value(const struct state *state, ZydisRegister reg)
{
	return reg == ZYDIS_REGISTER_NONE ? 0 :
	       *numbered((greg_t *)state->gpr, ZydisRegisterGetId(reg));
}

/* The condition in the opcode's low half (SDM volume 2, appendix B). */
static bool holds(unsigned int condition, uint64_t flags)
{
	bool less = !(flags & SIGN) != !(flags & OVERFLOW), is;

	switch (condition >> 1) {
	case 0: is = flags & OVERFLOW; break;
	case 1: is = flags & CARRY; break;
	case 2: is = flags & ZERO; break;
	case 3: is = flags & (CARRY | ZERO); break;
	case 4: is = flags & SIGN; break;
	case 5: is = flags & PARITY; break;
	case 6: is = less; break;
	default: is = less || flags & ZERO;
	}
	return is != (condition & 1);
}

static bool taken(const struct state *state)
{
	greg_t rcx = state->gpr[REG_RCX];

	switch (step_insn.mnemonic) {
	case ZYDIS_MNEMONIC_JRCXZ:
		return !rcx;
	case ZYDIS_MNEMONIC_LOOP:
		return rcx != 1;
	case ZYDIS_MNEMONIC_LOOPE:
		return rcx != 1 && state->gpr[REG_EFL] & ZERO;
	case ZYDIS_MNEMONIC_LOOPNE:
		return rcx != 1 && !(state->gpr[REG_EFL] & ZERO);
	default:
		return holds(step_insn.opcode & 15, state->gpr[REG_EFL]);
	}
}

static uint64_t target(const struct state *state)
{
	const ZydisDecodedOperand *to = &step_operands[0];
	uint64_t address = state->gpr[REG_RSP];

	if (step_insn.meta.category != ZYDIS_CATEGORY_RET) {
		if (to->type == ZYDIS_OPERAND_TYPE_IMMEDIATE)
			return state->gpr[REG_RIP] + step_insn.length + to->imm.value.s;
		if (to->type == ZYDIS_OPERAND_TYPE_REGISTER)
			return value(state, to->reg.value);
		address = value(state, to->mem.base) + to->mem.disp.value;
	}
	memcpy(&address, (const void *)address, sizeof(address));
	return address;
}

static uint64_t follows(const struct state *state)
{
	switch (step_insn.meta.category) {
	case ZYDIS_CATEGORY_COND_BR:
		return taken(state) ? target(state) : state->gpr[REG_RIP] + step_insn.length;
	case ZYDIS_CATEGORY_UNCOND_BR:
	case ZYDIS_CATEGORY_CALL:
	case ZYDIS_CATEGORY_RET:
		return target(state);
	default:
		return state->gpr[REG_RIP] + step_insn.length;
	}
}

static bool repeats(void)
{
	return step_insn.meta.category == ZYDIS_CATEGORY_STRINGOP &&
	       step_insn.attributes & (ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE |
				  ZYDIS_ATTRIB_HAS_REPNE);
}

/* As single steps see it: before each iteration. The first one has been. */
static bool iterations(const struct state *before, const struct state *after)
{
	uint64_t left = before->gpr[REG_RCX] - after->gpr[REG_RCX];
	int64_t by = step_operands[0].size / 8;
	struct state now = *before;

	if (left > ITERATIONS)
		return false;
	if (before->gpr[REG_EFL] & DOWN)
		by = -by;
	while (left-- > 1) {
		now.gpr[REG_RCX]--;
		now.gpr[REG_RSI] += by;
		now.gpr[REG_RDI] += by;
		step(now.gpr, now.vector);
	}
	return true;
}

/* Runs the instruction that @now stands before. */
static bool run(struct state *now, struct state *next)
{
	uint8_t kept[5], patch[5];
	uint64_t from = now->gpr[REG_RIP] + step_insn.length, to;

	if (repeats() && step_insn.address_width != 64)
		return false;
	to = follows(now);
	if (to < from || to - from >= SEQUENCE)
		return false;
	memcpy(kept, (const void *)to, sizeof(kept));
	chain_put_end(patch, to);
	chain_write(to, patch, sizeof(patch));
	chain_begin_flags(now, now->gpr[REG_EFL]);
	chain_run_one(now, next);
	chain_write(to, kept, sizeof(kept));
	next->gpr[REG_RIP] = to;
	return !next->signal && (!repeats() || iterations(now, next));
}

bool walk(const struct state *begin, uint64_t stop)
{
	static struct state states[2];
	unsigned int i;

	states[0] = *begin;
	for (i = 0; i < MOST; i++) {
		struct state *now = &states[i & 1];

		if (!step(now->gpr, now->vector))
			return false;
		if ((uint64_t)now->gpr[REG_RIP] == stop)
			return true;
		if (!run(now, &states[!(i & 1)]))
			return false;
	}
	return false;
}
