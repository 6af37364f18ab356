// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>

#include "base/memory.h"
#include "cache/words.h"
#include "view/simulation.h"
#include "view/table.h"
#include "view/text.h"

#define INDENT	2

double pressure_peak(const struct pressure *pressure)
{
	return pressure->windows ? (double)pressure->peaks / pressure->windows : 0;
}

double pressure_crowded(const struct pressure *pressure)
{
	return pressure->lines ? (double)pressure->crowded / pressure->lines : 0;
}

static void count_cell(struct table *table, uint64_t count)
{
	table_cell(table, text_count_short(count), TINT_NONE);
}

static void share_cell(struct table *table, uint64_t part, uint64_t whole, enum tint tint)
{
	table_cell(table, text_percent(whole ? (double)part / whole : 0.0), tint);
}

static char *describe(const struct level_plan *plan, uint32_t n)
{
	char *size = text_size(cache_size(&plan->geometry));
	char *slices = plan->hash ? xasprintf(", hash %s", plan->hash->name) : xstrdup("");
	char *text = xasprintf("%s, %u ways, %u sets, %s%s%s%s", size, plan->geometry.ways,
			       plan->geometry.sets, policy_name(plan->policy), n ? ", " : "",
			       n ? inclusion_name(plan->inclusion) : "", slices);

	free(size);
	free(slices);
	return text;
}

static void print_head(FILE *out, const struct simulation *simulation,
		       const struct simulation_view *view)
{
	char *instructions = text_count_short(simulation->instructions);
	char *references = text_count_short(simulation->references);
	char *text;

	text = xasprintf("%s (%s): %s instructions, %s references; addresses as they are in the "
			 "trace (identity pages)", view->input, view->format, instructions,
			 references);
	text_paragraph(out, text, 0);
	free(text);
	if (view->bad_lines)
		fprintf(out, "%" PRIu64 " lines are no references and were passed over, the first "
			"is line %" PRIu64 "\n", view->bad_lines, view->first_bad);
	for (uint32_t n = 0; n < simulation->plan.levels; n++) {
		text = describe(&simulation->plan.level[n], n);
		fprintf(out, "%*sL%u  %s\n", INDENT, "", n + 1, text);
		free(text);
	}
	free(instructions);
	free(references);
}

static void add_level(struct table *table, const struct level *level, uint32_t n)
{
	const struct level_counts *counts = &level->counts;
	uint64_t misses = level_misses(counts);

	table_cell(table, xasprintf("L%u", n + 1), TINT_BOLD);
	count_cell(table, counts->outcomes[CLASS_HIT] + misses);
	count_cell(table, misses);
	share_cell(table, misses, counts->outcomes[CLASS_HIT] + misses, TINT_NONE);
	count_cell(table, counts->outcomes[CLASS_COLD]);
	count_cell(table, counts->outcomes[CLASS_CAPACITY]);
	count_cell(table, counts->outcomes[CLASS_CONFLICT]);
	share_cell(table, counts->outcomes[CLASS_CONFLICT], misses,
		   2 * counts->outcomes[CLASS_CONFLICT] > misses ? TINT_BAD : TINT_NONE);
	table_cell(table, xasprintf("%.0f", pressure_peak(&level->pressure)), TINT_NONE);
	table_cell(table, text_percent(pressure_crowded(&level->pressure)), TINT_NONE);
	count_cell(table, counts->writebacks);
}

static void print_levels(FILE *out, const struct simulation *simulation, bool colour)
{
	static const struct column columns[] = {
		{ .header = "level" }, { .header = "accesses", .right = true },
		{ .header = "misses", .right = true }, { .header = "rate", .right = true },
		{ .header = "cold", .right = true }, { .header = "capacity", .right = true },
		{ .header = "conflict", .right = true }, { .header = "share", .right = true },
		{ .header = "pressure", .right = true }, { .header = "crowded", .right = true },
		{ .header = "written", .right = true },
	};
	struct table *table = table_new(columns, sizeof(columns) / sizeof(*columns));

	for (uint32_t n = 0; n < simulation->plan.levels; n++)
		add_level(table, &simulation->hierarchy.level[n], n);
	table_print(table, out, INDENT, colour);
	table_free(table);
}

static void add_classified(struct table *table, const struct classified *result, uint32_t n)
{
	const uint64_t *outcomes = result->outcomes;
	uint64_t misses = outcomes_missed(outcomes);

	table_cell(table, xasprintf("L%u", n + 1), TINT_BOLD);
	table_cell(table, xstrdup(result->name), TINT_NONE);
	count_cell(table, misses);
	count_cell(table, outcomes[CLASS_COLD]);
	count_cell(table, outcomes[CLASS_CAPACITY]);
	count_cell(table, outcomes[CLASS_CONFLICT]);
	share_cell(table, outcomes[CLASS_CONFLICT], misses, TINT_NONE);
	table_cell(table, text_percent(result->error), TINT_NONE);
}

static void print_classified(FILE *out, const struct simulation *simulation, bool colour)
{
	static const struct column columns[] = {
		{ .header = "level" }, { .header = "detector" },
		{ .header = "misses", .right = true }, { .header = "cold", .right = true },
		{ .header = "capacity", .right = true }, { .header = "conflict", .right = true },
		{ .header = "share", .right = true }, { .header = "error", .right = true },
	};
	struct table *table = table_new(columns, sizeof(columns) / sizeof(*columns));
	struct classified results[CLASSIFIED_MAX];

	for (uint32_t n = 0; n < simulation->plan.levels; n++) {
		size_t count = simulation_classified(simulation, n, results);

		for (size_t i = 0; i < count; i++)
			add_classified(table, &results[i], n);
	}
	fprintf(out, "\nOther detectors on the same accesses; error: of the conflict share\n");
	table_print(table, out, INDENT, colour);
	table_free(table);
}

static char *site_name(const struct simulation *simulation, uint32_t number)
{
	uint64_t address = simulation->sites[number].address;

	return number ? xasprintf("%#" PRIx64, address) : xstrdup("?");
}

static void add_site(struct table *table, const struct simulation *simulation,
		     const struct site *site)
{
	table_cell(table, site_name(simulation, site - simulation->sites), TINT_NONE);
	count_cell(table, site->references);
	for (uint32_t n = 0; n < CACHE_LEVELS; n++) {
		uint64_t misses = site_misses(site, n), conflicts = site->outcomes[n][CLASS_CONFLICT];

		if (n >= simulation->plan.levels) {
			table_cell(table, NULL, TINT_NONE);
			table_cell(table, NULL, TINT_NONE);
			continue;
		}
		count_cell(table, misses);
		share_cell(table, conflicts, misses, 2 * conflicts > misses ? TINT_BAD : TINT_NONE);
	}
	table_cell(table, xasprintf("%#" PRIx64 " - %#" PRIx64, site->low, site->high), TINT_DIM);
}

static void print_sites(FILE *out, const struct simulation *simulation, size_t top, bool colour)
{
	static const struct column columns[] = {
		{ .header = "instruction" }, { .header = "refs", .right = true },
		{ .header = "L1", .right = true }, { .header = "conf.", .right = true },
		{ .header = "L2", .right = true }, { .header = "conf.", .right = true },
		{ .header = "L3", .right = true }, { .header = "conf.", .right = true },
		{ .header = "addresses", .flexible = true, .fit = TEXT_FIT_END },
	};
	struct table *table = table_new(columns, sizeof(columns) / sizeof(*columns));
	size_t count, i;
	const struct site **sites = simulation_ranking(simulation, &count);

	fprintf(out, "\nInstructions that miss, and the conflict share of their misses\n");
	for (i = 0; i < count && (!top || i < top); i++)
		add_site(table, simulation, sites[i]);
	table_print(table, out, INDENT, colour);
	table_free(table);
	free(sites);
}

static void print_pairs(FILE *out, const struct simulation *simulation, size_t top, bool colour)
{
	static const struct column columns[] = {
		{ .header = "victim" }, { .header = "originator" },
		{ .header = "L1", .right = true }, { .header = "L2", .right = true },
		{ .header = "L3", .right = true },
	};
	struct table *table = table_new(columns, sizeof(columns) / sizeof(*columns));
	size_t count, i;
	const struct pair **pairs = simulation_pairs(simulation, &count);

	for (i = 0; i < count && (!top || i < top); i++) {
		char *originator = site_name(simulation, pairs[i]->originator);

		table_cell(table, site_name(simulation, pairs[i]->victim), TINT_NONE);
		table_cell(table, xasprintf("<- %s", originator), TINT_NONE);
		for (uint32_t n = 0; n < CACHE_LEVELS; n++)
			count_cell(table, pairs[i]->conflicts[n]);
		free(originator);
	}
	fprintf(out, "\nConflict misses: the victim's line had been driven out by the originator\n");
	if (count)
		table_print(table, out, INDENT, colour);
	else
		fprintf(out, "%*snone\n", INDENT, "");
	table_free(table);
	free(pairs);
}

void simulation_text(FILE *out, const struct simulation *simulation,
		     const struct simulation_view *view)
{
	print_head(out, simulation, view);
	fputc('\n', out);
	print_levels(out, simulation, view->colour);
	if (simulation->plan.detector != DETECTOR_NONE)
		print_classified(out, simulation, view->colour);
	print_sites(out, simulation, view->top, view->colour);
	print_pairs(out, simulation, view->top, view->colour);
}
