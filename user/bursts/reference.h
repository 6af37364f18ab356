/* SPDX-License-Identifier: GPL-2.0-only */
/* One load or store of a burst. */
#ifndef CCSAMPLE_BURSTS_REFERENCE_H
#define CCSAMPLE_BURSTS_REFERENCE_H

#include <stdint.h>

struct burst_reference {
	uint64_t ip;			/* of the instruction */
	uint64_t address;
	uint32_t size;			/* bytes, at least 1 */
	uint32_t kind;			/* enum burst_kind of tracee/bursts/log.h */
};

typedef void burst_reference_fn(void *context, const struct burst_reference *reference);

#endif /* CCSAMPLE_BURSTS_REFERENCE_H */
