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

#define CODE	7			/* mov $number, %eax; syscall */
#define SYSCALL_BYTES	2

/* These wait for signals with a mask of their own: EINTR may be what they are called for. */
static bool waits_for_signals(uint32_t number)
{
	switch (number) {
	case SYS_pause:
	case SYS_rt_sigsuspend:
	case SYS_rt_sigtimedwait:
	case SYS_pselect6:
	case SYS_ppoll:
	case SYS_epoll_pwait:
	case SYS_epoll_pwait2:
		return true;
	default:
		return false;
	}
}

/* Another signal interrupts it too. */
static bool others_pending(const ucontext_t *context)
{
	uint64_t pending = 0, mask;

	memcpy(&mask, &context->uc_sigmask, sizeof(mask));
	sys2(rt_sigpending, &pending, sizeof(pending));
	return pending & ~mask & ~SIGNAL_BIT(timer_signal);
}

/* The kernel reads the 8 bytes at @at before it finds that there is no such operation. */
static bool readable(const uint8_t *at)
{
	return sys4(rt_sigprocmask, -1, at, NULL, sizeof(uint64_t)) == -EINVAL;
}

/* SYSCALL leaves the address behind it in rcx (SDM 2B); one to be made again is before that. */
uint64_t calls_met(const ucontext_t *context)
{
	const greg_t *regs = context->uc_mcontext.gregs;
	uint64_t beyond = regs[REG_RCX] - regs[REG_RIP];

	return beyond == 0 || beyond == SYSCALL_BYTES ? 0 : regs[REG_RIP];
}

void calls_restart(ucontext_t *context)
{
	greg_t *regs = context->uc_mcontext.gregs;
	const uint8_t *code = (const uint8_t *)regs[REG_RIP] - CODE;
	uint32_t number;

	if (regs[REG_RAX] != -EINTR || !readable(code) || code[0] != 0xb8 || code[5] != 0x0f ||
	    code[6] != 0x05)
		return;
	memcpy(&number, code + 1, sizeof(number));
	if (waits_for_signals(number) || others_pending(context))
		return;
	regs[REG_RAX] = number;
	regs[REG_RIP] -= SYSCALL_BYTES;
	__atomic_fetch_add(&area->restarted, 1, __ATOMIC_RELAXED);
}
