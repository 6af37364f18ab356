// SPDX-License-Identifier: GPL-2.0-only
/*
 * Random sequences of instructions, run natively and in the tracer: registers,
 * flags, vector state, memory and the signal that ends them must be equal; the
 * references that the tracer logs must be those that single steps see.
 *
 *	fuzz [SEQUENCES [SEED]]		0 sequences: without end
 *
 * Each burst compares all code that is translated, so sequences overwrite one another soon, which
 * empties the code cache. With a seed that 16 divides it fills up before, at a tenth of the speed.
 *
 * A sequence begins with random registers, most of them pointers into a buffer
 * between guard pages, and ends with ud2 or with whatever fault comes first. Logs
 * are cut at random places, so that bursts end between any two references; most of those that
 * are not single-stepped begin with a timed part, which may be all of them.
 * Left out: what is not the same twice natively (time, random numbers, the
 * processor's number), what would end the test itself (system calls, segment
 * registers), the x87 instruction pointer, which is where an instruction ran.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <x86intrin.h>

#include "fuzz.h"
#include "bursts/log.h"
#include "tracee/bursts/bursts.h"
#include "tracee/bursts/cache.h"
#include "tracee/bursts/decode.h"

#define CODE		(16u << 20)
#define ROUND		(64u << 10)	/* of it, before the first sequence is overwritten */
#define GUARD		(16u << 20)	/* between code and data: no access */
#define FAR		(4ull << 30)	/* around both: any 32 bits of an address may change */
#define STATE		16384		/* an XSAVE area and more */
#define FP_LEGACY	512
#define TRAP_FLAG	0x100
#define REFERENCES	100000
#define STEPS		10000

enum mode { NATIVE, TRACED, STEPPED };

struct outcome {
	greg_t regs[NGREG];
	uint8_t state[STATE];
	uint8_t data[DATA];
	int signal, code;
	void *address;
};

/* What library.c has for real programs. */
int timer_signal;
void library_stop(enum burst_reason reason)
{
}

uint8_t *data;
static uint8_t *code_out, *code_in;	/* the same memory, written and run */
static uint8_t data_begin[DATA], state_begin[STATE];
static greg_t regs_begin[NGREG];
static struct outcome native, traced;
static enum mode mode;
static struct thread *thread;
static bool burst_began;
static ucontext_t home;
static uint8_t home_state[STATE];
static size_t state_size;
static struct burst_reference logged[REFERENCES], seen[REFERENCES];
static size_t loggeds, seens, steps;
static uint64_t seed_now;
static uint64_t timed, unlogged;	/* bursts with a timed part; those that had no other */
static uint64_t parts;			/* of long bursts, beyond the first */

uint64_t random64(void)
{
	seed_now ^= seed_now << 13;
	seed_now ^= seed_now >> 7;
	seed_now ^= seed_now << 17;
	return seed_now * 0x2545f4914f6cdd1dull;
}

uint32_t below(uint32_t limit)
{
	return (random64() >> 32) * limit >> 32;
}

/* --- running --- */

/* The C library says that raise() calls nothing here; the handlers are here. */
static void raise_here(void)
{
	__asm__ volatile("" ::: "memory");
	raise(SIGUSR1);
	__asm__ volatile("" ::: "memory");
}

static void start(int signal, siginfo_t *info, void *argument)
{
	ucontext_t *context = argument;
	greg_t *regs = context->uc_mcontext.gregs;
	int i;

	home = *context;
	memcpy(home_state, context->uc_mcontext.fpregs, state_size);
	memcpy(context->uc_mcontext.fpregs, state_begin, FP_LEGACY - 48);
	/* past the header's magic: what the kernel says of the area stays */
	memcpy((uint8_t *)context->uc_mcontext.fpregs + FP_LEGACY, state_begin + FP_LEGACY,
	       state_size - FP_LEGACY);
	for (i = 0; i < NGREG; i++) {
		if (i <= REG_RIP || i == REG_EFL)
			regs[i] = regs_begin[i];
	}
	if (mode == STEPPED) {
		regs[REG_EFL] |= TRAP_FLAG;
		step(context);
	}
	burst_began = mode == TRACED && burst_begin(thread, context, __rdtsc());
}

static void finish(int signal, siginfo_t *info, void *argument)
{
	ucontext_t *context = argument;
	struct outcome *out = mode == TRACED ? &traced : &native;

	if (mode == STEPPED && signal == SIGTRAP && info->si_code == TRAP_TRACE) {
		step(context);
		/* A string instruction on its way through all of the code. */
		if (++steps > STEPS)
			context->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
		return;
	}
	if (mode != STEPPED) {
		memcpy(out->regs, context->uc_mcontext.gregs, sizeof(out->regs));
		memcpy(out->state, context->uc_mcontext.fpregs, state_size);
		memcpy(out->data, data, DATA);
		out->signal = signal;
		out->code = info->si_code;
		out->address = info->si_addr;
	}
	memcpy(context->uc_mcontext.gregs, home.uc_mcontext.gregs, sizeof(home.uc_mcontext.gregs));
	memcpy(context->uc_mcontext.fpregs, home_state, state_size);
	context->uc_sigmask = home.uc_sigmask;
}

static void run(enum mode how)
{
	mode = how;
	memcpy(data, data_begin, DATA);
	steps = 0;
	if (how == STEPPED)
		step_begin(seen, REFERENCES, &seens);
	raise_here();
}

static void take(void *context, const struct burst_reference *reference)
{
	if (loggeds < REFERENCES)
		logged[loggeds++] = *reference;
}

/* --- comparing --- */

static const char *const names[] = {
	"r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "rdi", "rsi", "rbp", "rbx", "rdx",
	"rax", "rcx", "rsp", "rip", "flags",
};

static bool same_state(void)
{
	/* of the legacy area: last instruction's opcode and addresses; what the system writes */
	memset(native.state + 6, 0, 18);
	memset(traced.state + 6, 0, 18);
	memset(native.state + FP_LEGACY - 48, 0, 48);
	memset(traced.state + FP_LEGACY - 48, 0, 48);
	memset(native.state + FP_LEGACY, 0, 64);
	memset(traced.state + FP_LEGACY, 0, 64);
	return !memcmp(native.state, traced.state, state_size);
}

static bool same_outcome(void)
{
	bool same = true;
	size_t i;

	for (i = 0; i <= REG_EFL; i++) {
		if (native.regs[i] != traced.regs[i]) {
			printf("# %s: natively %llx, traced %llx\n", names[i],
			       (long long)native.regs[i], (long long)traced.regs[i]);
			same = false;
		}
	}
	if (native.signal != traced.signal || native.code != traced.code ||
	    native.address != traced.address) {
		printf("# signal: natively %d (%d) at %p, traced %d (%d) at %p\n", native.signal,
		       native.code, native.address, traced.signal, traced.code, traced.address);
		same = false;
	}
	for (i = 0; i < DATA; i++) {
		if (native.data[i] != traced.data[i]) {
			printf("# memory at %zx: natively %02x, traced %02x\n", i, native.data[i],
			       traced.data[i]);
			same = false;
			break;
		}
	}
	if (!same_state()) {
		for (i = 0; native.state[i] == traced.state[i]; i++)
			;
		printf("# vector state at %zu: natively %02x, traced %02x\n", i, native.state[i],
		       traced.state[i]);
		same = false;
	}
	return same;
}

static int order(const void *a, const void *b)
{
	const struct burst_reference *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	return x->size < y->size ? -1 : x->size > y->size;
}

/* Instruction by instruction; the log may end early. */
static bool same_references(void)
{
	size_t i = 0, j;

	while (i < loggeds) {
		for (j = i; j < loggeds && j < seens && logged[j].ip == logged[i].ip &&
		     seen[j].ip == logged[i].ip; j++)
			;
		if (j == i) {
			printf("# reference %zu of %zu: logged at %llx, seen at %llx\n", i, loggeds,
			       (long long)logged[i].ip, i < seens ? (long long)seen[i].ip : 0);
			return false;
		}
		qsort(logged + i, j - i, sizeof(*logged), order);
		qsort(seen + i, j - i, sizeof(*seen), order);
		for (; i < j; i++) {
			if (!order(&logged[i], &seen[i]))
				continue;
			printf("# reference %zu at %llx: logged %u %llx %u, seen %u %llx %u\n", i,
			       (long long)logged[i].ip, logged[i].kind,
			       (long long)logged[i].address,
			       logged[i].size, seen[i].kind, (long long)seen[i].address,
			       seen[i].size);
			return false;
		}
	}
	return true;
}

/* --- what to begin with --- */

/* Of a size that is a multiple of 8. */
static void fill(uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i < size; i += sizeof(uint64_t)) {
		uint64_t random = random64();

		memcpy(bytes + i, &random, sizeof(random));
	}
}

static void begin_state(void)
{
	unsigned int i, offset, size;

	memcpy(state_begin, home_state, state_size);
	fill(data_begin, DATA);
	fill(state_begin + 160, 416 - 160);		/* xmm */
	for (i = 2; i < 8; i++) {
		if (!(0xe4 & 1u << i) || !xsave_part(i, &offset, &size) ||
		    offset + size > state_size)
			continue;
		state_begin[FP_LEGACY] |= 1u << i;
		fill(state_begin + offset, size);
	}
	state_begin[FP_LEGACY] |= 2;
}

static void begin_registers(uint64_t rip)
{
	int i;

	memset(regs_begin, 0, sizeof(regs_begin));
	for (i = 0; i < 16; i++) {
		uint32_t kind = below(8);

		regs_begin[i] = kind == 0 ? random64() : kind <= 2 ? below(16) :
				(uint64_t)data + below(DATA);
	}
	regs_begin[REG_RSP] = (uint64_t)data + DATA / 2 + (below(64) << 3);
	regs_begin[REG_RIP] = rip;
	regs_begin[REG_EFL] = 0x202 | (random64() & 0x8d5) | (below(16) ? 0 : 0x400);
}

static void print_sequence(const uint8_t *code, size_t size)
{
	size_t i;

	printf("# code:");
	for (i = 0; i < size; i++)
		printf(" %02x", code[i]);
	printf("\n# registers:");
	for (i = 0; i < 16; i++)
		printf(" %s=%llx", names[i], (long long)regs_begin[i]);
	printf(" flags=%llx, data at %p, code at %llx\n", (long long)regs_begin[REG_EFL], data,
	       (long long)regs_begin[REG_RIP]);
}

static struct burst_log log_all;

static bool next_part(struct burst *burst, uint32_t part)
{
	burst->more = 0;
	if (!burst_log_next(&log_all, burst, take, NULL))
		return false;
	if (!log_all.why && burst->part != part)
		log_all.why = "not the part that follows";
	return true;
}

static bool try(size_t at, size_t size, bool step)
{
	struct burst burst;
	uint32_t part;
	bool same;

	log_all.area->log_words = below(4) ? 4096 : 1 + below(below(2) ? 6 : 60);
	log_all.area->timed = step || !below(4) ? 0 : 1 + below(below(2) ? 4 : 40);
	log_all.area->part_words = 1 + below(below(2) ? 4 : 60);
	log_all.area->parts = below(2) ? 0 : 1 + below(11);
	run(NATIVE);
	run(TRACED);
	loggeds = 0;
	if (!burst_began) {
		printf("# no burst\n");
		return false;
	}
	burst.reason = BURST_REASONS;
	log_all.why = NULL;
	if (next_part(&burst, 0))
		timed += !!burst.timed_instructions;
	else if (log_all.area->timed)
		unlogged++;
	else
		log_all.why = "none";
	for (part = 1; !log_all.why && burst.more; part++) {
		parts++;
		if (!next_part(&burst, part))
			log_all.why = log_all.why ? log_all.why : "a part is missing";
	}
	if (log_all.why) {
		printf("# a bad burst: %s\n", log_all.why);
		return false;
	}
	same = same_outcome();
	if (same && step) {
		run(STEPPED);
		same = steps > STEPS || same_references();
	}
	if (!same) {
		printf("# burst: %s\n", burst_reason_name(burst.reason));
		print_sequence(code_out + at, size);
	}
	return same;
}

/* --- setting up --- */

static void handlers(void)
{
	static const int ends[] = { SIGILL, SIGSEGV, SIGBUS, SIGFPE, SIGTRAP };
	stack_t stack = { .ss_sp = malloc(262144), .ss_size = 262144 };
	struct sigaction action = { .sa_flags = SA_SIGINFO | SA_ONSTACK };
	size_t i;

	sigaltstack(&stack, NULL);
	action.sa_sigaction = start;
	sigfillset(&action.sa_mask);
	for (i = 0; i < 5; i++)
		sigdelset(&action.sa_mask, ends[i]);
	sigaction(SIGUSR1, &action, NULL);
	action.sa_sigaction = finish;
	for (i = 0; i < 5; i++)
		sigaction(ends[i], &action, NULL);
}

static bool memory(void)
{
	int fd = memfd_create("sequences", 0);
	uint8_t *at = mmap(NULL, FAR + CODE + GUARD + DATA + FAR, PROT_NONE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (fd < 0 || ftruncate(fd, CODE) < 0 || at == MAP_FAILED)
		return false;
	code_out = mmap(NULL, CODE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	code_in = mmap(at + FAR, CODE, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED, fd, 0);
	data = at + FAR + CODE + GUARD;
	return code_out != MAP_FAILED && code_in != MAP_FAILED &&
	       !mprotect(data, DATA, PROT_READ | PROT_WRITE);
}

/* Sequences follow one another; at the end of the memory the first are overwritten. */
static uint64_t fuzz(uint64_t sequences, size_t room)
{
	uint64_t done, failed = 0;
	size_t at = 0;

	for (done = 0; (!sequences || done < sequences) && failed < 10; done++) {
		uint64_t seed = seed_now;
		size_t size;

		if (at + SEQUENCE > room)
			at = 0;
		size = sequence(code_out + at, (uint64_t)code_in + at);
		begin_state();
		begin_registers((uint64_t)code_in + at);
		if (!try(at, size, done % 4 == 0)) {
			printf("# sequence %llu, seed %llu\n", (long long)done, (long long)seed);
			failed++;
		}
		at += size;
	}
	return failed;
}

int main(int argc, char **argv)
{
	struct burst_log_options options = { 4096, 1000, 1000 };
	uint64_t sequences = argc > 1 ? strtoull(argv[1], NULL, 0) : 20000;
	uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 1, failed;

	setvbuf(stdout, NULL, _IOLBF, 0);
	seed_now = seed * 2 + 1;
	state_size = xsave_size();
	if (!memory() || state_size > STATE || burst_log_open(&log_all, &options) ||
	    !area_open(log_all.path)) {
		printf("not ok 1 - memory\n1..1\n");
		return 1;
	}
	decode_init();
	thread = thread_new();
	thread->timer = -1;
	handlers();
	mode = NATIVE;
	memset(code_out, 0x0f, 1);
	memset(code_out + 1, 0x0b, 1);
	regs_begin[REG_RIP] = (uint64_t)code_in;
	regs_begin[REG_RSP] = (uint64_t)data + DATA / 2;
	regs_begin[REG_EFL] = 0x202;
	raise_here();			/* to see what vector state looks like */
	failed = fuzz(sequences, seed % 16 ? ROUND : CODE);
	printf("%sok 1 - %llu sequences, seed %llu: natively and traced alike\n1..1\n",
	       failed ? "not " : "", (long long)sequences, (long long)seed);
	printf("# references %llu, instructions %llu, flushes %llu, timed %llu and %llu, parts %llu\n",
	       (long long)log_all.references, (long long)log_all.instructions,
	       (long long)log_all.area->flushes, (long long)timed, (long long)unlogged,
	       (long long)parts);
	return failed != 0;
}
