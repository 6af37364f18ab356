/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the recorder has a running process do (burst-source/burst-attach.c), one call at a time, all
 * signals blocked, on a stack of its own. Functions return to attach_back (attach-back.S).
 */
#ifndef CCSAMPLE_TRACEE_BURSTS_ATTACH_H
#define CCSAMPLE_TRACEE_BURSTS_ATTACH_H

/* Return: a descriptor of memory that the recorder can find, or what the kernel says. */
long attach_memory(long unused);

/**
 * attach_begin() - take the memory, and a signal.
 * @fd: of the memory, as the recorder has prepared it; it is closed
 *
 * Return: the timer's signal, 0 = there can be no bursts: the reason is counted.
 */
long attach_begin(long fd);

/**
 * attach_thread() - the running thread is observed.
 * @number: what it is called in bursts
 *
 * Return: its CPU time, ns; -1 = it is not, for a reason that is counted.
 */
long attach_thread(long number);

/* An observed thread has ended: its memory goes to others. @number: what it was called */
long attach_ended(long number);

/* No timer fires from now on. */
long attach_stop(long unused);

/* Return: not 0 while a burst is under way. */
long attach_busy(long unused);

/**
 * attach_leave() - the running thread is left as it was.
 * @rsp: its stack pointer
 *
 * Return: 1 = it cannot yet: it is on the stack that we gave it; else 0.
 */
long attach_leave(long rsp);

/* All memory goes but this library's. */
long attach_unmap(long unused);

#endif /* CCSAMPLE_TRACEE_BURSTS_ATTACH_H */
