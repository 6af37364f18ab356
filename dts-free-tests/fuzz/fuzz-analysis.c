// SPDX-License-Identifier: GPL-2.0-only
/*
 * libFuzzer on the analysis and the views: records of recipe.h's kind, read and
 * shown as `report` does. Whatever comes in: no crash, no undefined behaviour, no
 * run without end.
 */
#include "base/fail.h"
#include "findings/findings.h"
#include "records.h"
#include "report/views.h"

/* Said a million times, it would only slow the fuzzer down. */
static void look(const char *file)
{
	static const struct analysis_options options = { .map = true, .map_level = 1,
							  .from_entry = true };
	static const struct view_options views = { .top = 5 };
	struct findings *findings = analyze_recording(file, &options);
	static FILE *null;

	if (!null)
		null = fopen("/dev/null", "w");
	if (!findings)
		return;
	report_text(null, findings, &views);
	report_json(null, findings, &views);
	report_csv(null, findings, &views);
	findings_free(findings);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct recipe recipe = { data, data + size };
	static struct image image;

	make_recording(&recipe, &image);
	look(image.path);
	return 0;
}
