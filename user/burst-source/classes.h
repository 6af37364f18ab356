/* SPDX-License-Identifier: GPL-2.0-only */
/* `record --keep classes`: what the recording's caches make of a burst, not its references. */
#ifndef CCSAMPLE_BURST_SOURCE_CLASSES_H
#define CCSAMPLE_BURST_SOURCE_CLASSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cachesim/hierarchy.h"
#include "format/format.h"

struct burst_classes;

/* @caches: L1, which burst_l1_fits(), and an L2 if it is known; pages lie as by default */
struct burst_classes *burst_classes_new(const struct hierarchy_plan *caches);
void burst_classes_free(struct burst_classes *classes);

/* Is L2 simulated? If not long bursts have nothing to say. */
bool burst_classes_have_l2(const struct burst_classes *classes);

/**
 * burst_classes_of() - a burst's outcomes, packed.
 * @burst: a BURST, or a LONG_BURST, of which L1 is not asked: its ->references become those that an
 *	L1 may miss
 * @process: whose addresses they are
 * @bytes: its references, packed: burst->references of them
 * @size: of @bytes; set to that of what is returned, 0 where there is no reference
 *
 * Return: valid until the next call, or NULL if the bytes do not hold together.
 */
const uint8_t *burst_classes_of(struct burst_classes *classes, struct ccs_burst *burst,
				uint32_t process, const uint8_t *bytes, size_t *size);

#endif /* CCSAMPLE_BURST_SOURCE_CLASSES_H */
