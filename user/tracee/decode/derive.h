/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which references of a block can be derived from addresses that it has logged:
 * the same registers, unchanged but for known constants.
 */
#ifndef CCSAMPLE_TRACEE_DECODE_DERIVE_H
#define CCSAMPLE_TRACEE_DECODE_DERIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "tracee/decode/decode.h"

#define DERIVE_KNOWN	48

struct derive {
	uint32_t version[16];		/* of each register: changes when it is written */
	int64_t delta[16];		/* what was added to it since */
	struct {
		uint8_t base, index, scale, slot;
		uint32_t base_version, index_version;
		int64_t sum;		/* constants in the logged address */
	} known[DERIVE_KNOWN];
	unsigned int count;
};

void derive_begin(struct derive *d);

/**
 * derive_find() - is the address of @ref known?
 * @slot: set: the logged word
 * @offset: set: what to add to it
 */
bool derive_find(const struct derive *d, const struct reference *ref, uint8_t *slot,
		 int64_t *offset);

/* The address of @ref is in word @slot. */
void derive_add(struct derive *d, const struct reference *ref, uint8_t slot);

/* The instruction has run. */
void derive_ran(struct derive *d, const struct insn *insn);

#endif /* CCSAMPLE_TRACEE_DECODE_DERIVE_H */
