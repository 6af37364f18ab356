/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which code of the process may be translated: private, mapped from files, not
 * writable; and the kernel's [vdso]. The file must be one that nobody writes meanwhile: not one of
 * memory (memfd, shm), not mapped as shared in the process, and mapped as linkers do it, with its
 * other parts beside it. Not this library's own. What the side band's library
 * (tracee/preload) does in the program's functions is not the program's: its code runs in
 * bursts, and its references are not logged.
 */
#ifndef CCSAMPLE_TRACEE_BURSTS_TEXT_H
#define CCSAMPLE_TRACEE_BURSTS_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is mapped may have changed. */
void text_forget(void);

/**
 * text_burst() - a burst begins.
 *
 * Return: false: code that could be translated may not be any more.
 */
bool text_burst(void);

/* May some code there have been translated? Asked by any thread, behind its change of it. */
bool text_concerns(uintptr_t start, size_t size);

struct text {
	uint64_t end;			/* where such code ends */
	bool quiet;			/* not the program's: nothing is logged */
	uint64_t file_start, file_end;	/* of the mappings of its file around it */
};

/**
 * text_at() - may this code be translated?
 * @text: set
 *
 * Return: 0, or enum burst_reason + 1.
 */
int text_at(uint64_t address, struct text *text);

#endif /* CCSAMPLE_TRACEE_BURSTS_TEXT_H */
