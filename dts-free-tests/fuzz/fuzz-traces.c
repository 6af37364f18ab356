// SPDX-License-Identifier: GPL-2.0-only
/*
 * Traces of up to three ranks: well-formed records that make no sense (recipe.h), with the input's
 * bytes as operations. They are merged, and analysed, with changes or without: each by itself, all
 * at once, and merged.
 * Whatever comes in: no crash, no run without end, and what is merged can be read.
 */
#include "base/fail.h"
#include "format/recording.h"
#include "image.h"
#include "recipe.h"
#include "tracing/merge.h"
#include "tracing/views.h"

#define RANKS_MOST	3
#define LIMIT		20000		/* references simulated */

static struct image ranks[RANKS_MOST];

static void make_references(struct recipe *recipe, struct ccs_references *r)
{
	uint8_t *bytes = (void *)(r + 1);
	uint32_t i;

	r->references = byte(recipe);
	r->bytes_size = byte(recipe);
	for (i = 0; i < r->bytes_size; i++)
		bytes[i] = byte(recipe);
	r->record.size = (sizeof(*r) + r->bytes_size + 7) & ~7u;
}

static void make_members(struct recipe *recipe, struct ccs_members *r)
{
	struct ccs_run *runs = (void *)(r + 1);
	uint32_t i;

	r->ranks = byte(recipe) & 7;
	r->rank_runs = byte(recipe) & 3;
	r->thread_runs = byte(recipe) & 3;
	for (i = 0; i < r->rank_runs + r->thread_runs; i++)
		runs[i] = (struct ccs_run){ byte(recipe) & 3, byte(recipe) & 3, byte(recipe) & 3 };
	r->record.size = (sizeof(*r) + i * sizeof(*runs) + 7) & ~7u;
}

static void put_record(struct recipe *recipe, struct image *image)
{
	static const uint16_t types[] = {
		CCS_REFERENCES, CCS_REFERENCES, CCS_REFERENCES, CCS_PROCESS, CCS_MAP, CCS_ALLOC,
		CCS_FORGET, CCS_MEMBERS,
	};
	static uint64_t buffer[1024];
	struct ccs_record *record = (void *)buffer;

	memset(buffer, 0, sizeof(buffer));
	*record = (struct ccs_record){
		.type = types[byte(recipe) & 7],
		.process = byte(recipe) & 3,
		.tid = byte(recipe) & 3,
	};
	if (record->type == CCS_REFERENCES)
		make_references(recipe, (void *)record);
	else if (record->type == CCS_MEMBERS)
		make_members(recipe, (void *)record);
	else if (record->type == CCS_FORGET)
		record->size = sizeof(struct ccs_forget);
	else
		make_place(recipe, record);
	image_put(image, record);
}

/* As `analyze` does, in both forms. */
static void look(const char *const *paths, uint32_t count, uint8_t how)
{
	struct traced_options options = {
		.plan_count = 1, .limit = LIMIT, .pages = { PAGES_RANDOM, 1 },
		.compositional = how & 1, .plain = how & 2,
	};
	struct traced_view view = { .input = "fuzz", .top = 5, .pages = &options.pages };
	struct traced *traced;
	static FILE *null;

	if (!null)
		null = fopen("/dev/null", "w");
	/* What is not known is all of one object. */
	if (how & 64) {
		options.pads[0] = (struct traced_pad){ "[unknown]", 64, how & 16 ? 1024 : 0 };
		options.pad_count = 1;
	}
	if (how & 128) {
		options.scales[0] = (struct traced_scale){ 1, 1000 };
		options.scale_count = 1;
	}
	options.plans[0].levels = 2;
	cache_geometry_init(&options.plans[0].level[0].geometry, 512, 2, 32);
	cache_geometry_init(&options.plans[0].level[1].geometry, 2304, 3, 32);
	traced = traced_run(paths, count, &options);
	if (!traced)
		return;
	traced_text(null, traced, &view);
	traced_json(null, traced, &view);
	traced_free(traced);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct recipe recipe = { data, data + size };
	uint8_t how = byte(&recipe), next = how >> 4;
	const char *paths[RANKS_MOST], *path_merged;
	uint32_t count = 1 + how / 4 % RANKS_MOST, i;
	struct traces_merged sums;
	struct recording *recording;

	for (i = 0; i < count; i++) {
		image_begin(&ranks[i]);
		paths[i] = ranks[i].path;
	}
	for (; recipe.at < recipe.end; next = byte(&recipe))
		put_record(&recipe, &ranks[next % count]);
	for (i = 0; i < count; i++)
		image_end(&ranks[i]);
	look(paths, count, how);
	path_merged = written_clear();
	if (traces_merge(paths, count, path_merged, &sums))
		return 0;
	recording = recording_open(path_merged);
	if (!recording)
		abort();
	recording_close(recording);
	look(&path_merged, 1, how);
	return 0;
}
