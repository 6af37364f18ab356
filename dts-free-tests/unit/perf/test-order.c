// SPDX-License-Identifier: GPL-2.0-only
/* Records by time where no round ends, so that more waits than may; seed 20261123. */
#include <stdlib.h>

#include "perf/order.h"

#include "draw.h"
#include "tap.h"

#define RECORDS	5000000u

struct taken {
	uint64_t count, last, sum;
	bool disordered, wrong;
};

static void take(void *context, const struct perf_item *item)
{
	struct taken *taken = context;

	taken->disordered |= item->time < taken->last;
	taken->wrong |= !item->record && item->sample.time != item->time;
	taken->last = item->time;
	taken->sum += item->sample.ip;
	taken->count++;
}

/* @spread: how far, in records, they come apart from their order */
static void check_bound(uint64_t spread, bool late)
{
	struct perf_order order = { 0 };
	struct taken taken = { 0 };
	uint64_t most = 0, sum = 0;
	uint32_t i;

	for (i = 1; i <= RECORDS; i++) {
		struct perf_item item = { .time = i + draw(spread) + 1 };

		item.sample = (struct perf_sample){ .time = item.time, .ip = i };
		if (i % 50 == 0) {
			item.record = calloc(1, 80);
			item.size = 80;
		}
		sum += i;
		perf_order_add(&order, &item, take, &taken);
		most = order.bytes > most ? order.bytes : most;
	}
	ok(taken.count && most <= PERF_ORDER_BYTES,
	   "%u records, up to %llu apart, no rounds: %llu MiB wait at most, %llu went", RECORDS,
	   (unsigned long long)spread, (unsigned long long)most >> 20,
	   (unsigned long long)taken.count);
	perf_order_end(&order, take, &taken);
	ok(taken.count == RECORDS && taken.sum == sum && !order.bytes && !order.count,
	   "... each once");
	ok(!taken.disordered && !taken.wrong && (order.late != 0) == late,
	   "... in order, %llu late", (unsigned long long)order.late);
	perf_order_drop(&order);
}

int main(void)
{
	state = 20261123;
	check_bound(1, false);
	check_bound(1000, false);
	check_bound(2 * RECORDS, true);
	return done();
}
