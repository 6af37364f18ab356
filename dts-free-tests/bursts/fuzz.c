// SPDX-License-Identifier: GPL-2.0-only
/*
 * Random sequences of instructions, run natively and in the tracer: registers,
 * flags, vector state, memory and the signal that ends them must be equal; the
 * references that the tracer logs must be those that follow from the registers
 * before each instruction.
 *
 *	fuzz [SEQUENCES [SEED [CHAIN]]]		0 sequences: without end
 *
 * CHAIN: begins with that chain of sequences (chain.h), as a failure says.
 *
 * Each burst compares all code that is translated, so chains overwrite one another soon, which
 * empties the code cache. With a seed that 16 divides it fills up before, at a tenth of the speed.
 *
 * A sequence begins with random registers, most of them pointers into a buffer
 * between guard pages, and ends at its end or with whatever fault comes first. Logs
 * are cut at random places, so that bursts end between any two references. Half of the
 * bursts begin with a timed part; of the others all references of each sequence are compared
 * (walk.c), and of one in 128 sequences with those that single steps see, too.
 * Left out: what is not the same twice natively (time, random numbers, the
 * processor's number), what would end the test itself (system calls, segment
 * registers), the x87 instruction pointer, which is where an instruction ran.
 */
#include <stdio.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "chain.h"
#include "fuzz.h"
#include "step.h"
#include "bursts/log.h"
#include "tracee/burst-log/log.h"

#define DRIVER		4096u		/* bytes of code, before the first sequence */
#define PLACE		(CHAIN * SEQUENCE)	/* of a chain's code */
#define PLACES		((CODE - DRIVER) / PLACE)
#define FEW_PLACES	16u
#define REFERENCES	100000
#define FAILURES	10
#define POOL		8192u		/* random numbers */
#define STEPPED		128		/* one in so many sequences */
#define FEW_STEPS	256		/* a string instruction may have many */
#define MANY_STEPS	10000
#define PRINTED		20

struct list {
	struct burst_reference reference[REFERENCES];
	size_t count;
};

static struct burst_log log_all;
static struct sequence sequences[CHAIN];
static uint8_t data_begin[CHAIN][DATA], data_native[CHAIN][DATA];
static struct list logged, walked, stepped;
static uint64_t entered[CHAIN];		/* the part of a burst that began it */
static bool whole[CHAIN];		/* ... and ended it: all its references are logged */
static uint64_t parts_read;
static uint32_t part_expected;
static uint64_t random_state, pool[POOL];
static struct {
	uint64_t sequences, whole, compared, stepped, faults, timed, parts, refused;
} total;

static uint64_t mix(uint64_t value)
{
	value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9ull;
	value = (value ^ value >> 27) * 0x94d049bb133111ebull;
	return value ^ value >> 31;
}

/* splitmix64 */
uint64_t random64(void)
{
	return mix(random_state += 0x9e3779b97f4a7c15ull);
}

uint32_t below(uint32_t limit)
{
	return (random64() >> 32) * limit >> 32;
}

/* --- what to begin with --- */

/* Somewhere in a pool, and changed: @size a multiple of 8, at most DATA. */
static void fill(uint8_t *bytes, size_t size)
{
	const uint64_t *from = pool + below(POOL - DATA / 8);
	uint64_t change = random64();

	for (size_t i = 0; i < size; i += sizeof(uint64_t)) {
		uint64_t random = *from++ ^ change;

		memcpy(bytes + i, &random, sizeof(random));
	}
}

/* Small numbers of 64 bits, a few negative; of 32 bits, too. */
static void near_indices(struct state *state, unsigned int reg)
{
	unsigned int parts[] = { 1, 2, 6 }, widths[] = { 16, 16, 32 }, i, j, offset, size;

	if (reg >= 16) {
		parts[0] = 7;
		widths[0] = 64;
		reg -= 16;
	}
	for (i = 0; i < (parts[0] == 7 ? 1 : 3); i++) {
		offset = 160;
		if (!(chain_mask & 1u << parts[i]) ||
		    (parts[i] > 1 && !xsave_part(parts[i], &offset, &size)))
			continue;
		for (j = 0; j < widths[i]; j += sizeof(int64_t)) {
			int64_t index = (int64_t)below(300) - 20;

			memcpy(state->vector + offset + reg * widths[i] + j, &index, sizeof(index));
		}
	}
}

static void begin_vectors(struct state *state, uint32_t indices)
{
	static const uint16_t control = 0x37f;
	static const uint32_t mxcsr[] = { 0x1f80, 0xffff };
	uint64_t present = chain_mask;
	unsigned int i, offset, size;

	memset(state->vector, 0, sizeof(state->vector));
	memcpy(state->vector, &control, sizeof(control));
	memcpy(state->vector + 24, mxcsr, sizeof(mxcsr));
	memcpy(state->vector + 512, &present, sizeof(present));
	fill(state->vector + 160, 416 - 160);		/* xmm */
	for (i = 2; i < 8; i++) {
		if (chain_mask & 1u << i && xsave_part(i, &offset, &size))
			fill(state->vector + offset, size);
	}
	for (i = 0; i < 32; i++) {
		if (indices & 1u << i)
			near_indices(state, i);
	}
}

/* @fits: the addresses that are made of it */
static uint64_t begin_register(uint64_t data, bool fits, bool base, bool index)
{
	uint32_t kind = below(8);

	if (fits && base && (!index || kind))
		return data + (below(DATA) & (kind & 1 ? ~63 : ~0));
	if (fits && index)
		return kind & 1 ? below(512) : below(8) * 64;
	return kind == 0 ? random64() : kind <= 2 ? below(16) : data + below(DATA);
}

static void begin(unsigned int i)
{
	struct state *state = &chain_begin[i];
	const struct sequence *s = &sequences[i];
	uint64_t data = (uint64_t)chain_data(i);
	bool fits = below(8);
	unsigned int reg;

	for (reg = 0; reg < 16; reg++)
		*numbered(state->gpr, reg) = begin_register(data, fits, s->bases >> reg & 1,
							    s->indices >> reg & 1);
	state->gpr[REG_RSP] = data + DATA / 2 + (below(64) << 3);
	state->gpr[REG_RIP] = s->begin;
	chain_begin_flags(state, 0x202 | (random64() & 0x8d5) | (below(16) ? 0 : 0x400));
	begin_vectors(state, fits ? s->vectors : 0);
	fill(data_begin[i], DATA);
}

/* A chain ends with a sequence that may end a burst. Return: how many they are. */
static unsigned int make(size_t at, unsigned int most)
{
	uint8_t bytes[SEQUENCE];
	unsigned int i;
	size_t size;

	for (i = 0; i < most; i++) {
		struct sequence *s = &sequences[i];

		size = sequence(bytes, (uint64_t)code_in + at, (uint64_t)chain_data(i), s);
		size += chain_put_end(bytes + size, s->end);
		chain_write((uint64_t)code_in + at, bytes, size);
		at += size;
		begin(i);
		if (s->refused)
			return i + 1;
	}
	return i;
}

static void restore_data(unsigned int first, unsigned int count)
{
	unsigned int i;

	for (i = first; i < first + count; i++)
		memcpy(chain_data(i), data_begin[i], DATA);
}

/* --- what bursts have logged --- */

static unsigned int index_in(const struct state *states, uint64_t address)
{
	uint64_t offset = address - (uint64_t)states;

	return offset < CHAIN * STATE && offset % STATE == S_VECTOR ? offset / STATE : CHAIN;
}

static void take_one(const struct burst_reference *reference)
{
	unsigned int i;

	if (!chain_is_driver(reference->ip)) {
		if (logged.count < REFERENCES)
			logged.reference[logged.count++] = *reference;
		return;
	}
	i = index_in(chain_begin, reference->address);
	if (i < CHAIN)
		entered[i] = parts_read;
	i = index_in(chain_traced, reference->address);
	if (i < CHAIN && entered[i] == parts_read)
		whole[i] = true;
}

static bool take(void *context, const struct burst_reference *all, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		take_one(&all[i]);
	return true;
}

static void take_burst(const struct burst *burst)
{
	unsigned int i;

	if (burst->part != part_expected && !log_all.why)
		log_all.why = "not the part that follows";
	part_expected = burst->more ? burst->part + 1 : 0;
	total.parts += burst->part > 0;
	total.timed += !!burst->timed_instructions;
	for (i = 0; i < CHAIN && burst->reason == BURST_FAULT; i++) {
		if (burst->end_rip - sequences[i].begin < SEQUENCE && entered[i] == parts_read &&
		    burst->end_rip < sequences[i].end)
			whole[i] = true;
	}
}

static void drain(void)
{
	struct burst burst;

	for (parts_read++; burst_log_next(&log_all, &burst); parts_read++) {
		burst_log_read(&log_all, &burst, NULL, take, NULL);
		take_burst(&burst);
	}
}

/* --- comparing --- */

static const char *const names[] = {
	"r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "rdi", "rsi", "rbp", "rbx", "rdx",
	"rax", "rcx", "rsp", "rip", "flags",
};

/*
 * A burst leaves by rt_sigreturn(), as any interrupt does by IRET, which some machines refuse where the
 * stack pointer is not canonical. Linux reports that at the instruction (fixup_bad_iret()).
 */
static bool return_refused(const struct state *native, const struct state *traced)
{
	int64_t rsp = traced->gpr[REG_RSP];

	return traced->signal == SIGSEGV && traced->code == SI_KERNEL &&
	       (native->signal != SIGSEGV || native->code != SI_KERNEL) &&
	       rsp != (int64_t)((uint64_t)rsp << 16) >> 16;
}

/* It was, of one of them: the burst may have ended in the middle of a block. */
static bool any_refused(unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		if (return_refused(&chain_native[i], &chain_traced[i]))
			return true;
	return false;
}

static bool same_registers(const struct state *native, const struct state *traced)
{
	bool same = true;
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (native->gpr[i] == traced->gpr[i] || (native->signal == 0 && i == REG_RIP))
			continue;
		printf("# %s: natively %llx, traced %llx\n", names[i], (long long)native->gpr[i],
		       (long long)traced->gpr[i]);
		same = false;
	}
	if (native->signal != traced->signal || native->code != traced->code ||
	    native->address != traced->address || native->signal < 0) {
		printf("# signal: natively %d (%d) at %p, traced %d (%d) at %p\n", native->signal,
		       native->code, native->address, traced->signal, traced->code,
		       traced->address);
		same = false;
	}
	return same;
}

static bool same_bytes(const char *what, const uint8_t *native, const uint8_t *traced, size_t from,
		       size_t to)
{
	size_t i = from;

	if (from >= to || !memcmp(native + from, traced + from, to - from))
		return true;
	while (native[i] == traced[i])
		i++;
	printf("# %s at %zx: natively %02x, traced %02x\n", what, i, native[i], traced[i]);
	return false;
}

/* But for x87's last instruction, its opcode and addresses. */
static bool same_vectors(const struct state *native, const struct state *traced)
{
	const uint8_t *a = native->vector, *b = traced->vector;
	unsigned int i, offset, size;
	bool same = same_bytes("x87 state", a, b, 0, 6) &&
		    same_bytes("x87 and SSE", a, b, 24, 416);

	for (i = 2; i < 8 && same; i++) {
		if (chain_mask & 1u << i && xsave_part(i, &offset, &size))
			same = same_bytes("vector state", a, b, offset, offset + size);
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

static void print_references(const char *what, const struct burst_reference *r, size_t count)
{
	size_t i;

	for (i = 0; i < count && i < PRINTED; i++)
		printf("# %s %zu of %zu: at %llx, kind %u, %llx, %u bytes\n", what, i, count,
		       (long long)r[i].ip, r[i].kind, (long long)r[i].address, r[i].size);
}

/* What one did where the log was full is not logged, and another burst may go on behind it. */
static bool is_repeated_string(const struct burst_reference *r)
{
	static const uint8_t prefixes[] = { 0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65, 0x66, 0x67, 0xf2,
					    0xf3 };
	const uint8_t *at = (const uint8_t *)r->ip;
	bool repeats = false;

	for (; *at >> 4 == 4 || memchr(prefixes, *at, sizeof(prefixes)); at++)
		repeats |= *at == 0xf2 || *at == 0xf3;
	return repeats && *at >= 0xa4 && *at <= 0xaf && *at != 0xa8 && *at != 0xa9;
}

/* References of one instruction, from the first on. */
static size_t of_instruction(struct burst_reference *first, size_t count)
{
	size_t n = 0;

	while (n < count && first[n].ip == first[0].ip)
		n++;
	return n;
}

/* Instruction by instruction; the log may end early, unless @all. */
static bool same_references(struct burst_reference *log, size_t logs, struct list *seen, bool all)
{
	size_t i = 0, j = 0, n, m;

	while (i < logs && j < seen->count) {
		struct burst_reference *expected = seen->reference + j;

		n = of_instruction(log + i, logs - i);
		m = of_instruction(expected, seen->count - j);
		if (log[i].ip != expected->ip && !all && is_repeated_string(expected)) {
			j += m;
			continue;
		}
		if (n < m && i + n == logs && !all)
			m = n;
		qsort(log + i, n, sizeof(*log), order);
		qsort(expected, m, sizeof(*log), order);
		while (n && m && log[i].ip == expected->ip && !order(&log[i], expected)) {
			i++, j++, n--, m--;
			expected++;
		}
		if (n || m)
			break;
	}
	return i == logs && (!all || j == seen->count);
}

/* Sequences have run one after the other: so are their references. Return: the first of @i's. */
static struct burst_reference *logged_of(unsigned int i, size_t *from, size_t *count)
{
	const struct sequence *s = &sequences[i];
	struct burst_reference *first = logged.reference + *from;
	size_t n = 0;

	while (*from + n < logged.count && first[n].ip - s->begin < s->end - s->begin)
		n++;
	*from += n;
	*count = n;
	return first;
}

static bool same_lists(const struct list *a, const struct list *b)
{
	return a->count == b->count &&
	       !memcmp(a->reference, b->reference, a->count * sizeof(a->reference[0]));
}

/* What a string instruction did before it faulted is not logged. Return: false if too long. */
static bool see_steps(unsigned int i, uint64_t stop, unsigned int most)
{
	restore_data(i, 1);
	step_begin(stepped.reference, REFERENCES, &stepped.count);
	if (!chain_step(&chain_begin[i], step, most))
		return false;
	while (stepped.count && stepped.reference[stepped.count - 1].ip == stop)
		stepped.count--;
	total.stepped++;
	return true;
}

/*
 * The references of a sequence. Single steps tell where walk() cannot, or where the sequence read
 * code that walk() had changed.
 */
static bool check_references(unsigned int i, struct burst_reference *log, size_t logs)
{
	uint64_t fault = chain_native[i].gpr[REG_RIP];
	uint64_t stop = chain_native[i].signal ? fault : sequences[i].end;
	bool has_walked, has_stepped, same = false;

	restore_data(i, 1);
	step_begin(walked.reference, REFERENCES, &walked.count);
	has_walked = walk(&chain_begin[i], stop);
	has_stepped = (!has_walked || !below(STEPPED)) && see_steps(i, stop, FEW_STEPS);
	if (has_walked && (!has_stepped || same_lists(&walked, &stepped)))
		same = same_references(log, logs, &walked, whole[i]);
	else if (!has_walked && !has_stepped)
		return true;
	total.compared++;
	if (same)
		return true;
	if (has_stepped || see_steps(i, stop, MANY_STEPS))
		same = same_references(log, logs, &stepped, whole[i]);
	if (!same) {
		print_references("logged", log, logs);
		print_references("seen", stepped.reference, stepped.count);
	}
	return same;
}

/* --- a chain --- */

static void print_sequence(unsigned int i)
{
	const struct sequence *s = &sequences[i];
	uint64_t at;

	printf("# code at %llx:", (long long)s->begin);
	for (at = s->begin; at < s->end; at++)
		printf(" %02x", *(const uint8_t *)at);
	printf("\n# registers:");
	for (at = 0; at < 16; at++)
		printf(" %s=%llx", names[at], (long long)chain_begin[i].gpr[at]);
	printf(" flags=%llx, data at %p\n", (long long)chain_begin[i].gpr[REG_EFL], chain_data(i));
}

/* Half of them are not timed; a quarter is cut, and short, so that all of it is traced. */
static unsigned int choose(struct chain_bursts *how)
{
	bool cut = !below(4);

	how->timed = below(2) ? 0 : 1 + below(below(2) ? 60 : 800);
	how->log_words = !cut ? 4096 : 1 + below(below(2) ? 6 : 60);
	how->part_words = 1 + below(below(2) ? 4 : 60);
	how->parts = below(2) ? 0 : 1 + below(11);
	how->repeat = 12;
	return cut ? 1 + below(4) : CHAIN;
}

static bool same_ends(unsigned int i)
{
	const struct state *native = &chain_native[i], *traced = &chain_traced[i];

	return same_registers(native, traced) && same_vectors(native, traced) &&
	       same_bytes("memory", data_native[i], chain_data(i), 0, DATA);
}

/* Return: how many sequences were not alike. */
static unsigned int compare(unsigned int count, bool references)
{
	unsigned int i, failed = 0;
	bool same[CHAIN];
	size_t from = 0;

	for (i = 0; i < count; i++)
		same[i] = same_ends(i);
	for (i = 0; i < count; i++) {
		size_t logs;
		struct burst_reference *log = logged_of(i, &from, &logs);

		if (same[i] && references && logged.count < REFERENCES && (logs || whole[i]))
			same[i] = check_references(i, log, logs);
		if (!same[i])
			print_sequence(i);
		failed += !same[i];
		total.whole += whole[i];
		total.faults += chain_native[i].signal != 0;
	}
	if (from != logged.count) {
		printf("# %zu of %zu references are in no order\n", from, logged.count);
		failed++;
	}
	return failed;
}

static unsigned int try(unsigned int count, const struct chain_bursts *how)
{
	unsigned int i;
	bool began;

	restore_data(0, CHAIN);		/* what scaled registers reach, too */
	chain_run_natively(count);
	for (i = 0; i < count; i++)
		memcpy(data_native[i], chain_data(i), DATA);
	restore_data(0, CHAIN);		/* what scaled registers reach, too */
	logged.count = 0;
	part_expected = 0;
	memset(entered, 0, sizeof(entered));
	memset(whole, 0, sizeof(whole));
	log_all.why = NULL;
	began = chain_run_traced(count, how, drain);
	total.sequences += count;
	if (any_refused(count)) {
		total.refused++;
		return 0;
	}
	if (!began || log_all.why || part_expected) {
		printf("# a bad burst: %s\n", !began ? "none" : log_all.why ? log_all.why :
		       "a part is missing");
		return 1;
	}
	return compare(count, !how->timed);
}

static uint64_t fuzz(uint64_t goal, uint64_t seed, uint64_t chain)
{
	unsigned int places = seed % 16 ? FEW_PLACES : PLACES, count;
	uint64_t failed = 0, i;

	sequence_init();
	random_state = mix(seed);
	for (i = 0; i < POOL; i++)
		pool[i] = random64();
	for (; (!goal || total.sequences < goal) && failed < FAILURES; chain++) {
		struct chain_bursts how;
		unsigned int wrong;

		random_state = mix(seed) + mix(~chain);
		count = make(DRIVER + chain % places * PLACE, choose(&how));
		wrong = try(count, &how);
		if (wrong)
			printf("# chain %llu of seed %llu: %u words, %u timed, parts %u of %u\n",
			       (long long)chain, (long long)seed, how.log_words, how.timed,
			       how.parts, how.part_words);
		failed += wrong;
	}
	return failed;
}

int main(int argc, char **argv)
{
	struct burst_log_options options = { 4096, 1000, 1000 };
	uint64_t goal = argc > 1 ? strtoull(argv[1], NULL, 0) : 20000;
	uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
	uint64_t chain = argc > 3 ? strtoull(argv[3], NULL, 0) : 0, failed;

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (!chain_is_possible()) {
		printf("1..0 # SKIP no XSAVE\n");
		return 0;
	}
	if (burst_log_open(&log_all, &options) || !chain_init(&log_all)) {
		printf("not ok 1 - memory\n1..1\n");
		return 1;
	}
	failed = fuzz(goal, seed, chain);
	printf("%sok 1 - %llu sequences, seed %llu: natively and traced alike\n1..1\n",
	       failed ? "not " : "", (long long)total.sequences, (long long)seed);
	printf("# bursts %llu, with a timed part %llu, further parts %llu, flushes %llu\n",
	       (long long)log_all.area->bursts, (long long)total.timed, (long long)total.parts,
	       (long long)log_all.area->flushes);
	printf("# instructions %llu, references %llu\n", (long long)log_all.instructions,
	       (long long)log_all.references);
	printf("# sequences that faulted %llu, wholly logged %llu, references compared %llu, "
	       "single-stepped %llu\n", (long long)total.faults, (long long)total.whole,
	       (long long)total.compared, (long long)total.stepped);
	printf("# chains not compared, as a return to a stack pointer was refused %llu\n",
	       (long long)total.refused);
	return failed != 0;
}
