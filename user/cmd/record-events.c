// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "cmd/number.h"
#include "cmd/record-events.h"

#define BURST_L1	1024u
#define BURST_OUTER	65536u	/* most that is chosen unasked */

/* Misses of outer levels are fewer, so more of them are sampled. */
static const struct named_event {
	const char *name;
	uint32_t level;
	uint64_t period;
} names[] = {
	{ "l1-miss", 1, 1212 },
	{ "l2-miss", 2, 121 },
	{ "l3-miss", 3, 121 },
};

static const struct named_event *find_name(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(name, names[i].name))
			return &names[i];
	return NULL;
}

/* One word behind the event's name: c=N, spread=N, burst=N. */
static int parse_word(char *word, struct record_events *own)
{
	char *equals = strchr(word, '=');

	if (!equals)
		return fail("-e: expected c=N, spread=N or burst=N behind the event, not '%s'",
			    word);
	*equals = 0;
	if (!strcmp(word, "c"))
		own->period = equals + 1;
	else if (!strcmp(word, "spread"))
		own->spread = equals + 1;
	else if (!strcmp(word, "burst"))
		own->burst = equals + 1;
	else
		return fail("-e: an event takes c, spread and burst, not '%s'", word);
	return 0;
}

static int parse_numbers(const struct record_events *own, struct request_event *event)
{
	uint64_t number;

	if (own->period &&
	    parse_number("-c", own->period, 1, RECORD_PERIOD_MAX, &event->period) < 0)
		return -1;
	event->spread = event->period / 2;
	if (own->spread &&
	    parse_number("--spread", own->spread, 0, RECORD_PERIOD_MAX, &event->spread) < 0)
		return -1;
	if (event->spread >= event->period)
		return fail("--spread must be less than the period (-c), which is %llu for %s",
			    (unsigned long long)event->period, event->name);
	if (!own->burst)
		return 0;
	if (parse_number("--burst", own->burst, 1, RECORD_BURST_MAX, &number) < 0)
		return -1;
	event->burst = number;
	return 0;
}

static int add_event(char *text, const struct record_events *options,
		     struct record_request *request)
{
	struct request_event *event = &request->events[request->event_count];
	const struct named_event *known;
	struct record_events own = *options;
	char *name = strsep(&text, ":"), *word;
	size_t i;

	known = find_name(name);
	if (!known)
		return fail("-e %s: expected l1-miss, l2-miss or l3-miss", name);
	for (i = 0; i < request->event_count; i++)
		if (!strcmp(request->events[i].name, name))
			return fail("-e: %s is there twice", name);
	if (request->event_count == REQUEST_EVENTS)
		return fail("-e: at most %d events", REQUEST_EVENTS);
	while ((word = strsep(&text, ":")))
		if (parse_word(word, &own) < 0)
			return -1;
	*event = (struct request_event){ .level = known->level, .period = known->period };
	strncpy(event->name, name, sizeof(event->name) - 1);
	request->event_count++;
	return parse_numbers(&own, event);
}

int record_events_parse(const struct record_events *options, struct record_request *request)
{
	char *copy = xstrdup(options->events ? options->events : names[0].name), *rest = copy;
	char *text;
	int status = 0;

	while (!status && (text = strsep(&rest, ",")))
		status = add_event(text, options, request);
	free(copy);
	return status;
}

void record_events_settle(struct record_request *request)
{
	size_t i;

	for (i = 0; i < request->event_count; i++) {
		struct request_event *event = &request->events[i];
		uint32_t lines = 0;

		if (event->burst)
			continue;
		event->burst = BURST_L1;
		if (event->level > 1 && event->level <= request->caches.levels)
			lines = cache_lines(&request->caches.level[event->level - 1].geometry);
		while (event->burst < 2 * lines && event->burst < BURST_OUTER)
			event->burst *= 2;
	}
}
