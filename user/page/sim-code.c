// SPDX-License-Identifier: GPL-2.0-only
/* Code of a simulation: all of it, and the loops with most misses in full. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "output/html.h"
#include "output/text.h"
#include "page/sim-internal.h"

#define ROWS_MOST	300
#define BYTES_MOST	(400u << 10)	/* of details, from which on none begins */
#define DETAILS_MOST	40
#define DETAILS_LEAST	3	/* however small */
#define SMALL		0.01	/* share of a level's misses, below which there is no detail */
#define PARTS_MOST	12	/* objects of a loop */

/* ---- what all of a loop's instructions miss, by line ---- */

static int by_line(const void *left, const void *right)
{
	const struct site_tally *a = left, *b = right;
	int order = strcmp(a->file ? a->file : "", b->file ? b->file : "");

	if (order)
		return order;
	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	return a->address < b->address ? -1 : a->address > b->address;
}

static void count_evictions(struct sim_page *sim)
{
	const struct sim_findings *findings = sim->findings;

	sim->evictions = xcalloc(findings->row_count + 1, sizeof(*sim->evictions));
	for (size_t i = 0; i < findings->pair_count; i++)
		for (uint32_t n = 0; n < CACHE_LEVELS; n++)
			sim->evictions[findings->pairs[i].evictor][n] +=
				findings->pairs[i].conflicts[n];
}

static void put_lines(struct sim_page *sim, size_t loop, uint32_t n)
{
	const struct sim_findings *findings = sim->findings;
	struct site_tally *sites = xcalloc(findings->row_count + 1, sizeof(*sites));
	size_t count = 0;

	for (size_t i = 0; i < findings->row_count; i++) {
		const struct sim_row *row = &findings->rows[i];

		if (row->loop != loop || !outcomes_missed(row->counts.outcomes[n]))
			continue;
		sites[count++] = (struct site_tally){
			.module = row->region.module, .address = row->region.address,
			.file = row->region.file, .line = row->region.line,
			.samples = outcomes_missed(row->counts.outcomes[n]),
			.conflicts = row->counts.outcomes[n][CLASS_CONFLICT],
			.evictions = sim->evictions[i][n],
		};
	}
	qsort(sites, count, sizeof(*sites), by_line);
	page_lines(&sim->page, &findings->loops[loop].region, sites, count);
	free(sites);
}

/* ---- one loop ---- */

static void put_parts(struct sim_page *sim, const struct sim_loop *loop)
{
	static const struct page_column columns[] = { { "object", false }, { NULL, false } };
	const struct sim_part *parts = sim->findings->parts + loop->first_part;
	FILE *out = sim->page.out;

	if (!loop->part_count)
		return;
	sim_page_table(sim, "Data of this code",
		       "Data of this code: shares of each level's misses, and of conflict misses "
		       "in these.", "", columns);
	for (size_t i = 0; i < loop->part_count && i < PARTS_MOST; i++) {
		page_row_name(out, page_object(parts[i].object));
		sim_page_levels(sim, parts[i].misses);
		fputs("</tr>\n", out);
	}
	page_table_end(&sim->page);
}

static void put_evictors(struct sim_page *sim, size_t loop)
{
	static const struct page_column columns[] = {
		{ "evicted by code", false }, { "conflict misses", true }, { NULL, false }
	};
	const struct sim_findings *findings = sim->findings;
	FILE *out = sim->page.out;
	bool any = false;

	for (size_t i = 0; i < findings->loop_pair_count; i++) {
		const struct sim_loop_pair *pair = &findings->loop_pairs[i];

		if (pair->victim != loop)
			continue;
		if (!any)
			page_table(&sim->page, "Evictors", "Code whose lines had evicted what "
				   "misses here, of all levels.", "", columns);
		any = true;
		page_row_name(out, page_place(&findings->loops[pair->evictor].region));
		page_number(out, pair->total, text_count(pair->total), "");
		fputs("</tr>\n", out);
	}
	if (any)
		page_table_end(&sim->page);
}

static void put_level(struct sim_page *sim, size_t number, uint32_t n)
{
	const uint64_t *outcomes = sim->findings->loops[number].self.outcomes[n];
	uint64_t misses = outcomes_missed(outcomes);
	uint64_t lost = sim_coherence(&sim->findings->loops[number].self.sharing, n);
	FILE *out = sim->page.out;

	if (!misses || sim_share(misses, level_misses(&sim->findings->levels[n].counts)) < SMALL)
		return;
	fputs("<h4>In ", out);
	html_put_free(out, page_level_name(n + 1));
	fputs("</h4>\n<dl class=\"facts\">\n", out);
	page_fact(out, "misses", text_count(misses));
	page_fact(out, "of them cold", text_percent(sim_share(outcomes[CLASS_COLD], misses)));
	page_fact(out, "capacity",
		  text_percent(sim_share(outcomes[CLASS_CAPACITY] - lost, misses)));
	page_fact(out, "conflict", text_percent(sim_share(outcomes[CLASS_CONFLICT], misses)));
	if (lost)
		page_fact(out, "coherence", text_percent(sim_share(lost, misses)));
	fputs("</dl>\n", out);
	put_lines(sim, number, n);
}

static void put_loop(struct sim_page *sim, size_t number)
{
	const struct sim_loop *loop = &sim->findings->loops[number];

	page_loop_begin(sim->page.out, &loop->region);
	for (uint32_t n = 0; n < sim->findings->plan.levels; n++)
		put_level(sim, number, n);
	put_parts(sim, loop);
	put_evictors(sim, number);
	fputs("</section>\n", sim->page.out);
}

/* ---- all code ---- */

/* Loops are in the order of their misses. Return: how many have a part of their own */
static size_t count_details(const struct sim_findings *findings)
{
	size_t count = 0;

	while (count < findings->loop_count && count < DETAILS_MOST &&
	       findings->loops[count].self.references &&
	       (count < DETAILS_LEAST ||
		sim_page_matters(findings, findings->loops[count].self.outcomes, SMALL)))
		count++;
	return count;
}

static void put_loops(struct sim_page *sim, size_t details)
{
	static const struct page_column columns[] = {
		{ "id", true }, { "function", false }, { "where", false }, { "references", true },
		{ NULL, false }
	};
	const struct sim_findings *findings = sim->findings;
	size_t shown = 0, hidden = 0;

	page_search(sim->page.out);
	sim_page_table(sim, "Code by its misses", "Loops, and functions without their loops, by "
		       "their shares of each level's misses, and the share of conflict misses in "
		       "these.", "full sortable tall code-table", columns);
	for (size_t i = 0; i < findings->loop_count; i++) {
		const struct sim_loop *loop = &findings->loops[i];

		if (!loop->self.references)
			continue;
		if (shown == ROWS_MOST || (i >= details &&
		    !sim_page_matters(findings, loop->self.outcomes, SIM_ROW_LEAST))) {
			hidden++;
			continue;
		}
		page_row_begin(sim->page.out, &loop->region, i < details);
		page_number(sim->page.out, loop->self.references,
			    text_count(loop->self.references), "");
		sim_page_levels(sim, loop->self.outcomes);
		fputs("</tr>\n", sim->page.out);
		shown++;
	}
	page_table_end(&sim->page);
	if (hidden)
		fprintf(sim->page.out, "<p class=\"note\">And %zu more: ccsample sim --json has "
			"all.</p>\n", hidden);
}

/* Of a trace, whose code is not known. */
static void put_rows(struct sim_page *sim)
{
	static const struct page_column columns[] = {
		{ "instruction", false }, { "references", true }, { NULL, false }
	};
	const struct sim_findings *findings = sim->findings;
	FILE *out = sim->page.out;

	sim_page_table(sim, "Instructions by their misses", "Instructions, by their shares of each "
		       "level's misses, and the share of conflict misses in these.",
		       "full sortable tall", columns);
	for (size_t i = 0; i < findings->row_count && i < ROWS_MOST; i++) {
		const struct sim_row *row = &findings->rows[i];

		fputs("<tr><th scope=\"row\"><bdi>", out);
		html_put_free(out, page_place(&row->region));
		fputs("</bdi></th>", out);
		page_number(out, row->counts.references, text_count(row->counts.references), "");
		sim_page_levels(sim, row->counts.outcomes);
		fputs("</tr>\n", out);
	}
	page_table_end(&sim->page);
	if (findings->row_count > ROWS_MOST)
		fprintf(out, "<p class=\"note\">And %zu more: ccsample sim --json has all.</p>\n",
			findings->row_count - ROWS_MOST);
}

/* Written apart: how many fit is known only then. Return: allocated, @size bytes. */
static char *write_details(struct sim_page *sim, size_t *count, size_t *size)
{
	FILE *out = sim->page.out;
	char *text = NULL;
	size_t most = *count;

	*size = 0;
	sim->page.out = xmemstream(&text, size, "the code in a page");
	for (*count = 0; *count < most && *size < BYTES_MOST; ++*count) {
		put_loop(sim, *count);
		fflush(sim->page.out);
	}
	fclose(sim->page.out);
	sim->page.out = out;
	return text;
}

static void put_choice(struct sim_page *sim, size_t count)
{
	const struct code_region **regions = xcalloc(count, sizeof(*regions));

	for (size_t i = 0; i < count; i++)
		regions[i] = &sim->findings->loops[i].region;
	page_choice(sim->page.out, regions, count);
	free(regions);
}

static void put_code(struct sim_page *sim)
{
	size_t details = count_details(sim->findings), size;
	char *text = write_details(sim, &details, &size);

	put_loops(sim, details);
	if (details) {
		page_part(sim->page.out, "loop", "One piece of code");
		if (details > 1)
			put_choice(sim, details);
		fwrite(text, 1, size, sim->page.out);
	}
	free(text);
}

void sim_page_code(struct sim_page *sim)
{
	page_part(sim->page.out, "code", "Code that misses");
	if (!sim->findings->loop_count) {
		put_rows(sim);
		return;
	}
	count_evictions(sim);
	put_code(sim);
	free(sim->evictions);
}
