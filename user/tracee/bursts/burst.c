// SPDX-License-Identifier: GPL-2.0-only
/*
 * A burst. It begins when a handler returns into the code cache instead of the
 * program: the kernel itself loads the registers and the vector state, and
 * blocks all signals but faults. It goes on and ends by faults, whose handlers'
 * frames hold the whole state again. The first is at once: what remains to be done
 * at the beginning needs more stack than the program's alternate one may have.
 *
 *	SIGSEGV at a stub	a block is to be translated, and linked
 *	SIGSEGV of the count	the timed part begins, or is over: logging begins
 *	SIGSEGV at the trap	a string instruction of many turns comes
 *	SIGSEGV of the log	it is full: the end, or a long burst goes on in another slot
 *	any other fault		the program's: the end; it happens again natively
 *
 * At the end the frame is given the program's precise registers, signal mask and
 * alternate stack, and the handler returns to the program.
 */
#include <linux/time_types.h>
#include <string.h>
#include <time.h>
#include <x86intrin.h>

#include "tracee/bursts/bursts.h"
#include "tracee/bursts/cache.h"
#include "tracee/bursts/miss.h"
#include "tracee/bursts/text.h"
#include "tracee/bursts/timed.h"
#include "tracee/bursts/translate.h"
#include "tracee/decode/decode.h"
#include "tracee/decode/heads.h"
#include "tracee/x86/emit.h"
#include "tracee/x86/safe.h"

#define TRAP_FLAG	0x100
#define ARCH_GET_FS	0x1003
#define ARCH_GET_GS	0x1004
#define ALL_REFS	UINT32_MAX
#define TURNS_MOST	(8u << 20)	/* of long strings, in a timed part or a long burst */

static struct {
	struct thread *thread;
	struct burst *slot;
	struct definitions definitions;
	uint64_t mask;			/* the program's */
	stack_t stack;
	uint64_t translated;		/* before */
	uint32_t parts;			/* of a long burst, that may follow */
	bool timing;			/* the log has not begun */
	uint64_t missing;		/* TSC spent on blocks that were missing */
	uint64_t turns;			/* of them, so far, in the timed part or the log */
	uint64_t log_ns;		/* CPU time when the logged part began */
	unsigned int log_faults;	/* in it */
} now;

static uint64_t bursts;
static uint32_t forgotten;		/* area->forgotten, as the code cache knows it */
static uint64_t new_blocks;		/* of the last burst */

static const uint8_t greg[16] = {
	REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
	REG_R8, REG_R9, REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15,
};

struct here here;

void burst_image(void)
{
	here.pid = area_process();
	here.image = (__rdtsc() ^ (uint64_t)here.pid << 40) | 1;
	bursts = 0;
	now.timing = false;
	cache_forget();
	text_forget();
}

/* --- the beginning --- */

static bool on_stack(const stack_t *stack, uint64_t rsp)
{
	return !(stack->ss_flags & SS_DISABLE) && rsp - (uint64_t)stack->ss_sp < stack->ss_size;
}

static bool refuse(enum burst_reason reason)
{
	area_count(reason);
	return false;
}

static void begin_slot(struct burst *slot, const ucontext_t *context, uint64_t entered)
{
	slot->pid = here.pid;
	slot->tid = now.thread->number;
	slot->image = here.image;
	slot->cpu_time = current_cpu_ns();
	sys2(arch_prctl, ARCH_GET_FS, &slot->fs_base);
	sys2(arch_prctl, ARCH_GET_GS, &slot->gs_base);
	slot->rip = context->uc_mcontext.gregs[REG_RIP];
	slot->met_first = calls_met(context);
	slot->first_us = now.thread->first_us;
	slot->start = entered;
	slot->settle_ns = slot->part = slot->more = 0;
	counter_give(&now.thread->counter, slot);
	now.definitions.at = bursts_slot_definitions(slot);
	now.definitions.end = now.definitions.at + BURSTS_DEFINITIONS;
	now.missing = 0;
}

/* The program is about to go on; a fault will end that. */
static void begin_clock(void)
{
	now.log_ns = current_cpu_ns();
	now.log_faults = 1;
}

static void begin_log(struct burst *slot, uint32_t words)
{
	slot->log_begin = words < BURSTS_LOG_WORDS ? BURSTS_LOG_WORDS - words : 0;
	variables->log = (uint64_t)(bursts_slot_log(slot) + slot->log_begin);
	area_populate(slot);
	begin_clock();
}

/* The timed part, or the log at once. */
static void begin_part(struct thread *thread, struct burst *slot)
{
	now.timing = !slot->by_counter && timed_wanted(thread, bursts, new_blocks);
	now.turns = 0;
	variables->enough = 0;
	if (!now.timing) {
		begin_log(slot, area->log_words);
		return;
	}
	cache_prepare_timed();
	variables->log = timed_begin(slot);
}

/* The program's code may not be what was translated, or the reader not know it any more. */
static void check_cache(void)
{
	uint32_t now_forgotten = __atomic_load_n(&area->forgotten, __ATOMIC_ACQUIRE);

	if (text_burst() && forgotten == now_forgotten && cache_verify())
		return;
	forgotten = now_forgotten;
	cache_flush();
	text_forget();
	__atomic_fetch_add(&area->flushes, 1, __ATOMIC_RELAXED);
}

/* The program's alternate stack may be small: faults, which may be several, are on ours. */
static void enter(struct thread *thread, ucontext_t *context)
{
	const stack_t ours = { .ss_sp = thread->stack, .ss_size = thread->stack_size };
	uint64_t mask = ~FAULT_SIGNALS;

	memcpy(&now.mask, &context->uc_sigmask, sizeof(now.mask));
	now.stack = context->uc_stack;
	memcpy(&context->uc_sigmask, &mask, sizeof(mask));
	context->uc_stack = ours;
	set_alternate_stack(&ours);
	variables->target = context->uc_mcontext.gregs[REG_RIP];
	context->uc_mcontext.gregs[REG_RIP] = (uint64_t)stub_start;
}

bool burst_begin(struct thread *thread, ucontext_t *context, uint64_t entered)
{
	uint64_t rsp = context->uc_mcontext.gregs[REG_RSP];
	uint64_t flags = context->uc_mcontext.gregs[REG_EFL];

	if (flags & (TRAP_FLAG | ALIGNMENT_FLAG))
		return refuse(flags & TRAP_FLAG ? BURST_SINGLE_STEP : BURST_ALIGNMENT);
	if (on_stack(&context->uc_stack, rsp) ||
	    rsp - (uint64_t)thread->stack < thread->stack_size)
		return refuse(BURST_ALT_STACK);
	if (!burst_try_lock())
		return refuse(BURST_BUSY);
	/* Stopped meanwhile, a filter may be there. */
	if (!timer_signal || faults_forbid(thread)) {
		burst_unlock();
		return false;
	}
	/* A child of a fork that was not the C library's */
	if (!here.image)
		burst_image();
	if (!cache_init()) {
		burst_unlock();
		library_stop(BURST_MEMORY);
		return false;
	}
	now.slot = area_claim();
	if (!now.slot) {
		burst_unlock();
		return refuse(BURST_NO_SLOT);
	}
	now.thread = thread;
	now.translated = translated;
	now.parts = area->parts ? __atomic_exchange_n(&area->parts, 0, __ATOMIC_RELAXED) : 0;
	__atomic_store_n(&here.running, true, __ATOMIC_RELEASE);
	begin_slot(now.slot, context, entered);
	begin_part(thread, now.slot);
	faults_install();
	miss_stack(thread->stack, thread->stack_size);
	enter(thread, context);
	return true;
}

/* --- the end --- */

/* Written, and no more of it. */
static void end_part(struct burst *slot, enum burst_reason reason, uint32_t log_end,
		     uint32_t last_refs)
{
	uint64_t ns = current_cpu_ns() - now.log_ns;
	uint64_t faults = timed_fault_ns() * now.log_faults;

	slot->logged_ns = ns > faults ? ns - faults : 1;
	slot->reason = reason;
	slot->number = ++bursts;
	slot->log_end = log_end;
	slot->last_refs = last_refs;
	slot->met = 0;
	if (!slot->part)
		thread_give_met(now.thread, slot);
	slot->definitions = now.definitions.at - bursts_slot_definitions(slot);
	slot->translated = new_blocks = translated - now.translated;
	slot->missing = now.missing;
	slot->blocks = cache_blocks();
	slot->cpu_spent = current_cpu_ns() - slot->cpu_time;
	slot->end = __rdtsc();
	area_publish(slot);
}

static void end_slot(struct burst *slot, enum burst_reason reason, uint32_t log_end,
		     uint32_t last_refs)
{
	__atomic_fetch_add(&area->bursts, 1, __ATOMIC_RELAXED);
	area_count(reason);
	end_part(slot, reason, log_end, last_refs);
}

/* Tests want many bursts: the next one begins where this one has ended. */
static void again(struct thread *thread, ucontext_t *context)
{
	if (++thread->repeats < __atomic_load_n(&area->repeat, __ATOMIC_RELAXED))
		burst_begin(thread, context, __rdtsc());
}

/* The timed part ended early: nothing was logged. */
static void abandon(struct thread *thread, struct burst *slot)
{
	now.timing = false;
	if (now.parts)
		__atomic_store_n(&area->parts, now.parts, __ATOMIC_RELAXED);
	timed_left_early(thread);
	thread_arm_again(thread, slot->met_first);
	__atomic_fetch_add(&area->idle_ns, current_cpu_ns() - slot->cpu_time,
			   __ATOMIC_RELAXED);
	area_release(slot);
}

static void end(ucontext_t *context, uint64_t rip, enum burst_reason reason, uint32_t log_end,
		uint32_t last_refs)
{
	struct thread *thread = now.thread;

	/* The program's handlers of faults that are sent may not come back: they are for later. */
	block_signals(NULL);
	context->uc_mcontext.gregs[REG_RIP] = rip;
	memcpy(&context->uc_sigmask, &now.mask, sizeof(now.mask));
	context->uc_stack = now.stack;
	set_alternate_stack(&now.stack);
	now.slot->end_rip = rip;
	faults_restore();
	faults_send_again();
	if (now.timing) {
		abandon(thread, now.slot);
	} else {
		thread_arm(thread, now.slot->met_first);
		end_slot(now.slot, reason, log_end, last_refs);
	}
	__atomic_store_n(&here.running, false, __ATOMIC_RELEASE);
	burst_unlock();
	if (reason == BURST_FULL)
		again(thread, context);
}

static uint32_t log_index(uint64_t at)
{
	uint32_t index = (uint64_t *)at - bursts_slot_log(now.slot);

	/* What a block leaves free behind its words may lie beyond. */
	return index < BURSTS_LOG_WORDS ? index : BURSTS_LOG_WORDS;
}

static void end_between_blocks(ucontext_t *context, uint64_t rip, enum burst_reason reason)
{
	end(context, rip, reason, log_index(variables->log), ALL_REFS);
}

/*
 * Where the log ends with a block that ran up to an instruction before which it has @refs
 * references, which may become ALL_REFS: the last block in the log is one before it.
 */
static uint32_t cut_log(const struct block *block, const greg_t *regs, uint32_t *refs)
{
	uint32_t begin, log_end;

	if (block->quiet) {
		*refs = ALL_REFS;
		return log_index(variables->log);
	}
	begin = log_index(regs[greg[block->scratch[0]]]);
	log_end = begin + 1 + block->words;
	if (begin >= BURSTS_LOG_WORDS)		/* not even the block's number */
		*refs = ALL_REFS;
	return log_end > BURSTS_LOG_WORDS ? BURSTS_LOG_WORDS : log_end;
}

static void give_back_registers(const struct block *block, greg_t *regs)
{
	unsigned int i;

	for (i = 0; i < 2; i++) {
		if (block->scratch[i] != NO_REGISTER)
			regs[greg[block->scratch[i]]] = variables->save[i];
	}
}

/* --- between --- */

/* So much is new that the time would be that of the new: logging begins, between two blocks. */
static void skip_timing(struct burst *slot)
{
	if (!now.timing || translated - now.translated < BURST_FEW_NEW)
		return;
	now.timing = false;
	timed_end(slot, now.missing, 0);
	now.turns = 0;
	begin_log(slot, area->log_words);
}

/*
 * The code of the block at an address, linked to where it was missed.
 * @exit: NULL: an indirect jump, or the beginning
 * @reason: set if there is none: enum burst_reason
 */
static const uint8_t *code_at(uint64_t address, const struct exit *exit, bool indirect,
			      enum burst_reason *reason)
{
	struct block *block;
	uint64_t begun = __rdtsc();
	int error;

	skip_timing(now.slot);
	heads_fetch(decode_heads, translated - now.translated);
	error = translate(address, now.timing, &now.definitions, exit, &block);

	if (error < 0) {
		cache_flush();
		__atomic_fetch_add(&area->flushes, 1, __ATOMIC_RELAXED);
		exit = NULL;
		error = translate(address, now.timing, &now.definitions, NULL, &block);
	}
	now.missing += __rdtsc() - begun;
	if (error) {
		*reason = error - 1;
		return NULL;
	}
	if (exit)
		cache_link(exit, block);
	else if (indirect)
		cache_link_indirect(block);
	return cache_code + block->code;
}

/* Called by miss_enter. Return: where translated code goes on. */
const uint8_t *burst_miss(void)
{
	const struct exit *exit = cache_taken();
	enum burst_reason reason;
	const uint8_t *code;

	if (exit)
		variables->target = exit->target;
	code = code_at(variables->target, exit, !exit, &reason);
	return code ? code : stub_again;
}

/* @code: NULL: the burst ends */
static void go_on(ucontext_t *context, const uint8_t *code, enum burst_reason reason)
{
	if (code)
		context->uc_mcontext.gregs[REG_RIP] = (uint64_t)code;
	else
		end_between_blocks(context, variables->target, reason);
}

/*
 * The log of a long burst is full: it goes on in another slot, from the instruction at @rip on.
 *
 * Return: false if it has no more parts, or the reader is behind.
 */
static bool next_part(ucontext_t *context, uint64_t rip, uint32_t log_end, uint32_t refs)
{
	struct burst *slot = now.parts ? area_claim_spare() : NULL, *before = now.slot;
	enum burst_reason reason = BURST_FULL;
	uint32_t part = before->part + 1;

	if (!slot)
		return false;
	now.parts--;
	before->end_rip = rip;
	before->more = 1;
	end_part(before, reason, log_end, refs);
	now.translated = translated;
	now.slot = slot;
	context->uc_mcontext.gregs[REG_RIP] = rip;
	begin_slot(slot, context, __rdtsc());
	slot->part = part;
	begin_log(slot, area->part_words);
	variables->target = rip;
	go_on(context, code_at(rip, NULL, false, &reason), reason);
	return true;
}

/* In the translation of which of the block's instructions, or the logging before it? */
static unsigned int insn_at(const struct block *block, const greg_t *regs)
{
	const struct place *place = cache_places(block);
	uint32_t offset = regs[REG_RIP] - (uint64_t)cache_code - block->code;
	unsigned int i = block->insns - 1;

	while (i && place[i].code > offset)
		i--;
	return i;
}

/* The program's. */
static uint64_t address_at(const struct block *block, const greg_t *regs)
{
	return block->address + cache_places(block)[insn_at(block, regs)].source;
}

static void end_in_block(ucontext_t *context, const struct block *block, bool full)
{
	const struct place *place = cache_places(block);
	greg_t *regs = context->uc_mcontext.gregs;
	uint32_t offset = regs[REG_RIP] - (uint64_t)cache_code - block->code;
	unsigned int i = insn_at(block, regs);
	uint32_t refs, source, log_end;
	bool has_run;

	refs = place[i].refs;
	source = place[i].source;
	has_run = offset >= place[i].after;
	if (emit_rcx_is_away((uint8_t *)regs[REG_RIP])) {
		regs[REG_RCX] = variables->rcx;
		if (has_run)
			refs = i + 1 < block->insns ? place[i + 1].refs : ALL_REFS;
	}
	if (has_run)
		source = i + 1 < block->insns ? place[i + 1].source : block->bytes;
	log_end = cut_log(block, regs, &refs);
	give_back_registers(block, regs);
	/* What a repeated string instruction that has run did is not all logged: a gap. */
	if (!full || has_run || !next_part(context, block->address + source, log_end, refs))
		end(context, block->address + source, full ? BURST_FULL : BURST_FAULT, log_end,
		    refs);
}

/* That of stub_start. Return: false if it is to come again, to see what a fault takes. */
static bool first_fault(void)
{
	if (now.timing && timed_fault_came())
		return true;
	check_cache();
	if (now.timing)
		timed_fault_leave();
	return !now.timing;
}

/* A stub has faulted: the burst goes on, or ends. */
static bool at_stub(ucontext_t *context)
{
	const uint8_t *rip = (const uint8_t *)context->uc_mcontext.gregs[REG_RIP], *code;
	const struct exit *exit = NULL;
	enum burst_reason reason;

	if (!cache_is_stub(rip))
		return false;
	if (rip == stub_start && !first_fault())
		return true;
	if (rip == stub_exit)
		exit = cache_taken();
	if (exit)
		variables->target = exit->target;
	code = code_at(variables->target, exit, rip != stub_start, &reason);
	go_on(context, code, reason);
	if (rip == stub_start) {
		timed_clock(now.missing);
		begin_clock();
	}
	return true;
}

/* What was counted, of instructions. */
static uint64_t timed_so_far(const struct block *block, const greg_t *regs)
{
	return regs[greg[block->scratch[0]]] + insn_at(block, regs) - now.slot->timed_instructions;
}

/* The program has run up to an instruction of the block: from there on references are logged. */
static void end_timing(ucontext_t *context, const struct block *block)
{
	greg_t *regs = context->uc_mcontext.gregs;
	uint64_t address = address_at(block, regs);
	struct burst *slot = now.slot;
	enum burst_reason reason = BURST_FULL;

	timed_end(slot, now.missing, now.turns ? 0 : timed_so_far(block, regs));
	now.turns = 0;
	give_back_registers(block, regs);
	now.timing = false;
	now.thread->left_early = 0;
	begin_log(slot, area->log_words);
	variables->target = address;
	go_on(context, code_at(address, NULL, false, &reason), reason);
}

/* At the end of the first count the block's load of it comes again, with the next one. */
static void end_count(ucontext_t *context, const struct block *block)
{
	if (!timed_settles()) {
		end_timing(context, block);
		return;
	}
	now.turns = 0;
	context->uc_mcontext.gregs[greg[block->scratch[0]]] =
		timed_next(now.slot, now.missing, !bursts);
}

/* The timer met the program at this instruction, which has not run yet. */
static bool is_first(const struct block *block, const greg_t *regs)
{
	return timed_settles() && address_at(block, regs) == now.slot->rip &&
	       !timed_so_far(block, regs);
}

/*
 * A string instruction has many turns. It runs, and the burst ends behind it: few more references
 * would be kept. The log begins with it if the timer met the program there; else the timed part
 * goes on behind it, and says nothing of a speed.
 */
static bool many_turns(ucontext_t *context, const struct block *block)
{
	greg_t *regs = context->uc_mcontext.gregs;

	if (variables->enough) {
		end_in_block(context, block, true);
		return true;
	}
	regs[REG_RCX] = variables->rcx;
	if (now.timing && (is_first(block, regs) || now.turns >= TURNS_MOST)) {
		end_timing(context, block);
		return true;
	}
	now.turns += variables->rcx;
	now.log_faults++;
	variables->enough = !now.timing && (!now.parts || now.turns >= TURNS_MOST);
	regs[REG_RIP] += TRAP_BYTES;
	return true;
}

bool burst_fault(int signal, siginfo_t *info, ucontext_t *context)
{
	const uint8_t *rip = (const uint8_t *)context->uc_mcontext.gregs[REG_RIP];
	uint64_t guard = (uint64_t)bursts_slot_guard(now.slot);
	const struct block *block;

	if (!cache_holds(rip))
		return false;
	block = cache_find_code(rip);
	if (!block)
		return signal == SIGSEGV && at_stub(context);
	if (now.timing && !block->quiet && signal == SIGSEGV &&
	    timed_is_end((uint64_t)info->si_addr)) {
		end_count(context, block);
		return true;
	}
	if (signal == SIGSEGV && info->si_addr == cache_trap && emit_rcx_is_away(rip))
		return many_turns(context, block);
	end_in_block(context, block, signal == SIGSEGV &&
		     (uint64_t)info->si_addr - guard < BURSTS_PAGE);
	return true;
}
