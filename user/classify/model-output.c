// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>

#include "base/output-file.h"
#include "classify/model.h"

void model_summary(FILE *out, const struct model *model)
{
	fputs("level  samples  period  loops  conflicting  boundary  precision  recall    F1\n",
	      out);
	for (size_t i = 0; i < model->count; i++) {
		const struct model_entry *entry = &model->entries[i];

		fprintf(out, "L%-4" PRIu32 "  %-7s  %6" PRIu64 "  %5" PRIu32 "  %6" PRIu32
			"  %8.3f  %9.3f  %6.3f  %.3f\n", entry->level,
			entry->bursts ? "burst" : "single", entry->period, entry->rows,
			entry->conflicting, logistic_boundary(&entry->logistic),
			score_precision(&entry->score), score_recall(&entry->score),
			score_f1(&entry->score));
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
