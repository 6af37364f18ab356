/* SPDX-License-Identifier: GPL-2.0-only */
/* Samples by part of an object: members of structures, sub-arrays. */
#ifndef CCSAMPLE_FINDINGS_PARTS_H
#define CCSAMPLE_FINDINGS_PARTS_H

#include <stddef.h>
#include <stdint.h>

#include "findings/findings.h"

struct pass;
struct parts;
struct spaces;
struct wire;
struct wire_numbers;

struct parts *parts_new(void);
void parts_free(struct parts *parts);

/**
 * parts_add() - one sample.
 * @level: of its event, 0 = none
 * @context: number of its context
 * @object: with a layout
 * @offset: from where the variable or block begins
 */
void parts_add(struct parts *parts, uint32_t level, size_t context, const struct object *object,
	       uint64_t offset);

/* Writes the samples, or adds those of another process, numbered as it did. */
void parts_wire(struct parts *parts, struct wire *wire, const struct spaces *spaces,
		const struct wire_numbers *numbers);

/* Gives the objects of each context their parts. @by_number: contexts as the pass numbers them */
void parts_fill(struct pass *pass, struct context **by_number);

#endif /* CCSAMPLE_FINDINGS_PARTS_H */
