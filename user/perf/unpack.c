// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "base/memory.h"
#include "perf/unpack.h"

#define ROOM	(256u << 10)		/* more than a record may have */

static const char *open_stream(struct perf_unpack *unpack)
{
	if (unpack->stream)
		return NULL;
	unpack->stream = ZSTD_createDStream();
	if (!unpack->stream)
		return "there is no memory to unpack it";
	unpack->bytes = xmalloc(ROOM);
	return NULL;
}

/* Return: false where nothing moved: a record that never ends. */
static bool hand_over(struct perf_unpack *unpack, perf_unpack_take take, void *context)
{
	size_t used = take(context, unpack->bytes, unpack->used);

	memmove(unpack->bytes, unpack->bytes + used, unpack->used - used);
	unpack->used -= used;
	return unpack->used < ROOM;
}

const char *perf_unpack_feed(struct perf_unpack *unpack, const void *payload, size_t size,
			     perf_unpack_take take, void *context)
{
	ZSTD_inBuffer in = { payload, size, 0 };
	const char *wrong = open_stream(unpack);
	ZSTD_outBuffer out;
	size_t status;

	while (!wrong) {
		out = (ZSTD_outBuffer){ unpack->bytes, ROOM, unpack->used };
		status = ZSTD_decompressStream(unpack->stream, &out, &in);
		if (ZSTD_isError(status))
			return "a compressed record does not unpack";
		unpack->used = out.pos;
		if (!hand_over(unpack, take, context))
			return "a compressed record holds what is no record";
		/* A full output may hide more that is ready. */
		if (in.pos == in.size && out.pos < ROOM)
			break;
	}
	return wrong;
}

void perf_unpack_drop(struct perf_unpack *unpack)
{
	ZSTD_freeDStream(unpack->stream);
	free(unpack->bytes);
	*unpack = (struct perf_unpack){ .stream = NULL };
}
