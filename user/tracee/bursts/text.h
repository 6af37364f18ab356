/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which code of the process may be translated: private, mapped from files, not
 * writable; and the kernel's [vdso]. Not this library's own. What the side band's library
 * (tracee/preload) does in the program's functions is not the program's: its code runs in
 * bursts, and its references are not logged.
 */
#ifndef CCSAMPLE_TRACEE_BURSTS_TEXT_H
#define CCSAMPLE_TRACEE_BURSTS_TEXT_H

#include <stdbool.h>
#include <stdint.h>

/* What is mapped may have changed. */
void text_forget(void);

/* A burst begins: /proc/self/maps may be read again, once. */
void text_burst(void);

struct text {
	uint64_t end;			/* where such code ends */
	bool quiet;			/* not the program's: nothing is logged */
};

/**
 * text_at() - may this code be translated?
 * @text: set
 *
 * Return: 0, or enum burst_reason + 1.
 */
int text_at(uint64_t address, struct text *text);

#endif /* CCSAMPLE_TRACEE_BURSTS_TEXT_H */
