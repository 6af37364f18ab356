// SPDX-License-Identifier: GPL-2.0-only
/* Places of the latest keys against a list, seed 20261123. */
#include <string.h>

#include "base/latest.h"
#include "findings/streams.h"

#include "draw.h"
#include "tap.h"

#define MOST	50u

/* The keys whose places they are, the newest first. */
struct model {
	uint64_t key[MOST];
	uint32_t place[MOST];
	uint32_t count;
};

static uint32_t model_place(struct model *model, uint64_t key, uint32_t most, bool *fresh)
{
	uint32_t i = 0, place;

	while (i < model->count && model->key[i] != key)
		i++;
	*fresh = i == model->count;
	if (*fresh && model->count < most) {
		place = model->count++;
	} else {
		i = *fresh ? model->count - 1 : i;
		place = model->place[i];
	}
	memmove(&model->key[1], &model->key[0], i * sizeof(model->key[0]));
	memmove(&model->place[1], &model->place[0], i * sizeof(model->place[0]));
	model->key[0] = key;
	model->place[0] = place;
	return place;
}

static void check_latest(uint32_t most, uint32_t keys)
{
	struct latest latest = { 0 };
	struct model model = { .count = 0 };
	uint32_t round, fresh = 0;
	bool good = true;

	for (round = 0; round < 20000 && good; round++) {
		uint64_t key = draw(4) ? draw(keys) : draw(5);
		bool is, should;

		good = latest_place(&latest, key, most, &is) ==
		       model_place(&model, key, most, &should) && is == should;
		fresh += is;
	}
	ok(good, "%u places of %u keys (%u times fresh)", most, keys, fresh);
	latest_drop(&latest);
}

/* Threads that come back begin anew where there were too many others, and only there. */
static void check_streams(void)
{
	const double whole = 1;
	struct rcd *rcd = rcd_new_sliced(1 << 20, 8, 1, &whole);
	struct streams streams = { 0 };
	struct rcd_stream *first = streams_of(&streams, rcd, 1, 1);
	uint32_t i, streams_made;

	ok(first && streams_of(&streams, rcd, 1, 2) != first &&
	   streams_of(&streams, rcd, 1, 1) == first, "a stream for each thread");
	for (i = 3; i < 10000; i++)
		streams_of(&streams, rcd, 1, i);
	streams_made = streams.count;
	ok(streams_made * rcd_stream_size(rcd) <= 256u << 20 && streams_made >= 16,
	   "10,000 threads have %u streams of %zu bytes", streams_made, rcd_stream_size(rcd));
	streams_drop(&streams);
	rcd_free(rcd);
}

int main(void)
{
	state = 20261123;
	check_latest(1, 3);
	check_latest(2, 5);
	check_latest(MOST, 40);
	check_latest(MOST, 70);
	check_latest(MOST, 5000);
	check_streams();
	return done();
}
