// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "base/memory.h"
#include "burst-source/classes.h"
#include "bursts/outcomes-pack.h"
#include "bursts/pack.h"

struct burst_classes {
	struct burst_l2_plan plan;
	bool l2;			/* it is simulated */
	struct burst_levels levels;
	struct burst_references references;
	struct burst_outcomes outcomes;
	struct packed_outcomes packed;
};

static bool has_l2(const struct hierarchy_plan *caches)
{
	return caches->levels > 1 && !caches->level[1].hash &&
	       burst_l2_fits(&caches->level[0].geometry, &caches->level[1].geometry);
}

struct burst_classes *burst_classes_new(const struct hierarchy_plan *caches)
{
	struct burst_classes *classes = xcalloc(1, sizeof(*classes));

	classes->plan.l1 = caches->level[0].geometry;
	classes->plan.pages = burst_default_pages;
	classes->l2 = has_l2(caches);
	if (classes->l2)
		classes->plan.l2 = caches->level[1].geometry;
	return classes;
}

bool burst_classes_have_l2(const struct burst_classes *classes)
{
	return classes->l2;
}

void burst_classes_free(struct burst_classes *classes)
{
	if (!classes)
		return;
	burst_levels_close(&classes->levels);
	burst_outcomes_free(&classes->outcomes);
	free(classes->references.all);
	free(classes->packed.bytes);
	free(classes);
}

const uint8_t *burst_classes_of(struct burst_classes *classes, struct ccs_burst *burst,
				uint32_t process, const uint8_t *bytes, size_t *size)
{
	const struct burst_references *references = &classes->references;
	bool is_long = burst->record.type == CCS_LONG_BURST;

	if (!burst->references) {
		*size = 0;	/* bases of segments, which no outcome has */
		return bytes;
	}
	if (burst_unpack(bytes, *size, burst->references, is_long, &classes->references) ||
	    references->made != burst->references)
		return NULL;
	burst->references = references->count;
	classes->packed.size = 0;
	if (!is_long) {
		burst_outcomes_l1(&classes->outcomes, &classes->levels, &classes->plan.l1,
				  references->all, references->count);
		burst_outcomes_pack(&classes->packed, 1, &classes->outcomes);
	}
	if (classes->l2) {
		burst_outcomes_l2(&classes->outcomes, &classes->levels, &classes->plan, process,
				  references->all, references->count);
		burst_outcomes_pack(&classes->packed, 2, &classes->outcomes);
	}
	*size = classes->packed.size;
	return classes->packed.bytes;
}
