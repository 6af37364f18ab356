/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A running process that works for us: its threads stopped, a library put into its memory by hand
 * (attach/image.h), functions of it called by its threads, all taken away again.
 *
 * Knows nothing of what the library does.
 */
#ifndef CCSAMPLE_ATTACH_PROCESS_H
#define CCSAMPLE_ATTACH_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct attach_process {
	pid_t pid;
	pid_t *stopped;			/* threads that we hold */
	size_t count, room;
	pid_t *late;			/* asked to stop; they wait in the kernel, as in vfork(2) */
	size_t late_count, late_room;
	uint64_t gate;			/* a system call instruction of the process's vDSO */
	uint64_t memory, size;		/* ours in it, 0 = none */
	uint64_t stack;			/* ... the top of the calls' stack */
	uint64_t back;			/* ... where functions return to */
};

/**
 * attach_process_check() - may it be attached to, as far as /proc shows?
 *
 * Return: 0, or -1 after one line: there is none, it is another's, traced, 32-bit, restricted ...
 */
int attach_process_check(pid_t pid);

/* May we attach to a process that we start? Tried, with one. */
bool attach_process_allowed(void);

/* Late threads go on, as they stop: to be called again and again. */
void attach_process_release_late(struct attach_process *process);

/* Forgets its threads, of which none is stopped; late ones go on when we end. */
void attach_process_close(struct attach_process *process);

/**
 * attach_process_stop() - stop the process.
 * @known: threads that may go on, NULL = none
 * @wait_ns: how long to wait for a thread that was not asked before
 *
 * Threads that have not stopped by then are late: the next call takes those that have since.
 *
 * Return: 0 (process->stopped holds who was stopped), or -1 after one line: all go on.
 */
int attach_process_stop(struct attach_process *process, bool (*known)(void *context, pid_t tid),
			void *context, uint64_t wait_ns);

/* All go on, and are not traced any more. */
void attach_process_go(struct attach_process *process);

/**
 * attach_process_load() - put a library into a stopped process.
 * @back: name of the code that functions return to: it makes the call ATTACH_LAST_CALL
 * @names, @addresses: what is asked of the library, ended by NULL
 *
 * Return: 0, or -1 after one line; nothing is left then.
 */
int attach_process_load(struct attach_process *process, const char *path, const char *back,
			const char *const *names, uint64_t *addresses);

/* Take it away. */
void attach_process_unload(struct attach_process *process);

/* A function of the library, called by a stopped thread. Return: its result, -ESRCH: it is gone */
long attach_process_call(struct attach_process *process, pid_t tid, uint64_t function,
			 long argument);

/*
 * A descriptor of the process, as one of ours: the very file that it has open, with its rights. By
 * its name in /proc it would be opened with ours, and the process may have put another file there.
 * Return: -1 with errno where the kernel (before 5.6) or the process does not give it.
 */
int attach_process_descriptor(pid_t pid, int fd);

/* Memory of the process. Return: false if it is not there. */
bool attach_process_read(pid_t pid, uint64_t at, void *to, size_t size);

#endif /* CCSAMPLE_ATTACH_PROCESS_H */
