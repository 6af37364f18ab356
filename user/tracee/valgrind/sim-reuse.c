// SPDX-License-Identifier: GPL-2.0-only
/* What the detector by reuse distances makes of accesses, by site and object; its edges. */
#include "pub_tool_basics.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_tooliface.h"

#include "tracee/valgrind/engine.h"
#include "tracee/valgrind/simulate.h"

void sim_reuse_count(struct hierarchy *h, struct sim_who *who)
{
	struct reuse *reuse;
	UInt n, reading;

	if (!who->reuse)
		who->reuse = VG_(calloc)("ccsample.reuse", 1, sizeof(*who->reuse));
	if (!reuse_edge(&h->at[0]->reuse, who->number, h->memory))
		h->out_of_memory = True;
	for (n = 0; n < h->levels; n++) {
		reuse = &h->at[n]->reuse;
		if (reuse->last[REUSE_BY_SET] == CLASS_NONE)
			return;
		for (reading = 0; reading < REUSE_READINGS; reading++)
			who->reuse->outcomes[n][reading][reuse->last[reading]]++;
		reuse->last[REUSE_BY_SET] = CLASS_NONE;
	}
}

void sim_reuse_records(const struct pairs *pairs, UInt tid)
{
	ULong slot, slots = hash_slots(pairs->shift);

	for (slot = 0; slot < slots; slot++) {
		const struct pair *pair = &pairs->slots[slot];
		const struct sim_who *user, *former;
		struct ccs_sim_edge *r;

		if (!pair->total)
			continue;
		user = sim_who_at(pair->victim - 1);
		former = sim_who_at(pair->evictor - 1);
		r = record_add(CCS_SIM_EDGE, tid, sizeof(*r), 0);
		r->user = user->site->number;
		r->user_object = user->object;
		r->former = former->site->number;
		r->former_object = former->object;
		r->count = pair->total;
		r->far = pair->conflicts[REUSE_FAR];
		r->set_lines = pair->conflicts[REUSE_SUM_SET];
		r->all_lines = pair->conflicts[REUSE_SUM_ALL];
	}
}
