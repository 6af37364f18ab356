// SPDX-License-Identifier: GPL-2.0-only
/* Lines that loads and stores brought in, from what slots count of both. */
#include "device/fills.h"
#include "format/format.h"
#include "tap.h"

#define LOADS 0
#define STORES 1

static struct device_session session_of(uint64_t loads, uint32_t plain)
{
	return (struct device_session){
		.how = { .events = 2, .burst = 1024, .event = { { .config = loads, .plain = 1 },
			{ .config = 0x82d0, .plain = plain } } },
		.stores = 1 << STORES,
	};
}

static void slot(struct device_fills *fills, const struct device_session *session, uint64_t loads, uint64_t stores)
{
	const struct ccsample_slot slot = { .events = { loads, stores } };

	device_fills_count(fills, session, &slot);
}

/* Three stores a load miss; of a store burst two in five miss. */
static void check_loads(void)
{
	const struct device_session session = session_of(0x08d1, 1);
	struct device_fills fills = { .shares = 0 };

	slot(&fills, &session, 1000, 3000);
	ok(device_fills(&fills, &session, LOADS, 100, 100) == CCS_UNKNOWN, "unknown before any was counted");
	device_fills_burst(&fills, &session, LOADS);
	ok(device_fills(&fills, &session, LOADS, 100, 100) == 400, "all stores may miss before any was sampled");
	device_fills_stores(&fills, 1000, 400);
	ok(device_fills(&fills, &session, LOADS, 100, 100) == 220, "two in five do: 100 and 120");
	device_fills_stores(&fills, 1000, 100);
	device_fills_stores(&fills, 8, 8);
	ok(device_fills(&fills, &session, LOADS, 100, 100) == 220, "the most of the latest bursts, of few stores none");
	for (int i = 0; i < FILLS_RECENT; i++)
		device_fills_stores(&fills, 1000, 100);
	ok(device_fills(&fills, &session, LOADS, 100, 100) == 130, "older ones are forgotten");
	slot(&fills, &session, 500, 0);
	slot(&fills, &session, 500, 500);
	device_fills_burst(&fills, &session, LOADS);
	ok(device_fills(&fills, &session, LOADS, 100, 100) == 105, "counted since the burst before, over all slots");
}

static void check_stores(void)
{
	const struct device_session session = session_of(0x4308d1, 1);
	struct device_fills fills = { .shares = 0 };

	slot(&fills, &session, 1000, 2000);
	device_fills_burst(&fills, &session, STORES);
	ok(device_fills(&fills, &session, STORES, 1000, 300) == 800, "300 stores of 1,000 missed, and 500 loads");
	slot(&fills, &session, 0, 2000);
	device_fills_burst(&fills, &session, STORES);
	ok(device_fills(&fills, &session, STORES, 1000, 300) == 800, "the most of the latest bursts");
}

static void check_unknown(void)
{
	const struct device_session uncounted = session_of(0x08d1, 0), outer = session_of(0x10d1, 1);
	struct device_session single = session_of(0x08d1, 1), alone = single;
	const struct device_session *const sessions[] = { &uncounted, &outer, &single, &alone };
	bool unknown = true;

	single.how.burst = 1;
	alone.how.events = 1;
	for (int i = 0; i < 4; i++) {
		struct device_fills fills = { .shares = 0 };

		slot(&fills, sessions[i], 1000, 2000);
		device_fills_burst(&fills, sessions[i], LOADS);
		unknown &= device_fills(&fills, sessions[i], LOADS, 100, 100) == CCS_UNKNOWN;
	}
	ok(unknown, "unknown without a counter, of another level's loads, of single samples and of loads alone");
}

int main(void)
{
	check_loads();
	check_stores();
	check_unknown();
	return done();
}
