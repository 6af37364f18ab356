// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/text.h"
#include "output/html.h"
#include "output/text.h"
#include "page/sim-internal.h"
#include "page/sim.h"
#include "simulate/words.h"

#define CONFLICT_SHARE	0.1	/* of the misses, from which on they are a finding */
#define OBJECTS_MOST	100
#define PAIR_LEAST	0.005	/* of the conflict misses */

double sim_share(uint64_t part, uint64_t whole)
{
	return whole ? (double)part / whole : 0;
}

bool sim_page_matters(const struct sim_findings *findings, const uint64_t outcomes[][MISS_CLASSES],
		      double share)
{
	for (uint32_t n = 0; n < findings->plan.levels; n++)
		if (sim_share(outcomes_missed(outcomes[n]),
			      level_misses(&findings->levels[n].counts)) >= share)
			return true;
	return false;
}

void sim_page_table(struct sim_page *sim, const char *name, const char *caption,
		    const char *classes, const struct page_column *first)
{
	static const struct page_column each[] = {
		{ "misses", true }, { "conflicts", true }, { NULL, false }
	};

	page_level_table(&sim->page, name, caption, classes, first, each);
}

void sim_page_levels(struct sim_page *sim, const uint64_t outcomes[][MISS_CLASSES])
{
	for (uint32_t n = 0; n < sim->findings->plan.levels; n++) {
		uint64_t misses = outcomes_missed(outcomes[n]);
		double share = sim_share(outcomes[n][CLASS_CONFLICT], misses);

		page_share(sim->page.out,
			   sim_share(misses, level_misses(&sim->findings->levels[n].counts)));
		page_number(sim->page.out, misses ? share : -1,
			    misses ? text_percent(share) : xstrdup("-"), "");
	}
}

/* ---- the head ---- */

static void put_sentence(struct sim_page *sim, uint32_t n)
{
	const uint64_t *outcomes = sim->findings->levels[n].counts.outcomes;
	uint64_t misses = outcomes_missed(outcomes), accesses = misses + outcomes[CLASS_HIT];
	double share = sim_share(outcomes[CLASS_CONFLICT], misses);
	char *level = page_level_name(n + 1), *rate = text_percent(sim_share(misses, accesses));
	char *count = text_count_short(accesses), *conflicts = text_percent(share);

	page_lead(sim->page.out,
		  rcd_verdict_name(share >= CONFLICT_SHARE ? RCD_CONFLICT : RCD_NONE),
		  xasprintf("%s: %s of %s accesses miss; %s of the misses are conflict misses, "
			    "which a fully associative cache would not have had.", level, rate,
			    count, conflicts));
	free(conflicts);
	free(count);
	free(rate);
	free(level);
}

static void put_verdict(struct sim_page *sim)
{
	char *doubts[SIMULATION_DOUBTS];
	size_t count = simulation_doubts(sim->findings, sim->view, doubts);
	FILE *out = sim->page.out;

	page_part(out, "verdict", "Verdict");
	for (uint32_t n = 0; n < sim->findings->plan.levels; n++)
		put_sentence(sim, n);
	for (size_t i = 0; i < count; i++)
		page_warn(out, doubts[i]);
	fputs("<dl class=\"facts\">\n", out);
	page_fact(out, "simulated", simulation_summary(sim->findings, sim->view));
	for (uint32_t n = 0; n < sim->findings->plan.levels; n++) {
		char *level = page_level_name(n + 1);

		page_fact(out, level, simulation_cache_text(&sim->findings->plan.level[n], n));
		free(level);
	}
	fputs("</dl>\n", out);
}

/* ---- levels ---- */

static void put_count(FILE *out, uint64_t count)
{
	page_number(out, count, text_count(count), "");
}

static void put_level(struct sim_page *sim, uint32_t n)
{
	const struct sim_level *level = &sim->findings->levels[n];
	const uint64_t *outcomes = level->counts.outcomes;
	uint64_t misses = outcomes_missed(outcomes);
	uint64_t lost = sim_coherence(&sim->findings->sharing, n);
	FILE *out = sim->page.out;

	fputs("<tr><th scope=\"row\">", out);
	html_put_free(out, page_level_name(n + 1));
	fputs("</th>", out);
	put_count(out, misses + outcomes[CLASS_HIT]);
	put_count(out, misses);
	put_count(out, outcomes[CLASS_COLD]);
	put_count(out, outcomes[CLASS_CAPACITY] - lost);
	put_count(out, outcomes[CLASS_CONFLICT]);
	page_share(out, sim_share(outcomes[CLASS_CONFLICT], misses));
	page_number(out, level->pressure, isnan(level->pressure) ? xstrdup("-") :
		    xasprintf("%.0f", level->pressure), "");
	put_count(out, level->counts.writebacks);
	if (sim->findings->plan.coherence)
		put_count(out, lost);
	fputs("</tr>\n", out);
}

/* Conflict misses stand where a recording's page has those that soon follow on the same set. */
static void put_sets(struct sim_page *sim, uint32_t n)
{
	uint32_t sets = sim->findings->plan.level[n].geometry.sets;
	const struct set_counts *counts = sim->findings->levels[n].sets;
	struct rcd_set *by_set;

	if (!counts)
		return;
	by_set = xcalloc(sets, sizeof(*by_set));
	for (uint32_t i = 0; i < sets; i++)
		by_set[i] = (struct rcd_set){ counts[i].misses, counts[i].conflicts };
	fputs("<div><p class=\"caption\"><strong>", sim->page.out);
	html_put_free(sim->page.out, page_level_name(n + 1));
	fputs("</strong></p>\n", sim->page.out);
	page_set_bars(&sim->page, by_set, sets, "conflict misses");
	fputs("</div>\n", sim->page.out);
	free(by_set);
}

static void put_levels(struct sim_page *sim)
{
	const struct page_column columns[] = {
		{ "level", false }, { "accesses", true }, { "misses", true }, { "cold", true },
		{ "capacity", true }, { "conflict", true }, { "conflict share", true },
		{ "pressure", true }, { "written back", true },
		{ sim->findings->plan.coherence ? "coherence" : NULL, true }, { NULL, false }
	};

	page_part(sim->page.out, "levels", "Levels and sets");
	page_table(&sim->page, "Levels side by side",
		   "Levels side by side: accesses, and misses by class. Pressure: the largest "
		   "number of lines that miss on one set while the cache is filled once, in the "
		   "mean.", "full", columns);
	for (uint32_t n = 0; n < sim->findings->plan.levels; n++)
		put_level(sim, n);
	page_table_end(&sim->page);
	fputs("<div class=\"pair\">\n", sim->page.out);
	for (uint32_t n = 0; n < sim->findings->plan.levels; n++)
		put_sets(sim, n);
	fputs("</div>\n", sim->page.out);
}

/* ---- data ---- */

static void put_things(struct sim_page *sim)
{
	static const struct page_column columns[] = {
		{ "object", false }, { "kind", false }, { "where", false }, { NULL, false }
	};
	const struct sim_findings *findings = sim->findings;
	FILE *out = sim->page.out;
	size_t shown = 0;

	page_part(out, "data", "Data that misses");
	sim_page_table(sim, "Data by its shares of the misses", "Heap blocks of one place in the "
		       "code, variables and mappings, by their shares of each level's misses, and "
		       "the share of conflict misses in these.", "full sortable tall", columns);
	for (size_t i = 0; i < findings->thing_count && shown < OBJECTS_MOST; i++) {
		const struct object *object = findings->things[i].object;

		if (!sim_page_matters(findings, findings->things[i].misses, SIM_ROW_LEAST))
			continue;
		shown++;
		page_row_name(out, page_object(object));
		fprintf(out, "<td>%s</td>", object_kind_name(object->kind));
		page_name(out, text_fit(base_name(object->where), PAGE_NAME, TEXT_FIT_MIDDLE));
		sim_page_levels(sim, findings->things[i].misses);
		fputs("</tr>\n", out);
	}
	page_table_end(&sim->page);
	page_more(out, findings->thing_count - shown);
}

/* Of the level's conflict misses between known objects. */
static void put_matrix(struct sim_page *sim, uint32_t n)
{
	const struct sim_findings *findings = sim->findings;
	uint64_t all = findings->levels[n].counts.outcomes[CLASS_CONFLICT];
	struct matrix matrix = { .count = 0 };
	char *level = page_level_name(n + 1), *caption;

	for (size_t i = 0; i < findings->pair_count && all; i++) {
		const struct sim_pair *pair = &findings->pairs[i];

		if (pair->victim_object && pair->evictor_object &&
		    pair->conflicts[n] > PAIR_LEAST * all)
			matrix_add(&matrix, pair->victim_object, pair->evictor_object,
				   (double)pair->conflicts[n] / all);
	}
	caption = xasprintf("Who evicts whom in %s: shares of the conflict misses, each row's "
			    "lines evicted by those of a column. On the diagonal an object's own "
			    "lines evict each other.", level);
	page_matrix(&sim->page, &matrix, caption);
	free(caption);
	free(level);
}

static void put_data(struct sim_page *sim)
{
	put_things(sim);
	for (uint32_t n = 0; n < sim->findings->plan.levels; n++)
		put_matrix(sim, n);
}

static void put_begin(struct sim_page *sim)
{
	const char *parts[10], **at = parts;
	char *program = text_fit(base_name(sim->view->input), 60, TEXT_FIT_MIDDLE);
	char *title = xasprintf("%s: simulated cache misses", program);
	char *heading = xasprintf("Cache misses of %s", program);

	*at++ = "verdict"; *at++ = "Verdict";
	*at++ = "code"; *at++ = "Code";
	if (sim->findings->thing_count) {
		*at++ = "data"; *at++ = "Data";
	}
	*at++ = "levels"; *at++ = "Levels and sets";
	*at = NULL;
	page_begin(sim->page.out, title, heading, NULL);
	page_contents(sim->page.out, parts);
	free(heading);
	free(title);
	free(program);
}

void page_simulation(FILE *out, const struct sim_findings *findings,
		     const struct simulation_view *view)
{
	struct sim_page sim = {
		.page = { .out = out, .sources = sources_new() },
		.findings = findings, .view = view,
	};

	while (sim.page.level_count < findings->plan.levels) {
		sim.page.levels[sim.page.level_count] = sim.page.level_count + 1;
		sim.page.level_count++;
	}
	put_begin(&sim);
	put_verdict(&sim);
	sim_page_code(&sim);
	if (findings->thing_count)
		put_data(&sim);
	put_levels(&sim);
	page_end(out);
	sources_free(sim.page.sources);
}
