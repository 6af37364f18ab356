/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Compressed records of a perf.data file: the payloads of all COMPRESSED
 * records, one after the other, are one zstd stream, and so are the records in
 * it, which may begin in one payload and end in another.
 */
#ifndef CCSAMPLE_PERF_UNPACK_H
#define CCSAMPLE_PERF_UNPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct perf_unpack {
	void *stream;			/* of zstd; NULL until the first payload */
	uint8_t *bytes;			/* what is unpacked and not yet used */
	size_t used;
};

/* Takes whole records. Return: bytes used; the rest comes again with more behind it. */
typedef size_t (*perf_unpack_take)(void *context, const uint8_t *data, size_t size);

/**
 * perf_unpack_feed() - the payload of the next compressed record.
 *
 * Memory does not grow with what it unpacks to.
 *
 * Return: NULL, or what is wrong.
 */
const char *perf_unpack_feed(struct perf_unpack *unpack, const void *payload, size_t size,
			     perf_unpack_take take, void *context);

void perf_unpack_drop(struct perf_unpack *unpack);

#endif /* CCSAMPLE_PERF_UNPACK_H */
