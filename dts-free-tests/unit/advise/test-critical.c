// SPDX-License-Identifier: GPL-2.0-only
/* The longest chain of results through loops of this program, counted by hand. No caches, pages or chance. */
#include <elf.h>
#include <math.h>
#include <stdlib.h>

#include "advise/critical.h"
#include "program/symbols.h"
#include "tap.h"

#define TIMES 1000

/* Never run. Labels _1, _2: instructions that refer to memory. */
__asm__(".pushsection .text\n"
	"sum_1: addsd (%rdi), %xmm0\n"
	"	add $8, %rdi\n	cmp %rsi, %rdi\n	jne sum_1\n	ret\n"
	"sums_1: addsd (%rdi), %xmm0\n"
	"sums_2: addsd 8(%rdi), %xmm1\n"
	"	add $16, %rdi\n	cmp %rsi, %rdi\n	jne sums_1\n	ret\n"
	"count_1: mov (%rdi), %rax\n	add $1, %rax\n"
	"count_2: mov %rax, (%rdi)\n	dec %ecx\n	jne count_1\n	ret\n"
	"most_1: mov (%rdi), %edx\n	cmp %edx, %eax\n	cmovl %edx, %eax\n"
	"	add $8, %rdi\n	dec %ecx\n	jne most_1\n	ret\n"
	"list_1: mov (%rax), %rax\n	test %rax, %rax\n	jne list_1\n	ret\n"
	"hash_1: mov (%rbx,%rax,8), %rax\n	imul %r9, %rax\n	and $255, %eax\n	jne hash_1\n	ret\n"
	"spill_1: mov %rax, (%rbx)\n	imul %r8, %r8\n"
	"spill_2: mov (%rbx), %rbx\n	jmp spill_1\n"
	"quotients_1: movsd (%rdi), %xmm0\n	divsd %xmm1, %xmm0\n"
	"	add $8, %rdi\n	cmp %rsi, %rdi\n	jne quotients_1\n	ret\n"
	"copy_1: rep movsq\n	imul %r8, %r8\n	dec %edx\n	jne copy_1\n	ret\n"
	"either: test %edx, %edx\n	je copy_1\n"
	"either_1: mov (%rdi), %rax\n	jmp 1f\n	.skip 16, 0x06\n"
	"1:	imul %r8, %r8\n	dec %edx\n	jne either\n	ret\n"
	".popsection\n");

extern const char hash_1[], spill_1[], spill_2[], sum_1[], sums_1[], sums_2[], count_1[], count_2[], most_1[], list_1[], quotients_1[],
	copy_1[], either_1[];
extern const Elf64_Ehdr __ehdr_start;

static struct symbols *symbols;
static const struct latencies *latencies = &latencies_typical;

/* Where a label lies in the file. */
static uint64_t linked(const char *label)
{
	return (uint64_t)label - (__ehdr_start.e_type == ET_DYN ? (uint64_t)&__ehdr_start : 0);
}

static struct critical_time times[TIMES];

/* Cycles of a reference of a loop with one or two. @step: bytes from one round to the next */
static double cycles(const char *first, const char *second, uint64_t step)
{
	struct module *module = symbols_module(symbols, "/proc/self/exe", NULL, 0);
	struct keep_site site[2] = { { .code = { module, linked(first), false } } };
	struct keep keep = { .site = site, .site_count = second ? 2 : 1 };
	struct keep_burst burst = { .count = TIMES };
	struct critical *critical = critical_new(&keep, latencies);
	double result;

	if (second)
		site[1].code = (struct code){ module, linked(second), false };
	burst.accesses = calloc(TIMES, sizeof(*burst.accesses));
	for (size_t i = 0; i < TIMES; i++)
		burst.accesses[i] = (struct keep_access){
			.address = 0x10000 + i / keep.site_count * step,
			.site = i % keep.site_count, .last = 7,
		};
	result = critical_cycles(critical, &burst, 0, TIMES, times);
	critical_free(critical);
	free(burst.accesses);
	return result;
}

/* Each of the site waits for the load @before ago, @delay cycles. */
static bool waits(size_t site, size_t sites, size_t before, uint32_t delay)
{
	for (size_t i = 10 * sites + site; i < TIMES; i += sites)
		if (times[i].from != i - before + 1 ||
		    times[i].address != times[i - before].loaded + delay)
			return false;
	return true;
}

static bool free_of_loads(size_t sites)
{
	for (size_t i = sites; i < TIMES; i++)
		if (times[i].from)
			return false;
	return true;
}

static bool near(double value, double expected)
{
	return fabs(value - expected) < 0.05 * expected + 0.01;
}

int main(void)
{
	struct keep_site site = { .code = { NULL, 0x1000, false } };
	struct keep nothing = { .site = &site, .site_count = 1 };
	struct keep_access twice[2] = { { .address = 8 }, { .address = 16 } };
	struct keep_burst burst = { .accesses = twice, .count = 2 };
	struct critical *critical = critical_new(&nothing, latencies);

	symbols = symbols_new();
	ok(near(cycles(sum_1, NULL, 8), 3) && free_of_loads(1), "a sum: 3 cycles an addition, whatever the loads do");
	ok(near(cycles(sums_1, sums_2, 16), 1.5), "two sums go on beside each other");
	ok(near(cycles(count_1, count_2, 0), 2.5), "a counter in memory: forwarded, and added to");
	ok(near(cycles(count_1, count_2, 8), 0.5), "... counters one after the other: nothing waits");
	ok(near(cycles(most_1, NULL, 8), 2), "the largest: what is moved waits for what was compared");
	latencies = &(struct latencies){ { [LATENCY_ADD] = 2, [LATENCY_SIGNED] = 2,
				     [LATENCY_FORWARD] = 7 } };
	ok(near(cycles(sum_1, NULL, 8), 2) && near(cycles(most_1, NULL, 8), 3) &&
	   near(cycles(count_1, count_2, 0), 4),
	   "a processor that adds in 2 cycles, moves signed ones in 2, forwards in 7");
	latencies = &latencies_typical;
	ok(near(cycles(list_1, NULL, 64), 4) && waits(0, 1, 1, 0), "a list: a load that hits");
	ok(near(cycles(hash_1, NULL, 64), 8) && waits(0, 1, 1, 4),
	   "a table by a hash of what was there: a product, and all but some bits of it");
	cycles(spill_1, spill_2, 64);
	ok(waits(0, 2, 1, 0) && waits(1, 2, 2, 0), "addresses that a load gave, two references");
	ok(near(cycles(quotients_1, NULL, 8), 4), "quotients: the divider takes one at a time");
	ok(near(cycles(copy_1, NULL, 8), 0), "words that one instruction copies: no rounds of its loop");
	ok(near(cycles(either_1, NULL, 8), 3), "a jump over bytes that are no code, and back");
	ok(!critical_cycles(critical, &burst, 0, 2, times) && !critical_cycles(critical, &burst, 0, 1, times),
	   "code that no file has: nothing is known");
	critical_free(critical);
	symbols_free(symbols);
	return done();
}
