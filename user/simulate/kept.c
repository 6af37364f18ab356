// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simulate/kept.h"
#include "simulate/results.h"
#include "base/fail.h"
#include "base/memory.h"
#include "cachesim/policy-names.h"
#include "format/recording.h"

struct head {
	struct hierarchy_plan plan;
	char *pages;
	char *function;
	char *program;
	uint64_t alias;		/* window, 0 = not counted */
	bool simulation;	/* as its META says */
	const char *wrong;
};

bool sim_file_is(const char *path)
{
	char magic[sizeof(CCS_FILE_MAGIC) - 1];
	FILE *file = strcmp(path, "-") ? fopen(path, "re") : NULL;
	bool is;

	if (!file)
		return false;
	is = fread(magic, 1, sizeof(magic), file) == sizeof(magic) &&
	     !memcmp(magic, CCS_FILE_MAGIC, sizeof(magic));
	fclose(file);
	return is;
}

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

static void take_meta(struct head *head, const struct ccs_meta *meta)
{
	const char *text = (const char *)(meta + 1);
	char *key = strndup(text, meta->key_size);
	char *value = strndup(text + meta->key_size, meta->value_size);

	if (!key || !value)
		exit(-fail("out of memory for the recording's head"));
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
	else if (!strcmp(key, "option.simulate"))
		head->simulation = true;
	free(key);
	free(value);
}

/* Levels come in order, L1 first. */
static void take_cache(struct head *head, const struct ccs_cache *cache)
{
	uint64_t size = (uint64_t)cache->sets * cache->slices * cache->ways * cache->line;
	const char *error;

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

/* Reads up to the first process. Return: that record, or NULL after one line. */
static const struct ccs_record *read_head(struct recording *recording, const char *path,
					  struct head *head)
{
	const struct ccs_record *record = NULL;

	while (recording_next(recording, &record) && record->type != CCS_PROCESS) {
		if (record->type == CCS_META)
			take_meta(head, (const void *)record);
		else if (record->type == CCS_CACHE)
			take_cache(head, (const void *)record);
	}
	if (!record || !head->simulation || !head->plan.levels) {
		fail("%s holds no simulation: ccsample report reads recordings", path);
		return NULL;
	}
	if (!head->wrong)
		head->wrong = hierarchy_error(&head->plan);
	if (!head->wrong)
		return record;
	fail("%s: its simulation has %s", path, head->wrong);
	return NULL;
}

int sim_file_kept(const char *path)
{
	struct recording *recording = sim_file_is(path) ? recording_open(path) : NULL;
	const struct ccs_record *record;
	struct head head = { .pages = NULL };

	if (!recording)
		return 0;
	while (!head.simulation && recording_next(recording, &record) &&
	       record->type != CCS_PROCESS)
		if (record->type == CCS_META)
			take_meta(&head, (const void *)record);
	recording_close(recording);
	free(head.pages);
	free(head.function);
	free(head.program);
	return head.simulation;
}

struct sim_findings *sim_file_read(const char *path, char **program)
{
	struct recording *recording = recording_open(path);
	const struct ccs_record *record;
	struct sim_findings *findings = NULL;
	struct sim_results *results;
	struct head head = { .pages = NULL };

	if (!recording)
		return NULL;
	record = read_head(recording, path, &head);
	if (record) {
		results = sim_results_new(&head.plan);
		do
			sim_results_take(results, record);
		while (recording_next(recording, &record));
		if (recording_end(recording) != RECORDING_WHOLE)
			warning("%s is cut off: some results are missing", path);
		findings = sim_results_findings(results, head.pages ? head.pages : "unknown",
						head.function);
		findings->alias_window = head.alias;
	}
	recording_close(recording);
	free(head.pages);
	free(head.function);
	*program = head.program;
	return findings;
}
