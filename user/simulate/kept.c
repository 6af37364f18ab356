// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "simulate/kept.h"
#include "simulate/results.h"
#include "base/fail.h"
#include "base/memory.h"
#include "cachesim/policy-names.h"
#include "format/pass.h"

struct head {
	struct hierarchy_plan plan;
	char *pages;
	char *function;
	char *program;
	uint64_t alias;		/* window, 0 = not counted */
	uint64_t blocks;	/* told apart, of a place */
	uint64_t turn;		/* of coherence */
	enum sim_file_kind kind;	/* as its META says */
	bool begun;		/* its first process was read */
	struct sim_results *results;	/* NULL until then, or what is wrong */
	const char *wrong;
};

static void take_policies(struct head *head, char *text)
{
	for (int n = 0; n < CACHE_LEVELS; n++) {
		const char *word = strsep(&text, ",");

		if (!word || !policy_named(word, &head->plan.level[n].policy))
			head->wrong = "an unknown policy";
	}
}

static void take_inclusions(struct head *head, char *text)
{
	for (int n = 1; n < CACHE_LEVELS; n++) {
		const char *word = strsep(&text, ",");

		if (!word || !inclusion_named(word, &head->plan.level[n].inclusion))
			head->wrong = "an unknown inclusion";
	}
}

static void take_hash(struct head *head, uint32_t n, const char *name)
{
	head->plan.level[n].hash = slice_hash_named(name);
	if (!head->plan.level[n].hash)
		head->wrong = "an unknown slice hash";
}

static void take_coherence(struct head *head, const char *name)
{
	head->plan.coherence = true;
	if (strcmp(name, "mesi"))
		head->wrong = "an unknown protocol of coherence";
}

static void take_meta(void *context, const struct ccs_record *record)
{
	const struct ccs_meta *meta = (const void *)record;
	struct head *head = context;
	const char *text = (const char *)(meta + 1);
	char *key, *value;

	if (head->begun)
		return;
	key = xstrndup(text, meta->key_size);
	value = xstrndup(text + meta->key_size, meta->value_size);
	if (!strcmp(key, "command") && !head->program)
		head->program = xstrdup(value);
	else if (!strcmp(key, "pages") && !head->pages)
		head->pages = xstrdup(value);
	else if (!strcmp(key, "option.function") && !head->function)
		head->function = xstrdup(value);
	else if (!strcmp(key, "option.alias"))
		head->alias = strtoull(value, NULL, 10);
	else if (!strcmp(key, "option.policies"))
		take_policies(head, value);
	else if (!strcmp(key, "option.inclusions"))
		take_inclusions(head, value);
	else if (key[0] == 'L' && key[1] >= '1' && key[1] <= '3' && !strcmp(key + 2, ".hash"))
		take_hash(head, key[1] - '1', value);
	else if (!strcmp(key, "option.detector"))
		head->plan.detector = !strcmp(value, "fifo") ? DETECTOR_COLLINS_TULLSEN :
				      !strcmp(value, "reuse") ? DETECTOR_REUSE : DETECTOR_NONE;
	else if (!strcmp(key, "option.coherence"))
		take_coherence(head, value);
	else if (!strcmp(key, "option.blocks"))
		head->blocks = strtoull(value, NULL, 10);
	else if (!strcmp(key, "option.turn"))
		head->turn = strtoull(value, NULL, 10);
	else if (!strcmp(key, "option.prefetch") &&
		 !prefetchers_named(value, &head->plan.prefetchers))
		head->wrong = "an unknown prefetcher";
	else if (!strcmp(key, "option.simulate"))
		head->kind = SIM_FILE_KEPT;
	else if (!strcmp(key, "source") && !strcmp(value, "bursts"))
		head->kind = SIM_FILE_BURSTS;
	free(key);
	free(value);
}

/* Levels come in order, L1 first. */
static void take_cache(void *context, const struct ccs_record *record)
{
	const struct ccs_cache *cache = (const void *)record;
	struct head *head = context;
	uint64_t size = (uint64_t)cache->sets * cache->slices * cache->ways * cache->line;
	const char *error;

	if (head->begun)
		return;
	if (cache->level != head->plan.levels + 1 || cache->level > CACHE_LEVELS) {
		head->wrong = "caches out of order";
		return;
	}
	if (cache->sets > CACHE_SETS_MAX || cache->slices > CACHE_SETS_MAX ||
	    cache->ways > CACHE_WAYS_MAX || cache->line > 4096) {
		head->wrong = "a cache that cannot be";
		return;
	}
	error = cache_geometry_init(&head->plan.level[head->plan.levels++].geometry, size,
				      cache->ways, cache->line);
	if (error)
		head->wrong = error;
}

static void take_process(void *context, const struct ccs_record *record)
{
	((struct head *)context)->begun = true;
}

/* The head ends with the first process. */
static int after_head(void *context, const struct recording *recording)
{
	return ((struct head *)context)->begun;
}

static void head_drop(struct head *head)
{
	free(head->pages);
	free(head->function);
	free(head->program);
}

enum sim_file_kind sim_file_kind(const char *path, struct hierarchy_plan *plan)
{
	static const struct record_consumer consumer = {
		.take = {
			[CCS_META] = take_meta, [CCS_CACHE] = take_cache,
			[CCS_PROCESS] = take_process,
		},
		.after = after_head,
	};
	bool is_recording = recording_is(path);
	struct recording *recording = is_recording ? recording_open(path) : NULL;
	struct head head = { .pages = NULL };

	if (!recording)
		return is_recording ? SIM_FILE_BAD : SIM_FILE_OTHER;
	recording_quiet(recording);
	recording_pass(recording, &consumer, &head);
	recording_close(recording);
	if (head.wrong)
		head.plan.levels = 0;
	if (plan)
		*plan = head.plan;
	head_drop(&head);
	return head.kind;
}

/* The first process: all is known by which results are counted. */
static void begin_results(void *context, const struct ccs_record *record)
{
	struct head *head = context;

	if (!head->begun && head->kind == SIM_FILE_KEPT && head->plan.levels) {
		if (!head->wrong)
			head->wrong = hierarchy_error(&head->plan);
		if (!head->wrong)
			head->results = sim_results_new(&head->plan);
	}
	head->begun = true;
	if (head->results)
		sim_results_take(head->results, record);
}

static void take_result(void *context, const struct ccs_record *record)
{
	struct head *head = context;

	if (head->results)
		sim_results_take(head->results, record);
}

static int after_record(void *context, const struct recording *recording)
{
	const struct head *head = context;

	return head->begun && !head->results;
}

static struct sim_findings *findings_of(struct head *head, const struct recording *recording,
					const char *path)
{
	struct sim_findings *findings;

	if (!head->results) {
		if (head->kind == SIM_FILE_KEPT && head->plan.levels && head->wrong)
			fail("%s: its simulation has %s", path, head->wrong);
		else if (!head->begun && recording_end(recording) != RECORDING_WHOLE)
			fail("%s: nothing can be read before the damage", path);
		else
			fail("%s holds neither a simulation nor bursts of references: ccsample "
			     "report reads recordings", path);
		return NULL;
	}
	if (recording_end(recording) != RECORDING_WHOLE)
		warning("%s is cut off: some results are missing", path);
	findings = sim_results_findings(head->results, head->pages ? head->pages : "unknown",
					head->function);
	findings->alias_window = head->alias;
	findings->blocks = head->blocks;
	findings->turn = head->turn;
	return findings;
}

struct sim_findings *sim_file_read(const char *path, char **program)
{
	static const struct record_consumer consumer = {
		.take = {
			[CCS_META] = take_meta, [CCS_CACHE] = take_cache,
			[CCS_PROCESS] = begin_results,
		},
		.other = take_result, .after = after_record,
	};
	struct recording *recording = recording_open(path);
	struct sim_findings *findings;
	struct head head = { .pages = NULL };

	if (!recording)
		return NULL;
	recording_pass(recording, &consumer, &head);
	findings = findings_of(&head, recording, path);
	recording_close(recording);
	*program = head.program;
	head.program = NULL;
	head_drop(&head);
	return findings;
}
