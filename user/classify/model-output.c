// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/fail.h"
#include "classify/model.h"

void model_summary(FILE *out, const struct model *model)
{
	fputs("level  samples  period  loops  conflicting  boundary  precision  recall    F1\n", out);
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
