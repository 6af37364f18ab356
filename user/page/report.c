// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "output/html.h"
#include "output/text.h"
#include "page/internal.h"
#include "report/text-header.h"

#define COMMAND_COLUMNS 300

char *page_command(const struct findings *findings)
{
	char *words = findings->command && *findings->command ? join_words(findings->command) :
								xstrdup("unknown command");
	char *fitted = text_fit(words, COMMAND_COLUMNS, TEXT_FIT_MIDDLE);

	free(words);
	return fitted;
}

void page_begin_of(FILE *out, const struct findings *findings, const char *about,
		   const char *heading_words)
{
	char *command = page_command(findings);
	char *file = text_fit(shown_input(findings->path), 80, TEXT_FIT_START);
	char *program = findings->command && *findings->command ?
			text_fit(base_name(findings->command[0]), 60, TEXT_FIT_MIDDLE) :
			xstrdup("a program");
	char *title = xasprintf("%s: %s (%s)", program, about, file);
	char *heading = xasprintf("%s %s", heading_words, program);

	page_begin(out, title, heading, command);
	free(title);
	free(heading);
	free(program);
	free(file);
	free(command);
}

static void put_contents(struct page *page)
{
	const char *parts[20], **at = parts;
	const struct findings *findings = page->findings;

	*at++ = "verdict"; *at++ = "Verdict";
	if (page_details(page)) {
		*at++ = "code"; *at++ = "Code";
		*at++ = "loop"; *at++ = "One piece of code";
	}
	if (findings->map.counts && findings->map.rows) {
		*at++ = "map"; *at++ = "Set map";
	}
	if (findings->object_count && page->level_count) {
		*at++ = "data"; *at++ = "Data";
	}
	*at++ = "levels"; *at++ = "Levels, loads and stores";
	if (findings->recordings > 1) {
		*at++ = "recordings"; *at++ = "Recordings";
	}
	*at++ = "losses"; *at++ = "Losses";
	*at = NULL;
	page_contents(page->out, parts);
}

static void put_facts(struct page *page)
{
	const struct findings *findings = page->findings;

	fputs("<dl class=\"facts\">\n", page->out);
	page_fact(page->out, "recording", report_recording_text(findings, page->view));
	page_fact(page->out, "cache", report_caches_text(findings, page->view));
	page_fact(page->out, "misses", report_misses_text(findings, page->view));
	page_fact(page->out, "conflicts", report_conflicts_text(findings, page->view));
	page_fact(page->out, "worth", report_worth_text(findings, page->view));
	fputs("</dl>\n", page->out);
}

static void choose_levels(struct page *page)
{
	uint32_t levels[PAGE_LEVELS];
	size_t count = levels_sampled(page->findings, levels, PAGE_LEVELS);

	for (size_t i = 0; i < count; i++)
		if ((!page->view->level || levels[i] == page->view->level) &&
		    levels[i] <= FINDINGS_LEVELS)
			page->levels[page->level_count++] = levels[i];
}

void page_report(FILE *out, const struct page_sources *sources)
{
	struct page page = {
		.out = out, .findings = sources->findings, .view = sources->view,
		.tallies = sources->tallies,
		.keep = sources->findings->bursts.known ? sources->keep : NULL,
		.sources = sources_new(), .decoder = decoder_new(),
	};

	choose_levels(&page);
	page_begin_of(out, page.findings, "cache conflicts", "Cache conflicts of");
	put_contents(&page);
	page_verdict(&page);
	put_facts(&page);
	if (page_details(&page))
		page_code(&page, page_details(&page));
	page_set_map(&page);
	page_data(&page);
	page_machine(&page);
	page_recordings(&page);
	page_losses(&page);
	page_end(out);
	decoder_free(page.decoder);
	sources_free(page.sources);
}
