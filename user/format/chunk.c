// SPDX-License-Identifier: GPL-2.0-only
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "format/chunk.h"

uint64_t chunk_checksum(const struct ccs_chunk_header *header, const void *payload)
{
	struct ccs_chunk_header blank = *header;
	XXH3_state_t state;

	blank.checksum = 0;
	XXH3_64bits_reset(&state);
	XXH3_64bits_update(&state, &blank, sizeof(blank));
	XXH3_64bits_update(&state, payload, header->stored_size);
	return XXH3_64bits_digest(&state);
}
