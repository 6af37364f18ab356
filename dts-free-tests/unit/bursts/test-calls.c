// SPDX-License-Identifier: GPL-2.0-only
/*
 * System calls that the timer's signal ended (tracee/bursts/calls.c): where the code before SYSCALL
 * shows which one it was, it is made again, but not if the program may mean it to end.
 */
#include <errno.h>
#include <string.h>

#include "tap.h"
#include "tracee/bursts/bursts.h"

#define CALL	7			/* bytes: mov, syscall */
#define SLOT	0x10			/* of the number on the stack */
#define FAR	0x800000000000ul	/* nothing can be there */

static struct bursts_area made;
static uint64_t stack[8];
static uint8_t bytes[1 + CALL + 1], *const code = bytes + 1;

static void number_in_code(uint32_t number)
{
	memcpy(code, "\xb8....\x0f\x05", CALL);
	memcpy(code + 1, &number, sizeof(number));
}

static void number_on_stack(uint32_t number)
{
	memcpy(code, "\x48\x8b\x44\x24\x10\x0f\x05", CALL);
	stack[SLOT / sizeof(*stack)] = number;
}

static ucontext_t context;		/* its other registers are arguments */

/* Return: what is in rax then, if the call is made again; else 0. */
static uint64_t again(int64_t result, uint64_t rsp)
{
	greg_t *regs = context.uc_mcontext.gregs;

	regs[REG_RAX] = result;
	regs[REG_RSP] = rsp;
	regs[REG_RIP] = (uint64_t)code + CALL;
	calls_restart(&context);
	return (uint64_t)regs[REG_RIP] == (uint64_t)code + CALL - 2 ? (uint64_t)regs[REG_RAX] : 0;
}

/* @argument: the register of the mask; of pselect6 that of a pointer to it */
static void test_mask(uint32_t number, int argument, const char *name)
{
	greg_t *regs = context.uc_mcontext.gregs;
	const uint64_t none[2] = { 0, 8 }, one[2] = { 8, 8 };

	number_in_code(number);
	regs[argument] = 0;
	ok(again(-EINTR, 0) == number, "%s() without a mask is made again", name);
	regs[argument] = (uint64_t)one;
	ok(!again(-EINTR, 0), "... with one it is not");
	regs[argument] = (uint64_t)none;
	if (number == SYS_pselect6)
		ok(again(-EINTR, 0) == number, "... with a pointer to none it is");
	regs[argument] = 0;
}

int main(void)
{
	uint64_t rsp = (uint64_t)stack;

	area = &made;
	timer_signal = 54;
	number_in_code(SYS_nanosleep);
	ok(again(-EINTR, rsp) == SYS_nanosleep, "a number in the code: it is made again");
	ok(!again(-EINVAL, rsp) && !again(0, rsp), "... but not if it did not end with EINTR");
	number_on_stack(SYS_poll);
	ok(again(-EINTR, rsp) == SYS_poll, "a number on the stack: it is made again");
	ok(!again(-EINTR, FAR - SLOT), "... but not if it cannot be read");
	stack[SLOT / sizeof(*stack)] = SYS_pause;
	ok(!again(-EINTR, rsp), "a call that is to be interrupted is not");
	number_in_code(SYS_rt_sigsuspend);
	ok(!again(-EINTR, rsp), "... however its number is set");
	memcpy(code, "\x48\x89\xf0\x90\x90\x0f\x05", CALL);
	ok(!again(-EINTR, rsp), "a number that is not known: it is not");
	test_mask(SYS_pselect6, REG_R9, "pselect");
	test_mask(SYS_ppoll, REG_R10, "ppoll");
	test_mask(SYS_epoll_pwait, REG_R8, "epoll_pwait");
	number_in_code(SYS_close);
	ok(!again(-EINTR, rsp), "close() is not: it has closed");
	number_in_code(SYS_poll);
	code[-1] = 0x41;
	ok(!again(-EINTR, rsp), "nor one before which r8 is set");
	ok(made.restarted == 6, "those that were are counted");
	return done();
}
