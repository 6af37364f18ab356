// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two recordings of recipe.h's kind: the page of the first with its advice, the first in another
 * tool's format, what a gate says of both. Whatever comes in: no crash, no run without end.
 */
#include "advise/advise.h"
#include "base/fail.h"
#include "base/map.h"
#include "export/export-write.h"
#include "gate/views.h"
#include "page/page.h"
#include "records.h"

#define KEPT	20000u		/* references of bursts */
#define TRIED	20000u		/* ... in a search for cures */

/* Said a million times, it would only slow the fuzzer down. */
static FILE *null;

static void show_page(const char *path)
{
	const struct cure_limits limits = { .loops = 2, .accesses = TRIED };
	struct analysis_options options = { .by_set = true, .map = true };
	struct view_options view = { .top = 5 };
	struct tallies tallies = { .sites = NULL };
	struct keep *keep = keep_new(KEPT);
	struct cures *cures = NULL;
	struct findings *findings;

	keep_attach(keep, &options);
	tallies_attach(&tallies, &options);
	findings = analyze_recording(path, &options);
	if (findings && findings->bursts.known) {
		keep_end(keep, findings);
		view.cures = cures = cures_find(keep, findings, &limits);
	}
	if (findings) {
		tallies_sort(&tallies);
		page_report(null, &(struct page_sources){
			.findings = findings, .view = &view, .tallies = &tallies, .keep = keep });
	}
	cures_free(cures);
	if (findings)
		findings_free(findings);
	tallies_drop(&tallies);
	keep_free(keep);
}

static void judge(const struct findings *before, const struct findings *after)
{
	struct comparison *comparisons[FINDINGS_LEVELS];
	struct check_policy policy;
	struct check_result result;
	size_t count = 0;

	for (uint32_t level = 1; level <= FINDINGS_LEVELS; level++)
		if (findings_event(before, level) && findings_event(after, level) &&
		    !compare_stores(before, after, level))
			comparisons[count++] = compare_findings(before, after, level);
	check_policy_default(&policy);
	check_findings(before, after, comparisons, count, &policy, &result);
	check_text(null, &result, false);
	check_json(null, &result);
	check_sarif(null, &result);
	check_junit(null, &result);
	check_markdown(null, &result);
	check_result_drop(&result);
	check_policy_drop(&policy);
	while (count)
		comparison_free(comparisons[--count]);
}

static void compare(const char *one, const char *other)
{
	static const struct analysis_options options;
	struct findings *before = analyze_recording(one, &options);
	struct findings *after = before ? analyze_recording(other, &options) : NULL;

	if (after && before->bursts.known == after->bursts.known)
		judge(before, after);
	if (after)
		findings_free(after);
	if (before)
		findings_free(before);
}

/* The input's first byte says which. */
static void convert(const char *path, uint8_t how)
{
	char *paths[] = { (char *)path };

	export_write(&(struct export_request){
		.format = how % EXPORT_FORMATS, .output = "/dev/null", .inputs = { paths, 1 },
		.samples = (how & 64) && export_has_rows(how % EXPORT_FORMATS) });
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct image one, other;
	const uint8_t *half = data + size / 2;
	struct recipe first = { data, half }, second = { half, data + size };
	uint8_t how = byte(&first);

	if (!null)
		null = fopen("/dev/null", "w");
	make_recording(&first, &one);
	make_recording(&second, &other);
	show_page(one.path);
	convert(one.path, how);
	compare(one.path, other.path);
	return 0;
}
