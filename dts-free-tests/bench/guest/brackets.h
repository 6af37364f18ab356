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

#define BRACKETED_INTERRUPT							\
static int bracketed_interrupt(unsigned int command, struct pt_regs *regs)	\
{										\
	int result;								\
										\
	bracket(70);								\
	result = interrupt(command, regs);					\
	bracket(71);								\
	return result;								\
}

#define BRACKETED_SWITCH							\
static void bracketed_switch(void *unused, bool preempt, struct task_struct *prev,	\
			     struct task_struct *next, unsigned int prev_state)	\
{										\
	bracket(72);								\
	on_switch(unused, preempt, prev, next, prev_state);			\
	bracket(73);								\
}
