// SPDX-License-Identifier: GPL-2.0-only
/* What the detector by reuse distances makes of accesses, by site and object. */
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
