// SPDX-License-Identifier: GPL-2.0-only
/* The bytes of a burst from anywhere: unpacked within bounds; what was packed comes back. */
#include <stdlib.h>
#include <string.h>

#include "reference-packer.h"

#define MOST	1000	/* a run may claim 2^62 */

static void check(const struct burst_references *references)
{
	if (references->count > MOST)
		abort();
	for (size_t i = 0; i < references->count; i++) {
		const struct burst_reference *reference = &references->all[i];

		if (!reference->size || reference->size > UINT16_MAX || !reference->kind ||
		    reference->kind > 3)
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct burst_references all = { .all = NULL }, back = { .all = NULL };
	struct reference_packer packer = reference_packer_begin();
	const uint8_t *bytes;

	burst_unpack(data, size, MOST, false, &all);
	check(&all);
	for (size_t i = 0; i < all.count; i++)
		reference_packer_add(&packer, &all.all[i]);
	bytes = reference_packer_end(&packer, &size);
	if (burst_unpack(bytes, size, all.count, false, &back) || back.count != all.count ||
	    (all.count && memcmp(all.all, back.all, all.count * sizeof(*all.all))))
		abort();
	reference_packer_free(&packer);
	free(back.all);
	free(all.all);
	return 0;
}
