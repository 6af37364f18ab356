/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Our libraries in the environments of programs that are executed: a script or `env` that sets
 * LD_PRELOAD for an allocator drops them without meaning to. Where a program takes LD_PRELOAD away,
 * or empties it, it stays so. From those of a program that does not take them (takes.h) they go.
 *
 * Nothing is allocated: exec may be called by a child of vfork, or by a handler of a signal. So the
 * caller has the room on its stack.
 */
#ifndef CCSAMPLE_TRACEE_PRELOAD_KEEP_H
#define CCSAMPLE_TRACEE_PRELOAD_KEEP_H

#include <stdbool.h>
#include <stddef.h>

/* What our own environment says is what is kept. */
void keep_init(char **environment);

struct kept_room {
	size_t strings;			/* with the NULL, at least 1 */
	size_t text;			/* bytes, at least 1 */
};

/* How much keep_libraries() needs. @takes: the program takes them */
struct kept_room keep_room(char *const environment[], bool takes);

/*
 * Return: the environment, or @strings: a copy with our libraries before those that it names, or
 * without.
 */
char *const *keep_libraries(char *const environment[], bool takes, const char **strings,
			    char *text);

#endif /* CCSAMPLE_TRACEE_PRELOAD_KEEP_H */
