/* SPDX-License-Identifier: GPL-2.0-only */
/* Functions that a preloaded library wraps, as the next object after it has them. */
#ifndef CCSAMPLE_TRACEE_PRELOAD_FIND_H
#define CCSAMPLE_TRACEE_PRELOAD_FIND_H

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct wrapped {
	const char *name;
	void *at;			/* where its address goes: a pointer to a function */
};

/**
 * find_wrapped() - look up functions.
 * @look_up: dlsym(), which may be wrapped itself
 *
 * Return: whether all are there; of those that are not the address is NULL.
 */
static inline bool find_wrapped(const struct wrapped *all, size_t count,
				void *(*look_up)(void *handle, const char *name))
{
	bool good = true;
	size_t i;

	for (i = 0; i < count; i++) {
		void *function = look_up(RTLD_NEXT, all[i].name);

		memcpy(all[i].at, &function, sizeof(function));
		good = good && function;
	}
	return good;
}

#endif /* CCSAMPLE_TRACEE_PRELOAD_FIND_H */
