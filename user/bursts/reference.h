/* SPDX-License-Identifier: GPL-2.0-only */
/* One load or store of a burst. */
#ifndef CCSAMPLE_BURSTS_REFERENCE_H
#define CCSAMPLE_BURSTS_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct burst_reference {
	uint64_t ip;			/* of the instruction */
	uint64_t address;
	uint32_t size;			/* bytes, at least 1 */
	uint32_t kind;			/* enum burst_kind of tracee/burst-log/log.h */
};

/* Some references, in their order. Return: false if it needs no more of them */
typedef bool burst_references_fn(void *context, const struct burst_reference *all, size_t count);

#endif /* CCSAMPLE_BURSTS_REFERENCE_H */
