// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "classify/model.h"
#include "base/fail.h"
#include "base/memory.h"

#define MAGIC		"ccsample-model 1"
#define NEAR		2.0	/* ratio of periods up to which a model is used */
#define PERIOD_MOST	(1ull << 48)

/* The file's bytes, as the linker names them. */
extern const char _binary_shipped_model_start[], _binary_shipped_model_end[];

static const char legend[] =
	"# P(conflicting) = 1 / (1 + exp(-(intercept + slope cf)))\n"
	"# right and wrong: in cross-validation, conflicting loops first\n"
	"# level samples period intercept slope rows conflicting folds right wrong right wrong\n";

static int parse_entry(const char *path, unsigned int number, const char *line, struct model *model)
{
	struct model_entry entry = { .level = 0 };
	struct logistic_score *score = &entry.score;
	char samples[8];
	int used = 0;

	if (sscanf(line, "L%" SCNu32 " %7s %" SCNu64 " %lf %lf %" SCNu32 " %" SCNu32 " %" SCNu32
		   " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %n",
		   &entry.level, samples, &entry.period, &entry.logistic.intercept,
		   &entry.logistic.slope, &entry.rows, &entry.conflicting, &entry.folds,
		   &score->true_positive, &score->false_negative, &score->true_negative,
		   &score->false_positive, &used) != 12 || line[used])
		return fail("%s, line %u: expected 12 fields, as ccsample train writes them", path,
			    number);
	entry.bursts = !strcmp(samples, "burst");
	if (!entry.bursts && strcmp(samples, "single"))
		return fail("%s, line %u: samples are single or burst, not '%s'", path, number,
			    samples);
	if (!entry.level || entry.level > FINDINGS_LEVELS || !entry.period ||
	    entry.period > PERIOD_MOST || !isfinite(entry.logistic.intercept) ||
	    !isfinite(entry.logistic.slope))
		return fail("%s, line %u: a level, period or coefficient that cannot be", path,
			    number);
	model->entries = grow(model->entries, model->count, &model->capacity,
			      sizeof(*model->entries));
	model->entries[model->count++] = entry;
	return 0;
}

static int read_lines(const char *path, FILE *file, struct model *model)
{
	unsigned int number = 0;
	char line[512];

	while (fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\r\n#")] = '\0';
		if (!number++) {
			if (strcmp(line, MAGIC))
				return fail("%s is no model of this version (its first line is not "
					    "'%s'): make one with ccsample train", path, MAGIC);
			continue;
		}
		if (line[strspn(line, " \t")] &&
		    parse_entry(path, number, line, model) < 0)
			return -1;
	}
	if (ferror(file))
		return fail("cannot read %s: %s", path, strerror(errno));
	return model->count ? 0 : fail("%s holds no model", path);
}

static struct model *read_file(const char *path, FILE *file)
{
	struct model *model;

	if (!file) {
		fail("cannot open %s: %s", path, strerror(errno));
		return NULL;
	}
	model = xcalloc(1, sizeof(*model));
	if (read_lines(path, file, model) < 0) {
		model_free(model);
		model = NULL;
	}
	fclose(file);
	return model;
}

struct model *model_read(const char *path)
{
	return read_file(path, fopen(path, "r"));
}

struct model *model_shipped(void)
{
	size_t size = _binary_shipped_model_end - _binary_shipped_model_start;

	return read_file("shipped.model", fmemopen((char *)_binary_shipped_model_start, size, "r"));
}

void model_write(FILE *out, const struct model *model)
{
	fprintf(out, "%s\n%s", MAGIC, legend);
	for (size_t i = 0; i < model->count; i++) {
		const struct model_entry *entry = &model->entries[i];
		const struct logistic_score *score = &entry->score;

		fprintf(out, "L%" PRIu32 " %s %" PRIu64 " %.6g %.6g %" PRIu32 " %" PRIu32
			" %" PRIu32 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
			entry->level, entry->bursts ? "burst" : "single", entry->period,
			entry->logistic.intercept, entry->logistic.slope, entry->rows,
			entry->conflicting, entry->folds, score->true_positive,
			score->false_negative, score->true_negative, score->false_positive);
	}
}

void model_free(struct model *model)
{
	if (!model)
		return;
	free(model->entries);
	free(model);
}

/* The entry whose period is nearest, NULL if none is within a factor of two. */
static const struct model_entry *find_entry(const struct model *model, uint32_t level, bool bursts,
					    uint64_t period)
{
	const struct model_entry *found = NULL;
	double least = log(NEAR) + 1e-9;

	for (size_t i = 0; i < model->count; i++) {
		const struct model_entry *entry = &model->entries[i];
		double away = fabs(log((double)entry->period / period));

		if (entry->level != level || entry->bursts != bursts || !(away < least))
			continue;
		least = away;
		found = entry;
	}
	return found;
}

void model_apply(const struct model *model, struct findings *findings)
{
	for (size_t i = 0; i < findings->context_count; i++) {
		struct context *context = &findings->contexts[i];

		for (size_t l = 0; l < context->level_count; l++) {
			struct level_findings *level = &context->levels[l];
			const struct event_totals *event = findings_event(findings, level->level);

			if (!event || !event->period || level->samples < MODEL_LEAST_SAMPLES ||
			    findings->threshold)
				continue;
			level->model = find_entry(model, level->level, event->burst > 1,
						  event->period);
			if (level->model)
				level->model_chance = logistic_chance(&level->model->logistic,
								      level->summary.cf);
		}
	}
}
