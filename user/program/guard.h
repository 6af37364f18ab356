/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Broken programs cost their names, not the report: libdw and libelf may crash, or never return,
 * on files that are damaged or made to do so. A command that reads programs runs in a child, which
 * says in shared memory which file it is reading. If it ends there then the command is run again
 * without what was being read: without the file's debug information at first, then without the
 * file. The child is in a sandbox (base/sandbox.h). Nothing was written by then: pictures and
 * exports get their names when they are whole, and standard output is kept until the end.
 */
#ifndef CCSAMPLE_PROGRAM_GUARD_H
#define CCSAMPLE_PROGRAM_GUARD_H

#include <stdint.h>

/**
 * guard_run() - run a command in a child.
 * @memory: bytes that it may allocate, 0 = any number
 *
 * Signals that are sent to us are passed on. Return: what @run returned, or its exit status; -1
 * after one line, or if a signal ended it: then guard_end() is due.
 */
int guard_run(int (*run)(void *), void *context, uint64_t memory);

/* A child's exit status, of what waitpid() gave; -1 = a signal ended it. */
int guard_status(int status);

/* Ends this process by the signal that ended a child, if one did; temporary files are gone. */
void guard_end(void);

/* What may be read of a file. */
enum guard_damage {
	GUARD_SOUND,
	GUARD_NO_DEBUG,		/* not its debug information */
	GUARD_NOTHING,
};

enum guard_damage guard_damage(const char *path);

/* Around all that libdw and libelf do with a file. They nest; the outermost counts. */
void guard_enter(const char *path);
void guard_leave(void);

#endif /* CCSAMPLE_PROGRAM_GUARD_H */
