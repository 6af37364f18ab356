// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <stdlib.h>

#include "advise/chains.h"
#include "advise/model.h"
#include "advise/own.h"
#include "base/map.h"
#include "base/memory.h"
#include "tracee/burst-log/log.h"

#define MODEL_ERROR	0.20	/* of the time: docs/explanation/advice.md */
#define AT_ONCE		4u	/* references later, at most */

/* --- classes --- */

/* Does a site's address wait for a load that waits for itself? By site. */
static bool *find_chained(const struct keep *keep)
{
	struct chains *chains = chains_new(keep);
	bool *chained = xcalloc(keep->site_count + 1, sizeof(*chained));

	for (uint32_t load = 0; load < keep->site_count; load++)
		for (uint32_t site = 0; chains_chained(chains, load) && site < keep->site_count;
		     site++)
			chained[site] |= site == load || chains_waits(chains, site, load);
	chains_free(chains);
	return chained;
}

/* @since: references since its line was used, 0 = it was not */
static enum price_class class_of(const struct keep_access *access, bool chained, uint64_t since)
{
	if (access->kind & BURST_STORE)
		return access->kind & BURST_LOAD ? PRICE_UPDATE : PRICE_STORE;
	if (chained)
		return PRICE_CHAINED;
	return since && since <= PRICE_NEAR_MOST ? PRICE_NEAR : PRICE_FAR;
}

/* A load whose line is stored to at once brings it for that: x += y, in two instructions. */
static void mark_burst(const struct keep *keep, struct keep_burst *burst, const bool *chained)
{
	struct map last = { .entries = NULL };

	for (size_t i = 0; i < burst->count; i++) {
		struct keep_access *access = &burst->accesses[i], *before;
		uint64_t *used = map_at(&last, access->address >> keep->geometry.line_bits);
		uint64_t since = *used ? i + 1 - *used : 0;

		access->class = class_of(access, chained[access->site], since);
		before = since && since <= AT_ONCE ? &burst->accesses[*used - 1] : NULL;
		if (before && access->kind & BURST_STORE && !(before->kind & BURST_STORE))
			before->class = PRICE_UPDATE;
		*used = i + 1;
	}
	map_free(&last);
}

void model_classes(struct keep *keep)
{
	bool *chained = find_chained(keep);

	for (size_t i = 0; i < keep->burst_count; i++)
		mark_burst(keep, &keep->bursts[i], chained);
	free(chained);
}

/* --- time --- */

/* What bursts were not timed took, as long as the others. */
double model_time(const struct keep *keep)
{
	double *own = own_times(keep), timed = 0, time = 0, all = 0;

	for (size_t i = 0; i < keep->burst_count; i++) {
		const struct keep_burst *burst = &keep->bursts[i];
		double counted = burst->weight * (burst->count - burst->count / 2);

		all += counted;
		timed += own[i] > 0 ? counted : 0;
		time += counted * own[i];
	}
	free(own);
	return timed > 0 ? time * all / timed : 0;
}

struct time_share model_share(const struct calibration *calibration, const struct replay *before,
			      const struct replay *after, double time)
{
	struct time_share share = { 0, 0, 0, 0 };

	if (time <= 0)
		return (struct time_share){ NAN, NAN, NAN, 0 };
	for (int level = 0; level < PRICE_LEVELS; level++)
		for (int class = 0; class < PRICE_CLASSES; class++) {
			const struct price *cost = &calibration->cost[level][class];
			double saved = (before->all.classes[level][class] -
					after->all.classes[level][class]) / time;

			share.share += saved * cost->middle;
			share.low += saved * (saved > 0 ? cost->low : cost->high);
			share.high += saved * (saved > 0 ? cost->high : cost->low);
		}
	share.share = fmin(share.share, 1);
	share.low = fmin(share.low, 1) - MODEL_ERROR;
	/* Misses may cost more than in the kernels: in L2's sets, by stores that loads wait for. */
	if (after->all.misses < before->all.misses)
		share.high = fmax(share.high, 1 - after->all.misses / before->all.misses);
	share.high = fmin(share.high + MODEL_ERROR, 1);
	return share;
}
