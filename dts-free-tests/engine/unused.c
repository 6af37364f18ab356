// SPDX-License-Identifier: GPL-2.0-only
/*
 * Loads whose values are not used: four a turn into one register, as code that touches its data
 * does. touch() loads 4 x LINES x ROUNDS times, and returns. It also tests bits of registers by
 * registers, which Valgrind does in memory: these are no references. Two locked read-modify-writes
 * a turn, of what was just loaded, are a load and a store each.
 */
#define LINES	1024
#define ROUNDS	10
#define LINE	64

static char data[4 * LINES * LINE];

static __attribute__((noinline)) void touch(void)
{
	for (int round = 0; round < ROUNDS; round++)
		for (char *at = data; at < data + sizeof(data); at += 4 * LINE)
			__asm__ volatile("movq (%0), %%rax\n\t"
					 "movq 64(%0), %%rax\n\t"
					 "movq 128(%0), %%rax\n\t"
					 "leaq 0x3f5cf1c0(%0), %%rdx\n\t"
					 "movq -0x3f5cf100(%%rdx), %%rax\n\t"	/* ends like btl */
					 "btq %%r9, %%rax\n\t"
					 "btsl %%ecx, %%r8d\n\t"
					 "btrw %%cx, %%ax\n\t"
					 "btcq %%rcx, %%r8\n\t"
					 "btq $5, %%rax\n\t"
					 "lock addq $1, (%0)\n\t"
					 "xchgq %%rax, 64(%0)"
					 : : "r"(at)
					 : "rax", "rcx", "rdx", "r8", "r9", "cc", "memory");
}

int main(void)
{
	touch();
	return 0;
}
