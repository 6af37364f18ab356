// SPDX-License-Identifier: GPL-2.0-only
#include "device/spans.h"

#define COUNTERS_MOST	64	/* bits of pebs_sample.counters */

bool device_span_has(const struct device_session *session, const struct pebs_sample *sample,
		  uint32_t event, const struct device_span *span)
{
	if (session->pebs_format < PEBS_FORMAT_COUNTER)
		return event == 0 && span->counter != CCSAMPLE_NO_COUNTER;
	return span->counter < COUNTERS_MOST && sample->counters >> span->counter & 1;
}

size_t device_spans_strays(const struct device_session *session, const struct device_part *part)
{
	size_t strays = part->count, i;
	uint32_t event;

	for (i = 0; i < part->count; i++)
		for (event = 0; event < session->how.events; event++)
			if (device_span_has(session, &part->records[i].sample, event,
					    &part->spans[event])) {
				strays--;
				break;
			}
	return strays;
}

static void count_span(const struct device_drain *drain, struct device_part *part,
		       const struct ccsample_slot *slot, uint32_t event)
{
	struct device_span *span = &part->spans[event];
	size_t i;

	*span = (struct device_span){ .counter = slot->counter[event] };
	for (i = 0; i < part->count; i++)
		span->count += device_span_has(drain->session, &part->records[i].sample, event,
					       span);
}

void device_span_late(struct device_drain *drain, struct device_part *part,
		       const struct ccsample_slot *slot, uint32_t event)
{
	count_span(drain, part, slot, event);
	part->spans[event].events = part->spans[event].count;
	part->spans[event].accesses = drain->latest[event];
	drain->owed[event] += part->spans[event].count;
}

static void skip_events(struct device_drain *drain, uint32_t event, uint64_t skipped)
{
	uint64_t owed = drain->owed[event] < skipped ? drain->owed[event] : skipped;

	drain->owed[event] -= owed;
	drain->carry[event] += skipped - owed;
}

/* @events: of the slot, of this event */
static void add_accesses(struct device_drain *drain, const struct ccsample_slot *slot,
			 uint32_t event, uint64_t events)
{
	uint32_t by = drain->session->accesses[event];
	struct device_accesses *since = &drain->since[event];

	since->events += events;
	if (by == DEVICE_REFERENCES && slot->references != CCSAMPLE_NOT_COUNTED)
		since->lines += slot->references;
	else if (by && by != DEVICE_REFERENCES)
		since->lines += slot->events[by - 1];
}

/* Since its last records. What a counter missed for a while is not known before it is back. */
static struct device_accesses take_accesses(struct device_drain *drain,
					    const struct ccsample_slot *slot, uint32_t event)
{
	uint32_t by = drain->session->accesses[event];
	struct device_accesses accesses = { };

	if (!by || (by == DEVICE_REFERENCES && slot->references == CCSAMPLE_NOT_COUNTED))
		return accesses;
	accesses = drain->since[event];
	drain->latest[event] = accesses;
	drain->since[event] = (struct device_accesses){ };
	return accesses;
}

/* What is left of the gap when a slot begins: one event's burst may end a slot in another's gap. */
static uint64_t gap_of(const struct device_drain *drain, const struct ccsample_slot *slot,
		       uint32_t event)
{
	return slot->gap[event] ? slot->gap[event] : drain->gap_left[event];
}

void device_span_begin(struct device_drain *drain, struct device_part *part,
		       const struct ccsample_slot *slot, uint32_t event)
{
	const struct device_session *session = drain->session;
	uint64_t events = slot->events[event], skipped = gap_of(drain, slot, event);
	struct device_span *span = &part->spans[event];

	count_span(drain, part, slot, event);
	span->after_loss = drain->after_loss[event] || slot->flags & CCSAMPLE_SLOT_AFTER_LOSS;
	drain->after_loss[event] = span->after_loss && !span->count;
	drain->gap_left[event] = span->count || events > skipped ? 0 : skipped - events;
	if (!span->count) {
		add_accesses(drain, slot, event, events);
		skip_events(drain, event, events);
		return;
	}
	skipped -= skipped > 0;
	if (!session->how.event[event].plain)
		events = session->how.burst == 1 ? span->count * slot->gap[event] :
			 skipped + span->count;
	add_accesses(drain, slot, event, events);
	span->accesses = take_accesses(drain, slot, event);
	if (session->how.burst == 1)
		skipped = 0;
	else if (slot->flags & CCSAMPLE_SLOT_SHORT_GAP || span->after_loss ||
		 events < skipped + span->count)
		skipped = events > span->count ? events - span->count : 0;
	span->events = events - skipped > span->count ? events - skipped : span->count;
	skip_events(drain, event, skipped);
}

uint64_t device_span_share(struct device_span *span, size_t count)
{
	uint64_t until;

	span->passed += count;
	until = (unsigned __int128)span->events * span->passed / span->count;
	until -= span->given;
	span->given += until;
	return until;
}
