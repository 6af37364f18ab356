// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "loops/uses.h"
#include "loops/waits.h"

#define ROUNDS		2		/* a value of one comes to the next */

struct walk {
	uint64_t holds[USES_REGISTERS];	/* the loads that a register's value comes from */
	uint64_t *waits;
};

static uint64_t held(const struct walk *walk, uint64_t registers)
{
	uint64_t loads = 0;

	for (int i = 0; i < USES_REGISTERS; i++)
		if (registers >> i & 1)
			loads |= walk->holds[i];
	return loads;
}

/* @reference: bit of the instruction, 0 = it is none of those looked at */
static void step(struct walk *walk, const struct register_uses *uses, uint64_t reference)
{
	uint64_t value = held(walk, uses->read) | (uses->loads ? reference : 0);

	if (reference)
		walk->waits[__builtin_ctzll(reference)] |= held(walk, uses->address);
	for (int i = 0; i < USES_REGISTERS; i++)
		if (uses->written >> i & 1)
			walk->holds[i] = value;
}

void waits_find(const struct decoder *decoder, const uint8_t *bytes, size_t size,
		const uint32_t *offsets, size_t count, uint64_t *waits)
{
	struct walk walk = { .waits = waits };
	struct register_uses uses;

	memset(waits, 0, count * sizeof(*waits));
	for (int round = 0; round < ROUNDS; round++) {
		size_t at = 0, next = 0;

		while (next < count && at < size &&
		       decoder_uses(decoder, bytes + at, size - at, &uses)) {
			while (next < count && offsets[next] < at)
				next++;
			step(&walk, &uses, next < count && offsets[next] == at ? 1ull << next : 0);
			next += next < count && offsets[next] == at;
			at += uses.size;
		}
	}
}

void waits_close(uint64_t *waits, size_t count)
{
	for (size_t k = 0; k < count; k++)
		for (size_t i = 0; i < count; i++)
			if (waits[i] >> k & 1)
				waits[i] |= waits[k];
}
