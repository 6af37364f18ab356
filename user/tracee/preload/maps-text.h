/* SPDX-License-Identifier: GPL-2.0-only */
/* The lines of /proc/self/maps, one reader at a time. */
#ifndef CCSAMPLE_TRACEE_PRELOAD_MAPS_TEXT_H
#define CCSAMPLE_TRACEE_PRELOAD_MAPS_TEXT_H

#include <stdbool.h>
#include <stdint.h>

struct mapping {
	uintptr_t start, end;
	uint64_t offset;
	uint32_t protection;
	uint32_t path_size;
	const char *path;		/* good until the next line is asked for */
	uint64_t hash;			/* of the path */
};

bool maps_text_open(void);

/*
 * The next mapping. "[heap]" and "[stack]" are names, other memory has none.
 * What cannot be read is counted as lost.
 *
 * Return: there was one.
 */
bool maps_text_next(struct mapping *m);
void maps_text_close(void);

#endif /* CCSAMPLE_TRACEE_PRELOAD_MAPS_TEXT_H */
