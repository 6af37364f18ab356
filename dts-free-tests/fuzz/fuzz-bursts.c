// SPDX-License-Identifier: GPL-2.0-only
/* The bytes of a burst from anywhere: unpacked within bounds; what was packed comes back. */
#include <stdlib.h>
#include <string.h>

#include "bursts/pack.h"

#define MOST	1000	/* a run may claim 2^62 */

static struct burst_reference all[MOST];
static size_t count, back;

static void take(void *context, const struct burst_reference *reference)
{
	if (!reference->size || !reference->kind || reference->kind > 3 || count == MOST)
		abort();
	all[count++] = *reference;
}

static void compare(void *context, const struct burst_reference *reference)
{
	if (back == count || memcmp(&all[back++], reference, sizeof(*reference)))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct burst_packer *packer = burst_packer_new();
	const uint8_t *bytes;
	size_t i;

	count = back = 0;
	burst_unpack(data, size, MOST, take, NULL);
	for (i = 0; i < count; i++)
		burst_packer_add(packer, &all[i]);
	bytes = burst_packer_end(packer, &size);
	if (burst_unpack(bytes, size, count, compare, NULL) || back != count)
		abort();
	burst_packer_free(packer);
	return 0;
}
