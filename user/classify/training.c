// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <inttypes.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>

#include "classify/training.h"
#include "base/fail.h"
#include "base/text-lines.h"
#include "base/memory.h"
#include "base/text.h"

#define FIELDS		5
#define TEXT_MOST	(64u << 20)	/* bytes of a file of labels or values */

/* A file of labels while it is read. */
struct labels {
	struct training *training;
	const char *path;
	unsigned int number;		/* of the line */
	char *recording;		/* the one that is analysed, NULL = none yet */
	struct findings *findings;
};

static uint32_t program_number(struct training *training, const char *name)
{
	size_t i;

	for (i = 0; i < training->program_count; i++)
		if (!strcmp(training->programs[i], name))
			return i;
	training->programs = grow(training->programs, training->program_count,
				  &training->program_capacity, sizeof(*training->programs));
	training->programs[training->program_count++] = xstrdup(name);
	return i;
}

static void add_row(struct training *training, const struct training_row *row)
{
	training->rows = grow(training->rows, training->count, &training->capacity,
			      sizeof(*training->rows));
	training->rows[training->count++] = *row;
}

static int parse_label(const char *path, unsigned int number, const char *word, bool *conflicting)
{
	*conflicting = !strcmp(word, "conflicting");
	if (*conflicting || !strcmp(word, "clean"))
		return 0;
	return fail("%s, line %u: a loop is conflicting or clean, not '%s'", path, number, word);
}

/* The innermost loop of a function that holds a line; line 0: the function outside its loops. */
static const struct context *find_context(const struct findings *findings, const char *function,
					  uint32_t line)
{
	const struct context *found = NULL;

	for (size_t i = 0; i < findings->context_count; i++) {
		const struct context *context = &findings->contexts[i];
		const struct code_region *region = &context->region;
		bool function_itself = region->kind == REGION_FUNCTION;
		bool inside = line ? !function_itself && line >= region->line &&
				     line <= region->end_line : function_itself;

		if (!inside || strcmp(context->region.function, function))
			continue;
		if (!found || context->region.depth > found->region.depth)
			found = context;
	}
	return found;
}

static const char *program_of(const struct findings *findings)
{
	const char *slash;

	if (!findings->command || !findings->command[0])
		return findings->path;
	slash = strrchr(findings->command[0], '/');
	return slash ? slash + 1 : findings->command[0];
}

static int open_recording(struct labels *labels, const char *name)
{
	char *copy = xstrdup(labels->path);
	char *path = *name == '/' ? xstrdup(name) : xasprintf("%s/%s", dirname(copy), name);

	free(copy);
	if (labels->recording && !strcmp(labels->recording, path)) {
		free(path);
		return 0;
	}
	if (labels->findings)
		findings_free(labels->findings);
	free(labels->recording);
	labels->recording = path;
	labels->findings = analyze_recording(path, NULL);
	if (labels->findings && labels->findings->bursts.known)
		return fail("%s holds bursts of references: models are of misses sampled with a "
			    "period (record --source engine)", path);
	return labels->findings ? 0 : -1;
}

static int take_label(struct labels *labels, char **field)
{
	struct training_row row = { .level = field[1][0] - '0' };
	const struct level_findings *level;
	const struct event_totals *event;
	const struct context *context;
	uint32_t line = 0;
	char *end = field[3];

	if (strcmp(field[3], "-"))
		line = strtoul(field[3], &end, 10);
	if (strlen(field[1]) != 1 || !row.level || row.level > FINDINGS_LEVELS ||
	    (strcmp(field[3], "-") && (!line || *end)))
		return fail("%s, line %u: no such level (1 to 3) or source line", labels->path,
			    labels->number);
	if (parse_label(labels->path, labels->number, field[4], &row.row.conflicting) < 0 ||
	    open_recording(labels, field[0]) < 0)
		return -1;
	context = find_context(labels->findings, field[2], line);
	level = context ? context_level(context, row.level) : NULL;
	event = findings_event(labels->findings, row.level);
	if (!level || !event) {
		labels->training->missing++;
		return 0;
	}
	if (level->samples < MODEL_LEAST_SAMPLES) {
		labels->training->scanty++;
		return 0;
	}
	row.bursts = event->burst > 1;
	row.period = event->period;
	row.row.x = level->summary.cf;
	row.row.group = program_number(labels->training, program_of(labels->findings));
	add_row(labels->training, &row);
	return 0;
}

static int take_label_line(struct labels *labels, char *line)
{
	char *field[FIELDS], *part;
	size_t count = 0;

	line[strcspn(line, "#")] = '\0';
	if (!*trim(line))
		return 0;
	while ((part = strsep(&line, "|")))
		if (count++ < FIELDS)
			field[count - 1] = trim(part);
	if (count != FIELDS)
		return fail("%s, line %u: expected recording | level | function | line | "
			    "conflicting or clean", labels->path, labels->number);
	return take_label(labels, field);
}

/* Runs a function on each line of a file. */
static int each_line(const char *path, int (*take)(void *context, char *line), void *context)
{
	struct text_lines lines;
	int status = 0;

	if (text_lines_open(&lines, path, "file of labels or values", TEXT_MOST))
		return -1;
	while (!status && text_lines_next(&lines))
		status = take(context, lines.text);
	return text_lines_close(&lines) || status ? -1 : 0;
}

static int label_line(void *context, char *line)
{
	struct labels *labels = context;

	labels->number++;
	return take_label_line(labels, line);
}

int training_read_labels(struct training *training, const char *path)
{
	struct labels labels = { .training = training, .path = path };
	int status = each_line(path, label_line, &labels);

	if (labels.findings)
		findings_free(labels.findings);
	free(labels.recording);
	return status;
}

static int value_line(void *context, char *line)
{
	struct labels *labels = context;
	struct training_row row = { .level = 0 };
	char samples[8], program[256], word[16];
	int used = 0;

	labels->number++;
	line[strcspn(line, "#")] = '\0';
	line = trim(line);
	if (!*line)
		return 0;
	if (sscanf(line, "%" SCNu32 " %7s %" SCNu64 " %255s %lf %15s%n", &row.level, samples,
		   &row.period, program, &row.row.x, word, &used) != 6 || line[used] ||
	    !row.level || row.level > FINDINGS_LEVELS || !row.period ||
	    !(row.row.x >= 0 && row.row.x <= 1))
		return fail("%s, line %u: expected level (1 to 3), single or burst, period, "
			    "program, cf (0 to 1), conflicting or clean", labels->path,
			    labels->number);
	row.bursts = !strcmp(samples, "burst");
	if (!row.bursts && strcmp(samples, "single"))
		return fail("%s, line %u: samples are single or burst, not '%s'", labels->path,
			    labels->number, samples);
	if (parse_label(labels->path, labels->number, word, &row.row.conflicting) < 0)
		return -1;
	row.row.group = program_number(labels->training, program);
	add_row(labels->training, &row);
	return 0;
}

int training_read_values(struct training *training, const char *path)
{
	struct labels labels = { .training = training, .path = path };

	return each_line(path, value_line, &labels);
}

static bool alike(const struct training_row *a, const struct training_row *b)
{
	return a->level == b->level && a->bursts == b->bursts && a->period == b->period;
}

static int fit_entry(const struct training *training, const struct training_row *kind,
		     uint32_t folds, struct model_entry *entry)
{
	struct logistic_row *rows = xcalloc(training->count, sizeof(*rows));
	int error;

	*entry = (struct model_entry){ .level = kind->level, .bursts = kind->bursts,
				       .period = kind->period, .folds = folds };
	for (size_t i = 0; i < training->count; i++) {
		if (!alike(&training->rows[i], kind))
			continue;
		entry->conflicting += training->rows[i].row.conflicting;
		rows[entry->rows++] = training->rows[i].row;
	}
	error = logistic_fit(rows, entry->rows, LOGISTIC_RIDGE, &entry->logistic);
	if (!error)
		error = logistic_validate(rows, entry->rows, folds, LOGISTIC_RIDGE, NULL,
					  &entry->score);
	free(rows);
	if (!error)
		return 0;
	if (error == -ENOMEM)
		return fail("out of memory for %" PRIu32 " loops", entry->rows);
	return fail("L%" PRIu32 ", %s samples, period %" PRIu64 ": nothing to learn from %" PRIu32
		    " loops, %" PRIu32 " of them conflicting: label conflicting and clean loops, "
		    "of different cf",
		    kind->level, kind->bursts ? "burst" : "single", kind->period, entry->rows,
		    entry->conflicting);
}

struct model *training_fit(const struct training *training, uint32_t folds)
{
	struct model *model = xcalloc(1, sizeof(*model));
	size_t i, j;

	for (i = 0; i < training->count; i++) {
		for (j = 0; j < i && !alike(&training->rows[j], &training->rows[i]); j++)
			;
		if (j < i)
			continue;
		model->entries = grow(model->entries, model->count, &model->capacity,
				      sizeof(*model->entries));
		if (fit_entry(training, &training->rows[i], folds,
			      &model->entries[model->count++]) < 0) {
			model_free(model);
			return NULL;
		}
	}
	return model;
}

void training_drop(struct training *training)
{
	for (size_t i = 0; i < training->program_count; i++)
		free(training->programs[i]);
	free(training->programs);
	free(training->rows);
}
