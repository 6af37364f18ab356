// SPDX-License-Identifier: GPL-2.0-only
/* What was lost, skipped or could not be resolved, and what else speaks against the figures. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/memory.h"
#include "output/html.h"
#include "output/text.h"
#include "page/internal.h"

static void put_count(FILE *out, uint64_t count, uint64_t all)
{
	char *text = text_count(count);

	if (count && all) {
		char *percent = text_percent((double)count / all);
		char *both = xasprintf("%s (%s)", text, percent);

		free(text);
		free(percent);
		text = both;
	}
	page_number(out, count, text, count ? "warn" : "");
}

static void put_event(FILE *out, const struct event_totals *event)
{
	uint64_t gone = event->lost + event->foreign + event->no_address;
	uint64_t all = event->samples + gone;

	fputs("<tr><th scope=\"row\"><bdi>", out);
	html_text(out, event->name);
	fputs("</bdi></th>", out);
	page_number(out, event->samples, text_count(event->samples), "");
	page_number(out, event->bursts, text_count(event->bursts), "");
	put_count(out, event->lost, all);
	put_count(out, event->foreign, all);
	put_count(out, event->no_address, all);
	put_count(out, event->unresolved, event->samples);
	put_count(out, event->unnamed, event->samples);
	fputs("</tr>\n", out);
}

static void put_events(struct page *page)
{
	static const struct page_column columns[] = {
		{ "event", false }, { "samples", true }, { "bursts", true }, { "lost", true },
		{ "foreign", true }, { "without an address", true }, { "without a set", true },
		{ "in code without a name", true }, { NULL, false }
	};

	page_table(page, "Losses", "Samples that were lost, came from other programs, or lack "
		   "something.", "full", columns);
	for (size_t i = 0; i < page->findings->event_count; i++)
		put_event(page->out, &page->findings->events[i]);
	page_table_end(page);
}

static void put_bursts(struct page *page)
{
	const struct burst_totals *bursts = &page->findings->bursts;

	fputs("<p>", page->out);
	html_put(page->out, "%" PRIu64 " bursts of references were simulated", bursts->bursts);
	if (bursts->bad)
		html_put(page->out, "; %" PRIu64 " were left out: %s", bursts->bad,
			 bursts->why ? bursts->why : "they did not hold together");
	if (bursts->no_cache)
		html_put(page->out, "; %" PRIu64 " were left out: no L1 is known for them",
			 bursts->no_cache);
	fputs(". Of ", page->out);
	html_put_free(page->out, text_count(bursts->counted));
	fputs(" references that count, ", page->out);
	html_put_free(page->out, text_count(bursts->unknown));
	fputs(" may have hit or missed: what the cache held before each burst is not known.</p>\n",
	      page->out);
}

void page_losses(struct page *page)
{
	const struct findings *findings = page->findings;

	page_part(page->out, "losses", "Losses and notes");
	if (findings->event_count)
		put_events(page);
	if (findings->bursts.known)
		put_bursts(page);
	if (findings->whole && !findings->remark_count) {
		fputs("<p>The recording is whole; there is nothing else to note.</p>\n", page->out);
		return;
	}
	fputs("<ul>\n", page->out);
	if (!findings->whole)
		fputs("<li class=\"warn\">The recording was cut short or damaged: this is what "
		      "came before.</li>\n", page->out);
	for (size_t i = 0; i < findings->remark_count; i++)
		page_item(page->out, text_fit(findings->remarks[i].text, 600, TEXT_FIT_END));
	fputs("</ul>\n", page->out);
}
