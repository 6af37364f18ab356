// SPDX-License-Identifier: GPL-2.0-only
/*
 * A counter's signal, or in old kernels the timer's, may come on the way into a
 * system call that does not restart by itself after a handler, SA_RESTART or not
 * (signal(7)). The program must not see EINTR for a signal that it does not know:
 * the call is made again. (Where that is not needed it must not be: a signal that
 * comes as a handler of the program's returns finds that one's EINTR.)
 */
#include <errno.h>
#include <string.h>

#include "tracee/bursts/bursts.h"

#define CODE	7			/* what sets the number; syscall */
#define FROM_STACK "\x48\x8b\x44\x24"	/* mov offset(%rsp), %rax: SDM 2B, MOV; 2A, 2.1.5 */
#define OF_R8	0x41			/* mov $number, %r8d: its prefix */
#define SYSCALL_BYTES	2

/* The kernel reads them before it finds that there is no such operation. */
bool calls_readable(const void *at)
{
	return sys4(rt_sigprocmask, -1, at, NULL, sizeof(uint64_t)) == -EINVAL;
}

/* The last argument of pselect6 (select(2)): a pointer to the mask and its size. */
static bool selects_with_mask(const uint8_t *argument)
{
	uint64_t mask = 0;

	if (argument && calls_readable(argument))
		memcpy(&mask, argument, sizeof(mask));
	return mask;
}

/*
 * It waits for signals, or with a mask of its own: EINTR may be what it is called for. A close()
 * that ends so has closed (close(2)).
 */
static bool ends_with_signals(uint32_t number, const greg_t *regs)
{
	switch (number) {
	case SYS_close:
	case SYS_pause:
	case SYS_rt_sigsuspend:
	case SYS_rt_sigtimedwait:
		return true;
	case SYS_pselect6:
		return selects_with_mask((const uint8_t *)regs[REG_R9]);
	case SYS_ppoll:
		return regs[REG_R10];
	case SYS_epoll_pwait:
	case SYS_epoll_pwait2:
		return regs[REG_R8];
	}
	return false;
}

/* Another signal interrupts it too. */
static bool others_pending(const ucontext_t *context)
{
	uint64_t pending = 0, mask;

	memcpy(&mask, &context->uc_sigmask, sizeof(mask));
	sys2(rt_sigpending, &pending, sizeof(pending));
	return pending & ~mask & ~SIGNAL_BIT(timer_signal);
}

/* SYSCALL leaves the address behind it in rcx (SDM 2B); one to be made again is before that. */
uint64_t calls_met(const ucontext_t *context)
{
	const greg_t *regs = context->uc_mcontext.gregs;
	uint64_t beyond = regs[REG_RCX] - regs[REG_RIP];

	return beyond == 0 || beyond == SYSCALL_BYTES ? 0 : regs[REG_RIP];
}

/*
 * The number as the code before SYSCALL sets it: mov $number, %eax; or mov offset(%rsp), %rax, of
 * glibc's calls at which a thread may be cancelled (from 2.41 on), where it is the only one.
 */
static bool find_number(const greg_t *regs, uint32_t *number)
{
	const uint8_t *code = (const uint8_t *)regs[REG_RIP] - CODE, *stack;

	if (!calls_readable(code - 1) || code[5] != 0x0f || code[6] != 0x05)
		return false;
	if (code[0] == 0xb8 && code[-1] != OF_R8) {
		memcpy(number, code + 1, sizeof(*number));
		return true;
	}
	stack = (const uint8_t *)regs[REG_RSP] + (int8_t)code[4];
	if (memcmp(code, FROM_STACK, sizeof(FROM_STACK) - 1) || !calls_readable(stack))
		return false;
	memcpy(number, stack, sizeof(*number));
	return true;
}

void calls_restart(ucontext_t *context)
{
	greg_t *regs = context->uc_mcontext.gregs;
	uint32_t number;

	if (regs[REG_RAX] != -EINTR || !find_number(regs, &number) ||
	    ends_with_signals(number, regs) || others_pending(context))
		return;
	regs[REG_RAX] = number;
	regs[REG_RIP] -= SYSCALL_BYTES;
	__atomic_fetch_add(&area->restarted, 1, __ATOMIC_RELAXED);
}
