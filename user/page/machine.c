// SPDX-License-Identifier: GPL-2.0-only
/* The caches side by side, loads and stores, and how the machine was set. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/memory.h"
#include "output/html.h"
#include "output/prose.h"
#include "output/text.h"
#include "page/internal.h"

static void put_known(FILE *out, bool known, uint64_t count)
{
	page_number(out, known ? count : -1.0, known ? text_count(count) : xstrdup("-"), "");
}

static uint64_t events_of(const struct findings *findings, uint32_t level)
{
	uint64_t misses = 0;

	for (size_t i = 0; i < findings->event_count; i++)
		if (findings->events[i].level == level)
			misses += findings->events[i].events;
	return misses;
}

static size_t count_verdicts(const struct findings *findings, uint32_t level,
			     enum rcd_verdict verdict)
{
	size_t count = 0;

	for (size_t i = 0; i < findings->context_count; i++) {
		const struct level_findings *found = context_level(&findings->contexts[i], level);

		count += found && found->summary.verdict == verdict;
	}
	return count;
}

static void put_level(struct page *page, const struct cache_level *cache)
{
	static const enum rcd_verdict verdicts[] = {
		RCD_CONFLICT, RCD_CONCENTRATED, RCD_NONE, RCD_UNDECIDED,
	};
	const struct findings *findings = page->findings;
	uint64_t samples = level_samples(findings->events, findings->event_count, cache->level);
	uint64_t events = events_of(findings, cache->level);
	FILE *out = page->out;
	char *name = page_level_name(cache->level);

	fprintf(out, "<tr><th scope=\"row\">%s</th>", name);
	free(name);
	page_number(out, cache_size(&cache->geometry) * cache->slices,
		    text_size(cache_size(&cache->geometry) * cache->slices), "");
	fprintf(out, "<td class=\"num\">%" PRIu32 "</td>"
		"<td class=\"num\">%" PRIu32, cache->geometry.ways,
		cache->geometry.sets);
	if (cache->slices > 1)
		fprintf(out, " in each of %" PRIu32 " slices", cache->slices);
	fprintf(out, "</td><td>%s%s</td>", cache->physical ? "physical" : "virtual",
		cache->simulated ? ", simulated" : "");
	put_known(out, events, events);
	put_known(out, samples, samples);
	for (size_t i = 0; i < ARRAY_SIZE(verdicts); i++)
		put_known(out, findings_event(findings, cache->level),
			  count_verdicts(findings, cache->level, verdicts[i]));
	fputs("</tr>\n", out);
}

static void put_levels(struct page *page)
{
	static const struct page_column columns[] = {
		{ "level", false }, { "size", true }, { "ways", true }, { "sets", true },
		{ "indexed by", false }, { "misses", true }, { "samples", true },
		{ "conflict", true },
		{ "concentrated", true }, { "none", true }, { "undecided", true }, { NULL, false }
	};
	const struct findings *findings = page->findings;

	if (!findings->cache_count)
		return;
	page_table(page, "Levels side by side", "Levels side by side: misses, samples of "
		   "them, and pieces of code by verdict.", "full", columns);
	for (size_t i = 0; i < findings->cache_count; i++)
		put_level(page, &findings->caches[i]);
	page_table_end(page);
}

static void put_kind(FILE *out, const char *name, uint64_t references, bool counted,
		     uint64_t misses, double share)
{
	fprintf(out, "<tr><th scope=\"row\">%s</th>", name);
	put_known(out, true, references);
	put_known(out, counted, misses);
	page_number(out, share, text_percent(share), "");
	fputs("</tr>\n", out);
}

static void put_kinds_head(struct page *page, const char *caption, const char *share)
{
	const struct page_column columns[] = {
		{ "kind", false }, { "references", true }, { "L1D misses", true }, { share, true },
		{ NULL, false }
	};

	page_table(page, "Loads and stores", caption, "", columns);
}

/* Of bursts, the parts of the misses are weighted, as all their shares are. */
static void put_burst_kinds(struct page *page)
{
	static const char *const names[] = { "", "loads", "stores", "both" };
	const struct burst_totals *bursts = &page->findings->bursts;
	double all = 0;

	for (int kind = 1; kind < BURST_KINDS; kind++)
		all += bursts->weighted_kinds[kind];
	put_kinds_head(page, "Loads and stores in the bursts, and their certain misses; shares are "
		       "weighted by what each burst stands for.", "share of the misses");
	for (int kind = 1; kind < BURST_KINDS; kind++)
		put_kind(page->out, names[kind], bursts->references[kind], true,
			 bursts->misses[kind],
			 all > 0 ? bursts->weighted_kinds[kind] / all : NAN);
	page_table_end(page);
}

static double ratio(uint64_t part, uint64_t whole)
{
	return whole ? (double)part / whole : NAN;
}

static void put_counted_kinds(struct page *page)
{
	const struct findings *findings = page->findings;

	put_kinds_head(page, "Loads and stores of the whole run, counted.", "miss ratio");
	put_kind(page->out, "loads", findings->loads, true, findings->load_misses,
		 ratio(findings->load_misses, findings->loads));
	put_kind(page->out, "stores", findings->stores, findings->store_misses,
		 findings->store_misses,
		 ratio(findings->store_misses, findings->stores));
	page_table_end(page);
}

static void put_setting(FILE *out, const char *name, const char *value)
{
	page_pair(out, name, value ? text_fit(value, 300, TEXT_FIT_MIDDLE) : NULL);
}

static void put_settings(struct page *page)
{
	const struct findings *findings = page->findings;
	FILE *out = page->out;

	fputs("<details><summary>The machine, and how it was set</summary>\n<dl class=\"pairs\">\n",
	      out);
	put_setting(out, "processor", findings->cpu);
	put_setting(out, "kernel", findings->kernel);
	put_setting(out, "pages", findings->pages);
	put_setting(out, "recorded", findings->start);
	put_setting(out, "by ccsample", findings->version);
	for (size_t i = 0; i < findings->lab_count; i++)
		put_setting(out, findings->lab[i].name, findings->lab[i].value);
	fputs("</dl>\n</details>\n", out);
}

void page_machine(struct page *page)
{
	const struct findings *findings = page->findings;

	page_part(page->out, "levels", "Levels, loads and stores");
	put_levels(page);
	if (findings->bursts.known)
		put_burst_kinds(page);
	else if (findings->loads || findings->stores)
		put_counted_kinds(page);
	put_settings(page);
}
