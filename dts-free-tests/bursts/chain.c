// SPDX-License-Identifier: GPL-2.0-only
/* Runs chains of sequences natively, traced, and step by step; see chain.h. */
#include <cpuid.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <x86intrin.h>

#include "chain.h"
#include "fuzz.h"
#include "bursts/log.h"
#include "tracee/bursts/bursts.h"
#include "tracee/decode/decode.h"

#define FAR		(40ull << 30)	/* around all: 32 bits, eightfold, are added to addresses */
#define SLOT		(256ul << 10)	/* a sequence's data, and none around that 16 bits can reach */
#define FP_LEGACY	464u		/* bytes; then the system's, to 512, and a header */
#define FP_EXTENDED	576u
#define TRAP_FLAG	0x100
#define DIRECTION_FLAG	0x400
#define OVERFLOW_FLAG	0x800

struct chain_variables {
	struct state *begin, *end;
	void (*out)(void);
	uint64_t target, rdi;
	uint32_t left, mask;
};

_Static_assert(sizeof(struct state) == STATE && offsetof(struct state, vector) == S_VECTOR &&
	       8 * REG_RIP == S_RIP && 8 * REG_EFL == S_FLAGS &&
	       offsetof(struct state, load) == S_LOAD && offsetof(struct state, down) == S_DOWN &&
	       offsetof(struct state, signal) == S_SIGNAL && 8 * REG_RDI == S_RDI &&
	       8 * REG_RSP == S_RSP, "struct state");
_Static_assert(offsetof(struct chain_variables, left) == V_LEFT &&
	       offsetof(struct chain_variables, target) == V_TARGET, "variables");

extern const uint8_t chain_load[], chain_save[], chain_next[], chain_end[], chain_trap[];
extern uint64_t chain_rsp;
void chain_enter(const void *where, uint32_t mask);
void chain_leave(void);

struct state chain_begin[CHAIN], chain_native[CHAIN], chain_traced[CHAIN];
uint8_t *code_in;

static int code_file;
uint32_t chain_mask;

/* What library.c has for real programs. */
int timer_signal = 54;			/* bursts may begin */
bool library_take(int signal)
{
	return false;
}

void library_give_back(int signal)
{
}

void library_stop(enum burst_reason reason)
{
}

/* The dynamic linker relocates it here. */
bool zydis_ready(void)
{
	return true;
}

static struct chain_variables *variables_of_chain;
static struct thread *thread;
static enum mode { NATIVE, TRACED, STEPPED } mode;
static const struct chain_bursts *bursts;
static void (*drain_bursts)(void);
static bool began;			/* a burst */
static const struct state *step_from;
static bool (*step_each)(const greg_t *registers, const uint8_t *vector);
static unsigned int steps, most_steps;
static size_t vector_end;

uint8_t *chain_data(unsigned int i)
{
	return code_in + CODE + GUARD + SLOT / 2 + i * SLOT;
}

/* Where the driver's copy has it. */
static const uint8_t *copy_of(const uint8_t *at)
{
	return code_in + (at - chain_load);
}

bool chain_is_driver(uint64_t address)
{
	return address - (uint64_t)code_in < (size_t)(chain_end - chain_load);
}

/* --- handlers --- */

static void record(const ucontext_t *context, int signal, const siginfo_t *info)
{
	const greg_t *regs = context->uc_mcontext.gregs;
	const uint8_t *vector = (const uint8_t *)context->uc_mcontext.fpregs;
	struct state *to = variables_of_chain->end;

	memcpy(to->gpr, regs, sizeof(to->gpr));
	to->signal = signal;
	to->code = info->si_code;
	to->address = info->si_addr;
	memcpy(to->vector, vector, FP_LEGACY);
	memcpy(to->vector + FP_EXTENDED, vector + FP_EXTENDED, vector_end - FP_EXTENDED);
}

static void begin_burst(ucontext_t *context, const uint8_t *where)
{
	greg_t *regs = context->uc_mcontext.gregs;

	regs[REG_RIP] = (uint64_t)copy_of(where);
	regs[REG_RSP] = chain_rsp;
	drain_bursts();
	area->parts = bursts->parts;
	thread->repeats = 0;
	if (variables_of_chain->left > (where == chain_next))
		began = burst_begin(thread, context, __rdtsc());
}

static void leave(ucontext_t *context)
{
	context->uc_mcontext.gregs[REG_RIP] = (uint64_t)chain_leave;
	context->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
}

static void begin_steps(ucontext_t *context)
{
	greg_t *regs = context->uc_mcontext.gregs;
	uint8_t *vector = (uint8_t *)context->uc_mcontext.fpregs;

	memcpy(regs, step_from->gpr, sizeof(step_from->gpr));
	regs[REG_EFL] |= TRAP_FLAG;
	memcpy(vector, step_from->vector, FP_LEGACY);
	memcpy(vector + FP_EXTENDED, step_from->vector + FP_EXTENDED, vector_end - FP_EXTENDED);
	*(uint64_t *)(vector + 512) |= chain_mask;
}

static void stepped(ucontext_t *context, bool begins, bool faults)
{
	const greg_t *regs = context->uc_mcontext.gregs;

	if (begins)
		begin_steps(context);
	/* A string instruction may be on its way through all of the code. */
	if (faults || steps > most_steps || regs[REG_RIP] == (greg_t)copy_of(chain_save)) {
		leave(context);
		return;
	}
	steps++;
	step_each(regs, (const uint8_t *)context->uc_mcontext.fpregs);
}

/* Back from a handler without the system, which would load all registers first. */
static void __attribute__((noreturn)) go_natively(const uint8_t *where)
{
	__asm__ volatile("jmp *%0" : : "r"(copy_of(where)) : "memory");
	__builtin_unreachable();
}

static void fault(int signal, siginfo_t *info, void *argument)
{
	ucontext_t *context = argument;
	bool begins = context->uc_mcontext.gregs[REG_RIP] == (greg_t)chain_trap;

	if (mode == STEPPED) {
		stepped(context, begins, !begins && signal != SIGTRAP);
		return;
	}
	if (!begins)
		record(context, signal, info);
	if (mode == NATIVE)
		go_natively(chain_next);
	begin_burst(context, begins ? chain_load : chain_next);
}

/* --- running --- */

static void run(enum mode how, const struct state *begin, struct state *end,
		unsigned int count, const void *from)
{
	unsigned int i;

	for (i = 0; i < count; i++) {
		end[i].signal = -1;
		end[i].code = 0;
		end[i].address = NULL;
	}
	mode = how;
	variables_of_chain->begin = (struct state *)begin;
	variables_of_chain->end = end;
	variables_of_chain->left = count;
	chain_enter(from, chain_mask);
}

void chain_run_natively(unsigned int count)
{
	run(NATIVE, chain_begin, chain_native, count, copy_of(chain_load));
}

bool chain_run_traced(unsigned int count, const struct chain_bursts *how, void (*drain)(void))
{
	bursts = how;
	drain_bursts = drain;
	area->log_words = how->log_words;
	area->timed = how->timed;
	area->part_words = how->part_words;
	area->repeat = how->repeat;
	began = false;
	run(TRACED, chain_begin, chain_traced, count, chain_trap);
	drain();
	return began;
}

void chain_run_one(const struct state *from, struct state *to)
{
	run(NATIVE, from, to, 1, copy_of(chain_load));
}

bool chain_step(const struct state *from,
		bool (*each)(const greg_t *registers, const uint8_t *vector), unsigned int most)
{
	step_from = from;
	step_each = each;
	most_steps = most;
	steps = 0;
	run(STEPPED, from, &chain_traced[0], 0, chain_trap);
	return steps <= most_steps;
}

/* --- what they are made of --- */

/* An addition of 1 to al overflows or not; sahf sets the others. */
void chain_begin_flags(struct state *state, uint64_t flags)
{
	state->gpr[REG_EFL] = flags;
	state->load[0] = flags & OVERFLOW_FLAG ? 0x7f : 0;
	state->load[1] = flags;
	state->down = !!(flags & DIRECTION_FLAG);
}

size_t chain_put_end(uint8_t *out, uint64_t address)
{
	int32_t distance = (uint64_t)copy_of(chain_save) - (address + 5);

	out[0] = 0xe9;
	memcpy(out + 1, &distance, sizeof(distance));
	return 5;
}

/* --- setting up --- */

static void handlers(void)
{
	static const int ends[] = { SIGILL, SIGSEGV, SIGBUS, SIGFPE, SIGTRAP };
	stack_t stack = { .ss_sp = malloc(262144), .ss_size = 262144 };
	struct sigaction action = { .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER };
	size_t i;

	sigaltstack(&stack, NULL);
	action.sa_sigaction = fault;
	sigemptyset(&action.sa_mask);
	for (i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		sigaction(ends[i], &action, NULL);
}

void chain_write(uint64_t address, const void *bytes, size_t size)
{
	if (pwrite(code_file, bytes, size, address - (uint64_t)code_in) != (ssize_t)size)
		abort();
}

/*
 * Code, variables, data of each: all at fixed distances, and nothing else around. The tracer trusts
 * code of a file that has a name, is nowhere mapped as shared, and has another part beside it.
 */
static bool memory(void)
{
	const size_t after = SLOT / 2 + CHAIN * SLOT;
	char name[] = "/tmp/sequences-XXXXXX";
	uint8_t *at = mmap(NULL, FAR + CODE + GUARD + after + FAR, PROT_NONE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	unsigned int i;

	code_file = mkstemp(name);
	unlink(name);
	if (code_file < 0 || ftruncate(code_file, CODE) < 0 || at == MAP_FAILED)
		return false;
	code_in = mmap(at + FAR, CODE + GUARD, PROT_NONE, MAP_PRIVATE | MAP_FIXED, code_file, 0);
	if (code_in == MAP_FAILED || mprotect(code_in, CODE, PROT_READ | PROT_EXEC))
		return false;
	variables_of_chain = (struct chain_variables *)(code_in + CODE + GUARD);
	for (i = 0; i < CHAIN; i++) {
		if (mprotect(chain_data(i), DATA, PROT_READ | PROT_WRITE))
			return false;
	}
	return !mprotect(variables_of_chain, VARIABLES, PROT_READ | PROT_WRITE);
}

/* x87, SSE, AVX and AVX-512, as far as they are there, and their place in an area of XSAVE. */
bool chain_is_possible(void)
{
	unsigned int part, offset, size, a, b, c, d;

	if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE))
		return false;
	__asm__ volatile("xgetbv" : "=a"(chain_mask) : "c"(0) : "rdx");
	chain_mask &= 0xe7;
	vector_end = FP_EXTENDED;
	for (part = 2; part < 8; part++) {
		if (chain_mask & 1u << part && xsave_part(part, &offset, &size) &&
		    offset + size > vector_end)
			vector_end = offset + size;
	}
	return vector_end <= STATE_VECTOR;
}

bool chain_init(struct burst_log *log)
{
	if (!memory() || !area_open(log->path))
		return false;
	chain_write((uint64_t)code_in, chain_load, chain_end - chain_load);
	variables_of_chain->out = chain_leave;
	variables_of_chain->mask = chain_mask;
	decode_init();
	thread = thread_new();
	thread->timer = -1;
	handlers();
	return true;
}
