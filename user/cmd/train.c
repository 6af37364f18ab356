// SPDX-License-Identifier: GPL-2.0-only
/* ccsample train: fits the paper's classifier to loops whose label is known. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "classify/training.h"
#include "base/fail.h"
#include "cmd/commands.h"
#include "cmd/number.h"
#include "cmd/options.h"

static const char help[] =
	"usage: ccsample train [options] LABELS...\n"
	"       ccsample train [options] --values FILE\n"
	"\n"
	"Fits CCProf's classifier: the chance that a loop is conflicting of conflicts, from its\n"
	"cf, by logistic regression; one model for each cache level, way of sampling (single\n"
	"or burst) and mean period among the recordings. ccsample report --model uses it.\n"
	"\n"
	"LABELS are files of lines\n"
	"  RECORDING | LEVEL | FUNCTION | LINE | conflicting or clean\n"
	"LINE is a source line in the loop, - for a function outside its loops; recordings are\n"
	"sought beside the file of labels; # begins a comment.\n"
	"\n"
	"  -o, --output FILE  the model (ccsample.model), - writes to standard output\n"
	"  -k, --folds K      of the cross-validation, 8 unless told otherwise; all loops of a\n"
	"                     program are in one fold\n"
	"      --values FILE  cf's measured already, lines of\n"
	"                     LEVEL single|burst PERIOD PROGRAM CF conflicting|clean\n"
	"  -h, --help         this text\n";

#define FOLDS_MOST 1000

struct arguments {
	const char *output;
	const char *values;
	uint64_t folds;
	char **labels;
	int count;
};

static int take_option(void *argument, int option)
{
	struct arguments *arguments = argument;

	switch (option) {
	case 'o':
		arguments->output = optarg;
		return 0;
	case 'k':
		return parse_number("--folds", optarg, 2, FOLDS_MOST, &arguments->folds);
	case 'v':
		arguments->values = optarg;
		return 0;
	}
	return 0;
}

/* Return: 0, 1 after help was asked for, -1 after one line. */
static int parse(int argc, char **argv, struct arguments *arguments)
{
	static const struct option options[] = {
		{ "output", required_argument, NULL, 'o' },
		{ "folds", required_argument, NULL, 'k' },
		{ "values", required_argument, NULL, 'v' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	static const struct option_plan plan = { "train", help, ":o:k:h", options, take_option };
	int first = options_read(&plan, argc, argv, arguments);

	if (first <= 0)
		return first < 0 ? -1 : 1;
	arguments->labels = argv + first;
	arguments->count = argc - first;
	if (!arguments->count && !arguments->values)
		return fail("train needs a file of labels: see ccsample train --help");
	return 0;
}

/* Which periods are learnt how well, beside the file. */
static void tell(const struct model *model)
{
	fputs("level  samples  period  loops  conflicting  boundary  precision  recall    F1\n", stderr);
	for (size_t i = 0; i < model->count; i++) {
		const struct model_entry *entry = &model->entries[i];

		fprintf(stderr, "L%-4" PRIu32 "  %-7s  %6" PRIu64 "  %5" PRIu32 "  %6" PRIu32
			"  %8.3f  %9.3f  %6.3f  %.3f\n", entry->level,
			entry->bursts ? "burst" : "single", entry->period, entry->rows,
			entry->conflicting, logistic_boundary(&entry->logistic),
			score_precision(&entry->score), score_recall(&entry->score),
			score_f1(&entry->score));
	}
	fputs("(boundary: the cf above which a loop is called conflicting; the rest in "
	      "cross-validation)\n", stderr);
}

static int write_model(const struct model *model, const char *path)
{
	FILE *out = strcmp(path, "-") ? fopen(path, "w") : stdout;
	bool wrong;

	if (!out)
		return fail("cannot write %s: %s", path, strerror(errno));
	model_write(out, model);
	wrong = fflush(out) || ferror(out);
	if (out != stdout)
		wrong |= fclose(out) != 0;
	return wrong ? fail("cannot write %s: %s", path, strerror(errno)) : 0;
}

static int train(const struct arguments *arguments)
{
	struct training training = { .rows = NULL };
	struct model *model = NULL;
	int status = 0;

	for (int i = 0; !status && i < arguments->count; i++)
		status = training_read_labels(&training, arguments->labels[i]);
	if (!status && arguments->values)
		status = training_read_values(&training, arguments->values);
	if (training.missing || training.scanty)
		warning("left out: %" PRIu64 " loops without a sample at their level, %" PRIu64
			" with fewer than %d", training.missing, training.scanty,
			MODEL_LEAST_SAMPLES);
	if (!status && !training.count)
		status = fail("there is no loop to learn from");
	if (!status)
		model = training_fit(&training, arguments->folds);
	if (model) {
		tell(model);
		status = write_model(model, arguments->output);
	}
	status = model ? status : -1;
	model_free(model);
	training_drop(&training);
	return status;
}

int cmd_train(int argc, char **argv)
{
	struct arguments arguments = { .output = "ccsample.model", .folds = 8 };
	int result;

	result = parse(argc, argv, &arguments);
	if (result)
		return result < 0 ? 2 : 0;
	return train(&arguments) < 0;
}
