// SPDX-License-Identifier: GPL-2.0-only
#include "findings/entries.h"
#include "findings/pass.h"

static void add(struct rcd_counted *to, const struct ccs_class_count *count)
{
	to->misses += count->misses;
	to->conflicts += count->conflicts;
	to->saved += count->saved;
}

void counted_take(void *context, const struct ccs_record *record)
{
	const struct ccs_class_counts *counts = (const void *)record;
	const struct ccs_class_count *count = (const void *)(counts + 1);
	struct pass *pass = context;
	struct event_totals *event = pass_find_event(pass, counts->event);
	struct space *space = spaces_get(pass->spaces, record->process);

	if (!event || !event->classes || !event->level || entries_ahead(pass, record))
		return;
	for (uint32_t i = 0; i < counts->count; i++, count++) {
		size_t site = contexts_find(pass->contexts, record->process, space, count->ip);
		struct tally *at = contexts_tally(pass->contexts,
						  contexts_site(pass->contexts, site)->context);

		add(&at->counted[event->level], count);
		for (; at; at = contexts_parent(pass->contexts, at))
			add(&at->counted_around[event->level], count);
		add(&pass->levels[event->level].counted, count);
	}
}
