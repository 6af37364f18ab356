// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/fail.h"
#include "base/memory.h"
#include "cmd/record-events.h"
#include "host/event-names.h"
#include "kmod/models.h"
#include "options/options.h"

#define BURST_L1	1024u
#define PERIOD_OTHER	1212
#define BURST_OUTER	65536u	/* most that is chosen unasked */

/*
 * Misses of outer levels are fewer, so more of them are sampled. Of stores a burst's hits are
 * recorded, and dropped: the same share of the misses is kept as of loads, so the two go together.
 */
static const struct named_event {
	const char *name;
	uint32_t level;
	uint64_t period;
	bool stores;
} names[] = {
	{ "l1-miss", 1, 1212 },
	{ "l2-miss", 2, 121 },
	{ "l3-miss", 3, 121 },
	{ "l1-store-miss", 1, 1212, true },
};

static const struct named_event *find_name(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(name, names[i].name))
			return &names[i];
	return NULL;
}

/* rNNN, as perf takes it: event | umask << 8 | ..., hexadecimal. Return: 0 if it is none. */
static uint64_t raw_code(const char *name)
{
	uint64_t raw;
	char *end;

	if (name[0] != 'r' || !isxdigit((unsigned char)name[1]))
		return 0;
	errno = 0;
	raw = strtoull(name + 1, &end, 16);
	return *end || errno ? 0 : raw;
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

/* Of this processor, by libpfm4. Return: 0, or -1 after one line. */
static int resolve(const char *name, struct named_event *event, uint64_t *raw)
{
	struct event_cpu cpu;
	struct event_name found;
	int codes;
	size_t i;

	if (event_cpu_find(NULL, &cpu) < 0)
		return -1;
	if (cpu.pmu < 0)
		return fail("-e %s: expected l1-miss, l2-miss, l3-miss, l1-store-miss or a raw "
			    "code as in r08d1: libpfm4 does not know this processor", name);
	codes = event_name_resolve(&cpu, name, &found);
	if (codes > 1)
		return fail("-e %s: it takes more than a code (libpfm4 gives %d values: a "
			    "threshold, say), which is not set here: sample misses (-e l1-miss), "
			    "or import what perf record takes", name, codes);
	if (!codes)
		return fail("-e %s: expected l1-miss, l2-miss, l3-miss, l1-store-miss, an event "
			    "of this processor (%s) as in ccsample events, or a raw code as in "
			    "r08d1", name, cpu.name);
	*event = (struct named_event){ .name = name, .level = found.level, .period = PERIOD_OTHER };
	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (names[i].level == found.level)
			event->period = names[i].period;
	*raw = found.code;
	if (cpu.proxy_for)
		note("-e %s: libpfm4 does not know this machine's %s: the code is that of %s",
		     name, cpu.proxy_for, cpu.about);
	return 0;
}

static int add_event(char *text, const struct record_events *options,
		     struct record_request *request)
{
	struct named_event other = { .period = PERIOD_OTHER };
	struct request_event *event = &request->events[request->event_count];
	struct record_events own = *options;
	char *name = strsep(&text, ":"), *word;
	uint64_t raw = raw_code(name);
	const struct named_event *known;
	const char *refusal;
	size_t i;

	known = raw ? &other : find_name(name);
	if (!known && resolve(name, &other, &raw) < 0)
		return -1;
	known = known ? known : &other;
	refusal = ccsample_model_unfit(raw);
	if (refusal)
		return fail("-e %s: %s", name, refusal);
	for (i = 0; i < request->event_count; i++)
		if (!strcmp(request->events[i].name, name))
			return fail("-e: %s is there twice", name);
	if (request->event_count == REQUEST_EVENTS)
		return fail("-e: at most %d events", REQUEST_EVENTS);
	while ((word = strsep(&text, ":")))
		if (parse_word(word, &own) < 0)
			return -1;
	*event = (struct request_event){
		.level = known->level,
		.raw = raw,
		.stores = known->stores,
		.no_loads = known->stores,
		.period = known->period,
		.unasked = !own.period && !own.spread && !own.burst,
	};
	strncpy(event->name, name, sizeof(event->name) - 1);
	request->event_count++;
	return parse_numbers(&own, event);
}

/* Samples of one level are added up, so each is to stand for as many misses. */
static int check_period(const struct record_request *request)
{
	const struct request_event *last = &request->events[request->event_count - 1], *event;

	for (event = request->events; event < last; event++)
		if (event->level && event->level == last->level && event->period != last->period)
			return fail("-e: %s and %s count misses of one level: give both the same "
				    "period (-c)", event->name, last->name);
	return 0;
}

int record_events_parse(const struct record_events *options, struct record_request *request)
{
	char *copy = xstrdup(options->events ? options->events : names[0].name), *rest = copy;
	char *text;
	int status = 0;

	while (!status && (text = strsep(&rest, ",")))
		status = add_event(text, options, request) || check_period(request) ? -1 : 0;
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
