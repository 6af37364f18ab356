/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A thread of a running process, stopped by ptrace(2): it makes system calls and calls
 * functions in our place, and goes on as if nothing had been.
 *
 * It is stopped by PTRACE_INTERRUPT, so the kernel makes a system call again that it waits in.
 * While it works for us all its signals are blocked; registers, vector state and signal mask are
 * put back.
 */
#ifndef CCSAMPLE_ATTACH_THREAD_H
#define CCSAMPLE_ATTACH_THREAD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/user.h>

/* What functions return to makes this call, with the result in rdi; they must not. */
#define ATTACH_LAST_CALL	SYS_getpgrp

struct attach_call {
	uint64_t at;			/* a function, or a system call instruction */
	uint64_t stack;			/* of a function: where its return address is; else 0 */
	long number;			/* the system call */
	long argument[6];
};

/**
 * attach_thread_stop() - stop a thread.
 * @asked: it was asked before, and has not stopped yet
 * @wait_ns: how long to wait for it
 *
 * It is not within a restartable sequence (rseq(2)) then, and no fault of its own is due.
 *
 * Return: 0, or an errno. EBUSY: it waits in the kernel and stops when it leaves that; EAGAIN: it
 * is always in one of these; ESRCH, EPERM. But for EBUSY it is not traced then.
 */
int attach_thread_stop(pid_t tid, bool asked, uint64_t wait_ns);

/* Where it was stopped. Return: 0, or -1 if it is gone. */
int attach_thread_registers(pid_t tid, struct user_regs_struct *regs);

/* The signals that it blocks. */
int attach_thread_mask(pid_t tid, uint64_t *mask);
int attach_thread_set_mask(pid_t tid, uint64_t mask);

/**
 * attach_thread_call() - a function or a system call, made by a stopped thread.
 * @result: what it returned
 *
 * Return: 0, or -1 if it is gone, died of it, or took too long: it is where it was then.
 */
int attach_thread_call(pid_t tid, const struct attach_call *call, long *result);

/* It goes on, and is not traced any more. */
void attach_thread_release(pid_t tid);

#endif /* CCSAMPLE_ATTACH_THREAD_H */
