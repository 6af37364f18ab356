/* SPDX-License-Identifier: GPL-2.0-only */
/* In a piece of machine code: which loads the addresses of other references wait for. */
#ifndef CCSAMPLE_LOOPS_WAITS_H
#define CCSAMPLE_LOOPS_WAITS_H

#include <stddef.h>
#include <stdint.h>

#define WAITS_MOST	64u		/* references looked at at once, a bit each */

struct decoder;

/**
 * waits_find() - by the registers that addresses come from.
 * @bytes: from the first reference on
 * @size: as many as may be read
 * @offsets: of the instructions that refer to memory, ascending, the first 0; WAITS_MOST at most
 * @waits: receives for each the loads that its address comes from, a bit each
 *
 * As if the instructions ran one after the other, and then once more: branches are not followed,
 * and what goes through memory is not seen.
 */
void waits_find(const struct decoder *decoder, const uint8_t *bytes, size_t size,
		const uint32_t *offsets, size_t count, uint64_t *waits);

/* The same with what those wait for in turn. @waits: changed */
void waits_close(uint64_t *waits, size_t count);

#endif /* CCSAMPLE_LOOPS_WAITS_H */
