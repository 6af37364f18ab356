/* SPDX-License-Identifier: GPL-2.0-only */
/* Findings made up for the tests of the views: no recording, no analysis. */
#ifndef CCSAMPLE_VIEW_FIXTURE_H
#define CCSAMPLE_VIEW_FIXTURE_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "findings/findings.h"
#include "report/views.h"

#define FIXTURE_SETS	64
#define FIXTURE_WAYS	8
#define FIXTURE_SAMPLES	120000

struct fixture_context {
	const char *function, *file, *dso;
	uint32_t line;
	double share, cf, p, conflict;
	enum rcd_verdict verdict;
	uint32_t sets_used;
	double objects[3];	/* shares of the first three objects */
};

static uint64_t fixture_state = 88172645463325252ull;

static uint32_t fixture_random(uint32_t below)
{
	return random_below(&fixture_state, below);
}

/* A share of misses come back at once, the rest as the null model has it. */
static void fixture_cdf(struct level_findings *level, double cf)
{
	level->cdf = xcalloc(64, sizeof(*level->cdf));
	for (uint32_t i = 0; i < 60; i++) {
		uint32_t rcd = i < 16 ? i + 1 : (uint32_t)(16 * pow(1.08, i - 15)) + (i - 15);
		double by_chance = 1 - pow(1 - 1.0 / FIXTURE_SETS, rcd);
		double near = cf * (1 - pow(0.55, rcd));

		level->cdf[i].rcd = rcd;
		level->cdf[i].share = near + (1 - cf) * by_chance;
	}
	level->cdf_points = 60;
}

/* A regular stream: every set once in turn. */
static void fixture_regular_cdf(struct level_findings *level)
{
	level->cdf = xcalloc(3, sizeof(*level->cdf));
	level->cdf[0] = (struct rcd_point){ 1, 0.01 };
	level->cdf[1] = (struct rcd_point){ 63, 0.06 };
	level->cdf[2] = (struct rcd_point){ 64, 0.99 };
	level->cdf_points = 3;
}

static void fixture_level(struct level_findings *level, const struct fixture_context *from)
{
	level->level = 1;
	level->samples = from->share * FIXTURE_SAMPLES;
	level->share = from->share;
	level->summary = (struct rcd_summary){
		.samples = level->samples, .burst_samples = level->samples,
		.sets_used = from->sets_used, .cf = from->cf, .expected_cf = 0.118,
		.p_value = from->p, .has_conflict_share = from->conflict >= 0,
		.conflict_share = from->conflict, .conflict_low = from->conflict * 0.97,
		.conflict_high = fmin(1, from->conflict * 1.02), .concentration = 0.4,
		.expected_concentration = 0.1, .captured = 1, .verdict = from->verdict,
		.reason = from->verdict == RCD_UNDECIDED ? RCD_FEW_SAMPLES : RCD_DECIDED,
	};
	if (from->cf < 0.1)
		fixture_regular_cdf(level);
	else
		fixture_cdf(level, from->cf);
}

static void fixture_add(struct findings *findings, const struct fixture_context *from)
{
	struct context *context;

	findings->contexts = xrealloc(findings->contexts, (findings->context_count + 1) *
							  sizeof(*findings->contexts));
	context = &findings->contexts[findings->context_count++];
	memset(context, 0, sizeof(*context));
	context->region.id = findings->context_count;
	context->region.function = from->function;
	context->region.file = from->file;
	context->region.line = from->line;
	context->region.dso = from->dso;
	context->region.address = 0x1139 + 16 * context->region.id;
	context->samples = from->share * FIXTURE_SAMPLES;
	context->share = from->share;
	context->levels = xcalloc(1, sizeof(*context->levels));
	context->level_count = 1;
	fixture_level(context->levels, from);
	context->objects = xcalloc(FINDINGS_OBJECTS, sizeof(*context->objects));
	context->levels->objects = xcalloc(FINDINGS_OBJECTS, sizeof(*context->objects));
	for (size_t i = 0; i < 3 && i < findings->object_count; i++) {
		if (!from->objects[i])
			continue;
		context->objects[context->object_count].object = findings->objects[i].object;
		context->objects[context->object_count++].share = from->objects[i];
	}
	memcpy(context->levels->objects, context->objects,
	       FINDINGS_OBJECTS * sizeof(*context->objects));
	context->levels->object_count = context->object_count;
}

/* Makes a context a loop in another one, or outermost; with what both hold. */
__attribute__((unused))
static void fixture_nest(struct findings *findings, uint32_t id, uint32_t parent, double share,
			 double conflicts)
{
	struct context *context = &findings->contexts[id - 1];

	context->region.kind = parent ? REGION_LOOP : REGION_FUNCTION;
	context->region.parent = parent;
	context->region.depth = parent ? findings->contexts[parent - 1].region.depth + 1 : 0;
	context->nests = xcalloc(1, sizeof(*context->nests));
	context->nest_count = 1;
	*context->nests = (struct nest_findings){
		.level = 1, .share = share,
		.samples = isfinite(share) ? share * FIXTURE_SAMPLES : 0,
		.summary = {
			.sets_used = FIXTURE_SETS, .has_conflict_share = conflicts >= 0,
			.conflict_share = conflicts,
			.verdict = conflicts > 0.1 ? RCD_CONFLICT : RCD_NONE,
		},
	};
}

static void fixture_objects(struct findings *findings, const struct object *objects, size_t count)
{
	double share = 0.52;

	findings->objects = xcalloc(count, sizeof(*findings->objects));
	findings->object_count = count;
	for (size_t i = 0; i < count; i++) {
		findings->objects[i].object = &objects[i];
		findings->objects[i].share = share;
		findings->objects[i].samples = share * FIXTURE_SAMPLES;
		findings->objects[i].levels[0] = (struct object_level){
			findings->objects[i].samples, share, FIXTURE_SETS - i,
		};
		share *= 0.48;
	}
}

/* A victim band that moves over the sets, and background. */
static void fixture_map(struct set_map *map)
{
	map->level = 1;
	map->sets = FIXTURE_SETS;
	map->rows = 200;
	map->start = 40000000;
	map->slot = 1700000;
	map->counts = xcalloc((size_t)map->rows * map->sets, sizeof(*map->counts));
	map->samples = xcalloc(map->sets, sizeof(*map->samples));
	map->near = xcalloc(map->sets, sizeof(*map->near));
	for (uint32_t i = 0; i < FIXTURE_SAMPLES; i++) {
		uint32_t row = fixture_random(map->rows);
		uint32_t set = fixture_random(3) ? (row / 3 + fixture_random(5)) % map->sets :
						   fixture_random(map->sets);

		map->counts[row * map->sets + set]++;
		map->samples[set]++;
	}
}

/* Findings without contexts or objects; strings are literals. */
static struct findings *fixture_empty(void)
{
	static char *command[] = { "./tiled", "1024", "0", NULL };
	struct findings *findings = xcalloc(1, sizeof(*findings));

	findings->path = "ccsample.data";
	findings->version = "0.1.0";
	findings->source = "engine";
	findings->cpu = "Intel(R) Xeon(R) Processor @ 2.60GHz";
	findings->kernel = "6.1.0-18-amd64";
	findings->start = "2026-03-01T12:00:00Z";
	findings->clock = "instructions";
	findings->command = command;
	findings->whole = true;
	findings->duration_ns = 3214000000;
	findings->samples = FIXTURE_SAMPLES;
	findings->processes = 1;
	findings->instructions = 1204331002;
	findings->loads = 345000321;
	findings->stores = 123456789;
	findings->load_misses = 145432111;
	findings->store_misses = 1234567;
	findings->caches = xcalloc(1, sizeof(*findings->caches));
	findings->cache_count = 1;
	findings->caches->geometry = (struct cache_geometry){ FIXTURE_SETS, FIXTURE_WAYS, 64, 6 };
	findings->caches->level = 1;
	findings->caches->slices = 1;
	findings->caches->simulated = true;
	findings->events = xcalloc(1, sizeof(*findings->events));
	findings->event_count = 1;
	*findings->events = (struct event_totals){
		.id = 1, .level = 1, .name = "l1-miss", .period = 1212, .spread = 215,
		.burst = 1024, .samples = FIXTURE_SAMPLES, .events = 145432111, .bursts = 118,
		.unresolved = 17, .unnamed = 240,
	};
	return findings;
}

/* A program like many: one conflict, one concentrated loop, honest ones, and a tail. */
__attribute__((unused))
static struct findings *fixture_findings(void)
{
	static const struct object objects[] = {
		{ 1, OBJECT_HEAP, "block of main", "tiled.c:102", 8 << 20, 1, "double[]", NULL,
		  "main tiled.c:102" },
		{ 2, OBJECT_HEAP, "block of std::vector<double, std::allocator<double> >::"
		  "_M_default_append", "vector.tcc:634", 8 << 20, 12, NULL, NULL, NULL },
		{ 3, OBJECT_GLOBAL, "lookup_table", "tables.c:12", 49152, 0, "struct entry[1024]",
									     NULL },
		{ 4, OBJECT_STACK, "stack", "", 132 << 10, 0, NULL, NULL },
		{ 5, OBJECT_MAPPING, "/usr/share/some/where/deep/in/the/tree/data.bin", "", 0, 0,
		  NULL, NULL },
		{ 6, OBJECT_MAPPING, "[unknown]", "", 0, 0, NULL, NULL },
		{ 7, OBJECT_GLOBAL, "counters", "stats.c:3", 4096, 0, NULL, NULL },
	};
	static const struct fixture_context contexts[] = {
		{ "copy_tile", "/home/user/src/tiled.c", "/home/user/bin/tiled", 57, 0.612, 0.912,
		  0, 0.971, RCD_CONFLICT, 64, { 0.603, 0.391 } },
		{ "void detail::sweep<float, 16ul>(matrix<float, layout::row_major> const&, "
		  "matrix<float, layout::row_major>&)", "/home/user/src/include/sweep.hpp",
		  "/home/user/bin/tiled", 118, 0.181, 0.633, 1e-40, 0.004, RCD_CONCENTRATED, 64,
		  { 0.9, 0.1 } },
		{ "update_cells", "/home/user/src/tiled.c", "/home/user/bin/tiled", 91, 0.094,
		  0.121, 0.34, 0.002, RCD_NONE, 64, { 0.2, 0.3, 0.5 } },
		{ "stream_in", "/home/user/src/tiled.c", "/home/user/bin/tiled", 33, 0.041,
		  0.012, 1, 0, RCD_NONE, 64, { 1 } },
		{ "__memmove_avx_unaligned_erms", NULL, "/usr/lib/x86_64-linux-gnu/libc.so.6", 0,
		  0.018, 0.15, 0.00031, -1, RCD_UNDECIDED, 58, { 0.5, 0.5 } },
	};
	static char names[40][16];
	struct findings *findings = fixture_empty();

	fixture_objects(findings, objects, sizeof(objects) / sizeof(*objects));
	for (size_t i = 0; i < sizeof(contexts) / sizeof(*contexts); i++)
		fixture_add(findings, &contexts[i]);
	for (size_t i = 0; i < 40; i++) {
		struct fixture_context small = { names[i], "small.c", "/home/user/bin/tiled",
						 10 + i, 0.00135, 0.13, 0.2, -1, RCD_UNDECIDED,
						 40, { 1 } };

		snprintf(names[i], sizeof(names[i]), "helper_%zu", i);
		fixture_add(findings, &small);
	}
	fixture_map(&findings->map);
	return findings;
}

/* The same program with padded rows. */
__attribute__((unused))
static struct findings *fixture_padded(void)
{
	static const struct object objects[] = {
		{ 1, OBJECT_HEAP, "block of main", "tiled.c:102", 8 << 20, 1, "double[]", NULL,
		  "main tiled.c:102" },
	};
	static const struct fixture_context contexts[] = {
		{ "update_cells", "/home/user/src/tiled.c", "/home/user/bin/tiled", 91, 0.594,
		  0.121, 0.34, 0.002, RCD_NONE, 64, { 1 } },
		{ "copy_tile", "/home/user/src/tiled.c", "/home/user/bin/tiled", 57, 0.301, 0.14,
		  0.08, 0, RCD_NONE, 64, { 1 } },
		{ "stream_in", "/home/user/src/tiled.c", "/home/user/bin/tiled", 33, 0.091,
		  0.012, 1, 0, RCD_NONE, 64, { 1 } },
	};
	struct findings *findings = fixture_empty();

	fixture_objects(findings, objects, 1);
	for (size_t i = 0; i < sizeof(contexts) / sizeof(*contexts); i++)
		fixture_add(findings, &contexts[i]);
	return findings;
}

static void fixture_free(struct findings *findings)
{
	for (size_t i = 0; i < findings->context_count; i++) {
		for (size_t j = 0; j < findings->contexts[i].level_count; j++) {
			free(findings->contexts[i].levels[j].objects);
			free(findings->contexts[i].levels[j].cdf);
			free(findings->contexts[i].levels[j].pairs);
		}
		for (size_t j = 0; j < findings->contexts[i].nest_count; j++)
			free(findings->contexts[i].nests[j].objects);
		free(findings->contexts[i].objects);
		free(findings->contexts[i].lines);
		free(findings->contexts[i].levels);
		free(findings->contexts[i].nests);
	}
	free(findings->contexts);
	free(findings->objects);
	free(findings->caches);
	free(findings->events);
	free(findings->remarks);
	free(findings->map.counts);
	free(findings->map.samples);
	free(findings->map.near);
	free(findings);
}

typedef void report_view(FILE *, const struct findings *, const struct view_options *);

/* What a view prints. Inlined, GCC 12 takes what strstr() finds for a part of the variable. */
static __attribute__((noinline, unused))
char *capture(report_view *report, const struct findings *findings, const struct view_options *options)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	report(out, findings, options);
	fclose(out);
	return text;
}

#endif /* CCSAMPLE_VIEW_FIXTURE_H */
