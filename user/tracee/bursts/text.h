/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which code of the process may be translated: private, mapped from files, not
 * writable; and the kernel's [vdso]. Not this library's own.
 */
#ifndef CCSAMPLE_TRACEE_BURSTS_TEXT_H
#define CCSAMPLE_TRACEE_BURSTS_TEXT_H

#include <stdbool.h>
#include <stdint.h>

/* What is mapped may have changed. */
void text_forget(void);

/* A burst begins: /proc/self/maps may be read again, once. */
void text_burst(void);

/**
 * text_at() - may this code be translated?
 * @end: set to where such code ends
 *
 * Return: 0, or enum burst_reason + 1.
 */
int text_at(uint64_t address, uint64_t *end);

#endif /* CCSAMPLE_TRACEE_BURSTS_TEXT_H */
