// SPDX-License-Identifier: GPL-2.0-only
/* The gate for the pages of CI services: JUnit XML and Markdown. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "gate/views.h"
#include "output/text.h"

/* ---- JUnit XML ---- */

/* Text in an attribute: valid UTF-8 without control characters, as text_clean() leaves it. */
static void put_xml(FILE *out, const char *text)
{
	char *clean = text_clean(text);

	for (const char *at = clean; *at; at++) {
		switch (*at) {
		case '&':
			fputs("&amp;", out);
			break;
		case '<':
			fputs("&lt;", out);
			break;
		case '>':
			fputs("&gt;", out);
			break;
		case '"':
			fputs("&quot;", out);
			break;
		default:
			fputc(*at, out);
		}
	}
	free(clean);
}

static void put_case(FILE *out, const struct check_issue *issue)
{
	char *place = check_place(issue), *what = check_what(issue);

	fprintf(out, "  <testcase classname=\"ccsample.L%" PRIu32 "\" name=\"%s: ", issue->level,
		check_kind_name(issue->kind));
	put_xml(out, place);
	fputs("\">\n    ", out);
	if (!check_fails(issue)) {
		fputs("<skipped message=\"", out);
		put_xml(out, check_excuse(issue));
	} else {
		fputs("<failure message=\"", out);
		put_xml(out, what);
	}
	fputs("\"/>\n  </testcase>\n", out);
	free(place);
	free(what);
}

void check_junit(FILE *out, const struct check_result *result)
{
	size_t cases = result->count + !result->count;

	fprintf(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<testsuite name=\"ccsample check\" tests=\"%zu\" failures=\"%zu\" errors=\"0\" "
		"skipped=\"%zu\">\n", cases, result->failures, result->count - result->failures);
	for (size_t i = 0; i < result->count; i++)
		put_case(out, &result->issues[i]);
	/* Some services take a suite without cases for an error. */
	if (!result->count)
		fprintf(out, "  <testcase classname=\"ccsample\" name=\"nothing is worse in %zu "
			"loops\"/>\n", result->judged);
	fputs("</testsuite>\n", out);
}

/* ---- Markdown ---- */

/* A cell of a table: nothing in it is markup. */
static void put_cell(FILE *out, const char *text)
{
	char *clean = text_clean(text);

	for (const char *at = clean; *at; at++) {
		if (*at == '<')
			fputs("&lt;", out);
		else if (*at == '&')
			fputs("&amp;", out);
		else if (strchr("\\`*_{}[]()#+!|>~@", *at))
			fprintf(out, "\\%c", *at);
		else
			fputc(*at, out);
	}
	free(clean);
}

static void put_row(FILE *out, const struct check_issue *issue)
{
	char *place = check_place(issue), *what = check_what(issue);

	fprintf(out, "| %s | L%" PRIu32 " | ", check_kind_name(issue->kind), issue->level);
	put_cell(out, place);
	fputs(" | ", out);
	put_cell(out, what);
	fputs(" | ", out);
	put_cell(out, check_fails(issue) ? "" : check_excuse(issue));
	fputs(" |\n", out);
	free(place);
	free(what);
}

void check_markdown(FILE *out, const struct check_result *result)
{
	char *summary = check_summary(result);

	fprintf(out, "### ccsample check: %s\n\n%s; loops judged: %zu, undecided: %zu.\n",
		result->failures ? "failed" : "passed", summary, result->judged,
		result->undecided);
	if (result->count)
		fputs("\n| finding | cache | where | what | does not fail |\n"
		      "|---|---|---|---|---|\n", out);
	for (size_t i = 0; i < result->count; i++)
		put_row(out, &result->issues[i]);
	free(summary);
}
