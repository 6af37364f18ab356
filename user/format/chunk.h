/* SPDX-License-Identifier: GPL-2.0-only */
/* What the writer and the reader of chunks must agree on. */
#ifndef CCSAMPLE_FORMAT_CHUNK_H
#define CCSAMPLE_FORMAT_CHUNK_H

#include <stddef.h>
#include <stdint.h>

#include "format/format.h"

/* XXH3-64 of the header, its checksum taken as 0, and of the payload as stored. */
uint64_t chunk_checksum(const struct ccs_chunk_header *header, const void *payload);

/* Zeros that follow the payload, so that the next chunk is aligned to 8 bytes. */
static inline size_t chunk_padding(const struct ccs_chunk_header *header)
{
	return -header->stored_size & 7;
}

#endif /* CCSAMPLE_FORMAT_CHUNK_H */
