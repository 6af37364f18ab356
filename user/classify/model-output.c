// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <math.h>

#include "base/output-file.h"
#include "classify/model.h"

/* Precision has none where no loop was called conflicting. */
static void put_ratio(FILE *out, int width, double ratio)
{
	if (isnan(ratio))
		fprintf(out, "%*s", width, "-");
	else
		fprintf(out, "%*.3f", width, ratio);
}

void model_summary(FILE *out, const struct model *model)
{
	fputs("level  samples  period  loops  conflicting  boundary  precision  recall     F1\n",
	      out);
	for (size_t i = 0; i < model->count; i++) {
		const struct model_entry *entry = &model->entries[i];

		fprintf(out, "L%-4" PRIu32 "  %-7s  %6" PRIu64 "  %5" PRIu32 "  %11" PRIu32,
			entry->level, entry->bursts ? "burst" : "single", entry->period,
			entry->rows, entry->conflicting);
		put_ratio(out, 10, logistic_boundary(&entry->logistic));
		put_ratio(out, 11, score_precision(&entry->score));
		put_ratio(out, 8, score_recall(&entry->score));
		put_ratio(out, 7, score_f1(&entry->score));
		fputc('\n', out);
	}
	fputs("(boundary: the cf above which a loop is called conflicting; the rest in "
	      "cross-validation)\n", out);
}

int model_save(const struct model *model, const char *path)
{
	struct output_file file;

	if (output_file_open(&file, path) < 0)
		return -1;
	model_write(file.stream, model);
	return output_file_finish(&file);
}
