// SPDX-License-Identifier: GPL-2.0-only
/* ccsample train: fits the paper's classifier to loops whose label is known. */
#include <inttypes.h>

#include "classify/model.h"
#include "classify/training.h"
#include "base/fail.h"
#include "base/output-file.h"
#include "cmd/commands.h"
#include "format/pass.h"

#define FOLDS_MOST 1000
#define REPLACES "--output %s would overwrite what it is trained on: name another file"

struct arguments {
	const char *output;
	const char *values;
	uint64_t folds;
	char **labels;			/* ended by NULL */
};

static const struct arguments defaults = { .output = "ccsample.model", .folds = 8 };

static int check(void *options, char **operands)
{
	struct arguments *arguments = options;

	arguments->labels = operands;
	if (!*operands && !arguments->values)
		return fail("train needs a file of labels: see ccsample train --help");
	for (char **labels = operands; *labels; labels++)
		if (is_same_file(arguments->output, *labels))
			return fail(REPLACES, arguments->output);
	return arguments->values && is_same_file(arguments->output, arguments->values) ?
	       fail(REPLACES, arguments->output) : 0;
}

static int run(void *options)
{
	const struct arguments *arguments = options;
	struct training training = { .rows = NULL };
	struct model *model = NULL;
	int status = 0;

	for (char **labels = arguments->labels; !status && *labels; labels++)
		status = training_read_labels(&training, *labels);
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
		model_summary(stderr, model);
		status = model_save(model, arguments->output);
	}
	status = model ? status : -1;
	model_free(model);
	training_drop(&training);
	return status;
}

static int reserve(void *options)
{
	return reserve_result(((struct arguments *)options)->output);
}

static const struct option_row rows[] = {
	{ "output", 'o', "FILE", "the model, - for standard output [ccsample.model]", option_text,
	  .target = offsetof(struct arguments, output) },
	{ "folds", 'k', "K", "folds of the cross-validation; all loops of a program are in one "
	  "fold [8]", option_number, .target = offsetof(struct arguments, folds), 2, FOLDS_MOST },
	{ "values", 0, "FILE", "cf's that were measured before, in lines\n"
	  "LEVEL single|burst PERIOD PROGRAM CF conflicting|clean", option_text,
	  .target = offsetof(struct arguments, values) },
	OPTION_MEMORY,
	{ }
};

const struct command command_train = {
	.name = "train",
	.summary = "fit the classifier of CCProf to loops whose label is known",
	.usage = "train [options] LABELS...\n"
		 "train [options] --values FILE",
	.about = "Fits the probability that a loop has conflicts to its cf by logistic regression: "
		 "one model for each cache level, way of sampling (single or burst) and mean "
		 "period among the recordings. ccsample report --full --model shows it.\n"
		 "\n"
		 "LABELS are files of lines\n"
		 "  RECORDING | LEVEL | FUNCTION | LINE | conflicting or clean\n"
		 "LINE is a source line in the loop, - for a function outside its loops; "
		 "recordings are looked up next to the file of labels; # begins a comment.",
	.examples = "  ccsample train -o my.model labels\n"
		    "  ccsample report --full --model my.model run.ccs",
	.groups = (const struct option_group[]){ { .rows = rows }, { } },
	.size = sizeof(defaults),
	.defaults = &defaults,
	.check = check,
	.reads_programs = true,
	.reserve = reserve,
	.run = run,
};
