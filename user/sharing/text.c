// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/memory.h"
#include "sharing/views.h"
#include "output/table.h"
#include "output/text.h"

const char *reuse_name(enum share_reuse reuse)
{
	return reuse == REUSE_MEAN ? "mean" : "race";
}

/* Parts of a program's speed, signed: "+1.2", in percent. */
static char *points(double part)
{
	double percent = 100 * part;

	return xasprintf("%+.1f%%", fabs(percent) < 0.05 ? 0 : percent);
}

static void program_row(struct table *table, const struct shared_program *program)
{
	table_cell(table, xstrdup(program->name), TINT_NONE);
	table_cell(table, xasprintf("%.3g", 1000 * program->api), TINT_NONE);
	table_cell(table, text_percent(program->miss_ratio_alone), TINT_NONE);
	table_cell(table, text_percent(program->miss_ratio), TINT_NONE);
	table_cell(table, xasprintf("%.3f", program->profile->ipc), TINT_NONE);
	table_cell(table, xasprintf("%.3f", program->ipc), TINT_NONE);
	table_cell(table, text_percent(program->slowdown),
		   program->slowdown > 0.1 ? TINT_BAD : TINT_NONE);
	table_cell(table, xasprintf("%.1f", program->steady.ways), TINT_NONE);
	table_cell(table, text_percent(1 - program->steady.ipc / program->profile->ipc), TINT_DIM);
}

static void print_programs(FILE *out, const struct sharing *sharing)
{
	static const struct column columns[] = {
		{ .header = "program", .flexible = true, .fit = TEXT_FIT_START },
		{ .header = "acc/1000", .right = true }, { .header = "misses", .right = true },
		{ .header = "co-run", .right = true }, { .header = "IPC", .right = true },
		{ .header = "co-run", .right = true }, { .header = "slowdown", .right = true },
		{ .header = "ways", .right = true }, { .header = "by shares", .right = true },
	};
	struct table *table = table_new(columns, ARRAY_SIZE(columns));

	for (size_t i = 0; i < sharing->count; i++)
		program_row(table, &sharing->programs[i]);
	table_print_free(table, out, 1, false);
}

/* Slowdowns of pairs. */
static void print_pairs(FILE *out, const struct sharing *sharing)
{
	for (size_t i = 0; i < sharing->count; i++) {
		const struct shared_program *program = &sharing->programs[i];
		char *name = text_fit(program->name, 30, TEXT_FIT_START);

		fprintf(out, "  %-30s", name);
		free(name);
		for (size_t k = 0; k < sharing->count; k++) {
			char *text = k == i ? xstrdup("-") : text_percent(program->by_one[k]);

			fprintf(out, "%7s", text);
			free(text);
		}
		fputc('\n', out);
	}
}

static void print_sensitivity(FILE *out, const struct sharing *sharing)
{
	static const struct column columns[] = {
		{ .header = "program", .flexible = true, .fit = TEXT_FIT_START },
		{ .header = "its speed", .right = true },
		{ .header = "the others' speed", .right = true },
		{ .header = "its penalty", .right = true },
	};
	struct table *table = table_new(columns, ARRAY_SIZE(columns));

	for (size_t i = 0; i < sharing->count; i++) {
		const struct shared_program *program = &sharing->programs[i];

		table_cell(table, xstrdup(program->name), TINT_NONE);
		table_cell(table, points(program->sensitivity.own_speed), TINT_NONE);
		table_cell(table, points(program->sensitivity.other_speed), TINT_NONE);
		table_cell(table, points(program->sensitivity.penalty), TINT_NONE);
	}
	table_print_free(table, out, 1, false);
}

static void print_sources(FILE *out, const struct sharing *sharing)
{
	for (size_t i = 0; i < sharing->count; i++) {
		const struct profile *profile = sharing->programs[i].profile;
		char *line = xasprintf("%s: %s; speed: %s; penalty %.4g cycles a miss",
				       sharing->programs[i].name,
				       profile->source ? profile->source : "source unknown",
				       profile->timing ? profile->timing : "unknown",
				       profile->penalty);
		char *clean = text_clean(line);

		fputs("  ", out);
		text_paragraph(out, clean, 2);
		fputc('\n', out);
		free(clean);
		free(line);
	}
}

void sharing_text(FILE *out, const struct sharing *sharing)
{
	char *size = text_size(cache_size(&sharing->cache)), *text;

	fprintf(out, "%zu programs share an L%u of %s, %u ways, %u sets%s\n", sharing->count,
		sharing->programs[0].profile->level, size, sharing->cache.ways, sharing->cache.sets,
		sharing->groups > 1 ? ", set by set" : "");
	free(size);
	if (!sharing->end.stable)
		fprintf(out, "The speeds did not settle in %u rounds: they still change by %.2g.\n",
			sharing->end.rounds, sharing->end.change);
	fputc('\n', out);
	print_programs(out, sharing);
	if (sharing->count > 2 && !sharing->given) {
		fprintf(out, "\nSlowdown next to one other program, in the order above\n");
		print_pairs(out, sharing);
	}
	if (sharing->given) {
		fprintf(out, "\nAt the speeds or miss ratios that were given, without "
			"iteration.\n");
	} else {
		fprintf(out, "\nFurther slowdown if a tenth higher were\n");
		print_sensitivity(out, sharing);
	}
	text = xasprintf("acc/1000: accesses in 1000 instructions. co-run: in the shared cache. by "
			 "shares: the slowdown with steady shares of the ways. The model assumes "
			 "uniform sets%s, LRU, and profiles that do not change in time.",
			 sharing->groups > 1 ? " within groups" : "");
	fputc('\n', out);
	text_paragraph(out, text, 0);
	free(text);
	fprintf(out, "\nProfiles\n");
	print_sources(out, sharing);
}
