/* SPDX-License-Identifier: GPL-2.0-only */
/* One load or store of a burst. */
#ifndef CCSAMPLE_BURSTS_REFERENCE_H
#define CCSAMPLE_BURSTS_REFERENCE_H

#include <stddef.h>
#include <stdint.h>

struct burst_reference {
	uint64_t ip;			/* of the instruction */
	uint64_t address;
	uint32_t size;			/* bytes, at least 1 */
	uint32_t kind;			/* enum burst_kind of tracee/bursts/log.h */
};

/* One that was read from a log. */
struct burst_logged {
	struct burst_reference reference;
	uint32_t *note;			/* of its place in the code, for who reads it */
};

/* Some references, in their order. */
typedef void burst_references_fn(void *context, const struct burst_logged *all, size_t count);

#endif /* CCSAMPLE_BURSTS_REFERENCE_H */
