// SPDX-License-Identifier: GPL-2.0-only
/*
 * libFuzzer on kept simulations: records of recipe.h's kind, read as `sim -i`
 * reads them and shown in both forms. Whatever comes in: no crash, no undefined
 * behaviour, no run without end.
 */
#include "simulate/kept.h"
#include "base/fail.h"
#include "image.h"
#include "recipe.h"
#include "simulate/views.h"

/* Said a million times, it would only slow the fuzzer down. */
static struct image image;

struct draft {
	uint64_t words[8192];
};

static void write_meta(const char *key, const char *value)
{
	static struct draft draft;
	struct ccs_meta *meta = (void *)&draft;

	memset(meta, 0, sizeof(*meta) + 128);
	meta->record.type = CCS_META;
	meta->key_size = put_text(meta + 1, key);
	meta->value_size = put_text((char *)(meta + 1) + meta->key_size, value);
	meta->record.size = (sizeof(*meta) + meta->key_size + meta->value_size + 7) & ~7u;
	image_put(&image, &meta->record);
}

static void write_head(struct recipe *recipe)
{
	static const char *const detectors[] = { "full", "fifo", "reuse", "none" };
	static const char *const policies[] = { "lru,lru,lru", "plru,fifo,lru", "lru", "x,," };
	static const char *const hashes[] = { "intel-2", "client-6", "intel-8", "none" };
	uint32_t levels = 1 + byte(recipe) % 4;

	write_meta("option.simulate", "yes");
	write_meta("option.detector", detectors[byte(recipe) & 3]);
	write_meta("option.policies", policies[byte(recipe) & byte(recipe) & 3]);
	write_meta("option.inclusions", "non-inclusive,inclusive");
	write_meta("option.function", path(recipe));
	if (byte(recipe) > 200)
		write_meta("L3.hash", hashes[byte(recipe) & 3]);
	for (uint32_t n = 1; n <= levels; n++) {
		struct ccs_cache cache = {
			.record = { .size = sizeof(cache), .type = CCS_CACHE }, .level = n,
			.ways = 8u << (byte(recipe) & 1), .sets = 8u << n, .line = 64,
			.slices = byte(recipe) > 250 ? byte(recipe) : 1,
		};

		image_put(&image, &cache.record);
	}
}

/* Counts fill a record from @from to its end. */
static void make_counts(struct recipe *recipe, struct ccs_record *record, size_t from)
{
	uint64_t *words = (void *)record;

	for (size_t i = from / 8; i < record->size / 8; i++)
		words[i] = byte(recipe) & 1 ? word(recipe) : byte(recipe);
}

static void make_sets(struct recipe *recipe, struct ccs_sim_sets *r, size_t size)
{
	uint64_t *words = (void *)(r + 1);

	r->level = byte(recipe) & 3;
	r->count = byte(recipe) & 31;
	r->record.size = sizeof(*r) + r->count * size;
	for (size_t i = 0; i < r->count * size / 8; i++)
		words[i] = byte(recipe);
}

static void make_depths(struct recipe *recipe, struct ccs_sim_depths *r)
{
	r->level = byte(recipe) & 3;
	r->set = byte(recipe);
	r->ways = byte(recipe) & 31;
	r->record.size = sizeof(*r) + (r->ways + 1) * sizeof(uint64_t);
	make_counts(recipe, &r->record, sizeof(*r));
}

/* Numbers of sites and objects are small, so that records meet. */
static void make_numbers(struct recipe *recipe, struct ccs_record *record, int count)
{
	uint32_t *numbers = (void *)(record + 1);

	for (int i = 0; i < count; i++)
		numbers[i] = byte(recipe) & 7;
}

static void make_result(struct recipe *recipe, struct ccs_record *record)
{
	struct ccs_sim_site *site = (void *)record;

	switch (record->type) {
	case CCS_SIM_SITE:
	case CCS_SIM_OBJECT:
		record->size = sizeof(*site);
		site->ip = word(recipe);
		site->number = byte(recipe) & 7;
		site->reserved = byte(recipe) & 3;	/* of an object: its block */
		break;
	case CCS_SIM_RUN:
		record->size = sizeof(struct ccs_sim_run);
		make_counts(recipe, record, sizeof(*record));
		break;
	case CCS_SIM_LEVEL:
		record->size = sizeof(struct ccs_sim_level);
		make_numbers(recipe, record, 2);
		make_counts(recipe, record, sizeof(*record) + 8);
		break;
	case CCS_SIM_ROW:
		record->size = sizeof(struct ccs_sim_row);
		make_numbers(recipe, record, 1);
		make_counts(recipe, record, sizeof(*record) + 8);
		break;
	case CCS_SIM_DATA:
		record->size = sizeof(struct ccs_sim_data);
		record->size += (byte(recipe) & 1) * sizeof(uint64_t);
		make_numbers(recipe, record, 2);
		make_counts(recipe, record, sizeof(*record) + 8);
		break;
	case CCS_SIM_REUSE:
		record->size = sizeof(struct ccs_sim_reuse);
		make_numbers(recipe, record, 2);
		make_counts(recipe, record, sizeof(*record) + 8);
		break;
	case CCS_SIM_PAIR:
	case CCS_SIM_ALIAS:
	case CCS_SIM_EDGE:
	case CCS_SIM_SHARING:
		record->size = sizeof(struct ccs_sim_pair);
		make_numbers(recipe, record, 4);
		make_counts(recipe, record, sizeof(*record) + 16);
		break;
	case CCS_SIM_DEPTHS:
		make_depths(recipe, (void *)record);
		break;
	case CCS_SIM_THREAD:
		record->size = sizeof(struct ccs_sim_thread);
		make_counts(recipe, record, sizeof(*record));
		break;
	case CCS_SIM_PREFETCH:
		record->size = sizeof(struct ccs_sim_prefetch);
		make_counts(recipe, record, sizeof(*record));
		break;
	case CCS_SIM_CORE:
		record->size = sizeof(struct ccs_sim_core);
		make_counts(recipe, record, sizeof(*record));
		break;
	case CCS_SIM_PHASE:
		record->size = sizeof(struct ccs_sim_phase);
		make_counts(recipe, record, sizeof(*record));
		break;
	case CCS_SIM_SETS:
		make_sets(recipe, (void *)record, sizeof(struct ccs_sim_set));
		break;
	case CCS_SIM_SET_REUSE:
		make_sets(recipe, (void *)record, sizeof(struct ccs_sim_set_reuse));
		break;
	}
}

static void write_record(struct recipe *recipe)
{
	static const uint16_t types[] = {
		CCS_PROCESS, CCS_MAP, CCS_MAP, CCS_ALLOC, CCS_SIM_SITE, CCS_SIM_SITE,
			CCS_SIM_OBJECT,
		CCS_SIM_RUN, CCS_SIM_LEVEL, CCS_SIM_ROW, CCS_SIM_ROW, CCS_SIM_SETS, CCS_SIM_DATA,
		CCS_SIM_PAIR, CCS_SIM_PHASE, CCS_SIM_REUSE, CCS_SIM_SET_REUSE,
		CCS_SIM_ALIAS, CCS_SIM_DEPTHS, CCS_SIM_THREAD, CCS_SIM_PREFETCH,
		CCS_SIM_CORE, CCS_SIM_SHARING,
	};
	static struct draft draft;
	struct ccs_record *record = (void *)&draft;

	memset(record, 0, 4096);
	record->type = types[byte(recipe) % (sizeof(types) / sizeof(types[0]))];
	record->process = byte(recipe) & 3;
	record->tid = byte(recipe) & 3;
	if (record->type < CCS_SIM_SITE)
		make_place(recipe, record);
	else
		make_result(recipe, record);
	image_put(&image, record);
}

static void look(const char *file)
{
	struct simulation_view view = { .input = "fuzz", .top = 5 };
	char *program = NULL;
	struct sim_findings *findings = sim_file_read(file, &program);
	static FILE *null;

	if (!null)
		null = fopen("/dev/null", "w");
	if (findings) {
		simulation_text(null, findings, &view);
		view.top = 0;
		simulation_json(null, findings, &view);
		sim_findings_free(findings);
	}
	free(program);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct recipe recipe = { data, data + size };
	struct ccs_process first = {
		.record = { .size = sizeof(first), .type = CCS_PROCESS, .process = 1 },
	};

	image_begin(&image);
	write_head(&recipe);
	image_put(&image, &first.record);
	while (recipe.at < recipe.end)
		write_record(&recipe);
	image_end(&image);
	look(image.path);
	return 0;
}
