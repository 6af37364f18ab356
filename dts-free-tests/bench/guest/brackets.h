/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Put into a copy of the module (bench/kmod does): its interrupt and its task
 * switch between marks of the oracle's, so that their instructions can be told
 * from the kernel's. A mark is the instruction CPUID (vcore/guest/mark.c).
 */
static __always_inline void bracket(unsigned int number)
{
	unsigned int a = 0x56434d4b, b, c = number, d;

	asm volatile("cpuid" : "+a" (a), "=b" (b), "+c" (c), "=d" (d));
}

#define BRACKET(number, ...)		\
	do {				\
		bracket(number);	\
		__VA_ARGS__;		\
		bracket(number + 1);	\
	} while (0)
