// SPDX-License-Identifier: GPL-2.0-only
#include "findings/bursts.h"
#include "findings/kinds.h"

bool kinds_both(const struct ccs_sample *sample)
{
	return sample->flags & CCS_SAMPLE_LOAD && sample->flags & CCS_SAMPLE_STORE;
}

void kinds_count(struct event_totals *event, const struct ccs_sample *sample)
{
	event->by_class[ccs_sample_class(sample->flags)]++;
	event->both += kinds_both(sample);
	event->stores += sample->flags & CCS_SAMPLE_STORE && !kinds_both(sample);
}

enum rcd_class kinds_class(const struct event_totals *event, const struct ccs_sample *sample)
{
	static const enum rcd_class classes[] = {
		[CCS_CLASS_UNKNOWN] = RCD_CLASS_OPEN, [CCS_CLASS_COLD] = RCD_CLASS_OTHER,
		[CCS_CLASS_CAPACITY] = RCD_CLASS_OTHER, [CCS_CLASS_CONFLICT] = RCD_CLASS_CONFLICT,
	};

	if (!event->classes)
		return RCD_CLASS_UNKNOWN;
	if (event->made)
		return ((const struct classed_sample *)sample)->class;
	return classes[ccs_sample_class(sample->flags)];
}

struct met kinds_evictor(const struct event_totals *event, struct space *space,
			 const struct miss_row *row)
{
	const struct ccs_sample_evicted *evicted = (const void *)row->sample;
	const struct object *object;
	struct met met = { 0 };

	if (!event->classes || event->made || row->class != RCD_CLASS_CONFLICT ||
	    row->batch->sample_size < sizeof(*evicted) || evicted->evictor == CCS_UNKNOWN)
		return met;
	object = space_object_base(space, evicted->evictor, &met.block);
	if (object->kind != OBJECT_STACK)
		met.object = object->id;
	return met;
}
