/* SPDX-License-Identifier: GPL-2.0-only */
/* The events of `record`: -e and what -c, --spread and --burst say of all of them. */
#ifndef CCSAMPLE_CMD_RECORD_EVENTS_H
#define CCSAMPLE_CMD_RECORD_EVENTS_H

#include "record/request.h"

#define RECORD_PERIOD_MAX	(1ull << 40)
#define RECORD_BURST_MAX	(1u << 20)

/* As text, NULL = not given. */
struct record_events {
	const char *events;		/* l1-miss,l2-miss:c=100:burst=4096 */
	const char *period;
	const char *spread;
	const char *burst;
};

/**
 * record_events_parse() - the events asked for.
 * @request: its events are filled, their bursts 0 where nothing was said
 *
 * Return: 0, or -1 after one line on standard error.
 */
int record_events_parse(const struct record_events *options, struct record_request *request);

/**
 * record_events_settle() - choose the bursts that were not given, once the caches are known.
 *
 * A burst shows the conflicts whose lines come back within it, so it should be
 * longer than the cache has lines; but what lies in a burst was not sampled
 * elsewhere: 1024 for L1, twice the lines for others, at most 65536.
 */
void record_events_settle(struct record_request *request);

#endif /* CCSAMPLE_CMD_RECORD_EVENTS_H */
