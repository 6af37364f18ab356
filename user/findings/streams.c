// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "base/memory.h"
#include "findings/streams.h"

#define BYTES		(256u << 20)	/* of all events' streams, their lines apart */
#define STREAMS_LEAST	16u
#define STREAMS_MOST	4096u

static uint32_t most_of(const struct rcd *rcd, size_t events)
{
	size_t most = BYTES / events / rcd_stream_size(rcd);

	if (most < STREAMS_LEAST)
		return STREAMS_LEAST;
	return most < STREAMS_MOST ? most : STREAMS_MOST;
}

struct rcd_stream *streams_of(struct streams *streams, struct rcd *rcd, size_t events,
			      uint64_t thread)
{
	bool fresh;
	uint32_t at = latest_place(&streams->latest, thread, most_of(rcd, events), &fresh);

	if (at == streams->count) {
		streams->all = grow(streams->all, streams->count, &streams->room,
				    sizeof(*streams->all));
		streams->all[streams->count++] = rcd_stream_new(rcd);
	} else if (fresh) {
		rcd_stream_renew(streams->all[at]);
	}
	return streams->all[at];
}

void streams_drop(struct streams *streams)
{
	latest_drop(&streams->latest);
	free(streams->all);
	*streams = (struct streams) { 0 };
}
