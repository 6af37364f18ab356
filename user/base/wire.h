/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts on their way from one process to another. One function for each struct serves both ways:
 * writing, it appends what the struct holds; reading, it adds what comes to what the struct holds.
 * What is read is not trusted: behind its end, or after something that cannot be, all is 0.
 */
#ifndef CCSAMPLE_BASE_WIRE_H
#define CCSAMPLE_BASE_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/exact-sum.h"

struct wire {
	uint8_t *bytes;
	size_t size;		/* written, or there to be read */
	size_t room;
	size_t at;		/* read so far */
	bool reads;
	bool wrong;		/* it ended too early, or holds what cannot be */
};

/* Reading: zeros where there are no more. */
void wire_bytes(struct wire *wire, void *bytes, size_t size);

/* What is written, or what is read. @most: what is beyond it cannot be, and is read as 0. */
uint64_t wire_number(struct wire *wire, uint64_t number, uint64_t most);
bool wire_flag(struct wire *wire, bool flag);

/* Reading: a new text, to be freed; NULL as it was written. */
char *wire_text(struct wire *wire, const char *text);

/* Sums: reading adds. */
void wire_add(struct wire *wire, uint64_t *sums, size_t count);
void wire_add32(struct wire *wire, uint32_t *sums, size_t count);
void wire_add_double(struct wire *wire, double *sums, size_t count);
void wire_add_exact(struct wire *wire, struct exact_sum *sum);

/* Reading keeps the larger; sets what is set in either. */
void wire_most(struct wire *wire, uint64_t *number);
void wire_or(struct wire *wire, bool *flag);

void wire_drop(struct wire *wire);

#endif /* CCSAMPLE_BASE_WIRE_H */
