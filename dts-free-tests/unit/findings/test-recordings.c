// SPDX-License-Identifier: GPL-2.0-only
/*
 * Many recordings in one pass: the same findings as of one recording that holds all of them, in
 * their order; how they are spread, against each by itself; what cannot be added up.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "findings/findings.h"
#include "format/recording.h"
#include "fixture-ranks.h"
#include "tap.h"

#define FILES		12
#define MANY		300
#define BURSTS		RANK_BURSTS

static const char *write_one(const char *name, const struct kind *kind)
{
	return write_rank(fixture_path(name), kind);
}

/* All of them one after the other, their events under one number. */
static const char *write_all(const char *name, const struct kind *kinds, size_t count)
{
	struct recording_writer *writer = recording_create(fixture_path(name));
	struct kind kind;

	if (!writer)
		exit(1);
	write_head(writer, &kinds[0]);
	for (uint32_t event = 3; event < 8; event++)
		if (event != 3 + kinds[0].seed % 5)
			write_event(writer, event, 1, 1212);
	for (size_t i = 0; i < count; i++) {
		kind = kinds[i];
		write_body(writer, &kind, 1 + 2 * i);
	}
	if (recording_finish(writer, 1000 + kinds[count - 1].seed))
		exit(1);
	return fixture_path(name);
}

/* --- the same --- */

static bool near(double a, double b)
{
	return (isnan(a) && isnan(b)) || fabs(a - b) <= 1e-9 * (fabs(a) + fabs(b)) + 1e-300;
}

static bool same_summary(const struct rcd_summary *a, const struct rcd_summary *b)
{
	return a->samples == b->samples && a->burst_samples == b->burst_samples &&
	       a->sets_used == b->sets_used && near(a->cf, b->cf) &&
	       near(a->expected_cf, b->expected_cf) && near(a->p_value, b->p_value) &&
	       a->has_conflict_share == b->has_conflict_share &&
	       near(a->conflict_share, b->conflict_share) &&
	       near(a->conflict_low, b->conflict_low) && near(a->conflict_high, b->conflict_high) &&
	       near(a->pressure, b->pressure) && near(a->set_lines, b->set_lines) &&
	       near(a->concentration, b->concentration) &&
	       near(a->expected_concentration, b->expected_concentration) &&
	       near(a->captured, b->captured) && a->verdict == b->verdict && a->reason == b->reason;
}

static bool same_shares(const struct object_share *a, size_t count, const struct object_share *b,
			size_t others)
{
	bool same = count == others;

	for (size_t i = 0; same && i < count; i++)
		same = a[i].object->id == b[i].object->id && near(a[i].share, b[i].share) &&
		       a[i].stride == b[i].stride && a[i].steps == b[i].steps;
	return same;
}

static bool same_level(const struct level_findings *a, const struct level_findings *b)
{
	bool same = a->level == b->level && a->samples == b->samples &&
		    a->re_misses == b->re_misses && near(a->share, b->share) &&
		    same_summary(&a->summary, &b->summary) && a->cdf_points == b->cdf_points &&
		    a->pair_count == b->pair_count &&
		    same_shares(a->objects, a->object_count, b->objects, b->object_count);

	for (size_t i = 0; same && i < a->cdf_points; i++)
		same = a->cdf[i].rcd == b->cdf[i].rcd && near(a->cdf[i].share, b->cdf[i].share);
	for (size_t i = 0; same && i < a->pair_count; i++)
		same = near(a->pairs[i].share, b->pairs[i].share);
	return same;
}

static bool same_context(const struct context *a, const struct context *b)
{
	bool same = a->number == b->number && a->region.parent == b->region.parent &&
		a->region.kind == b->region.kind &&
		    a->region.line == b->region.line && a->samples == b->samples &&
		    a->level_count == b->level_count && a->nest_count == b->nest_count &&
		    a->line_count == b->line_count &&
		    !strcmp(a->region.function, b->region.function);

	for (size_t i = 0; same && i < a->level_count; i++)
		same = same_level(&a->levels[i], &b->levels[i]);
	for (size_t i = 0; same && i < a->nest_count; i++)
		same = same_summary(&a->nests[i].summary, &b->nests[i].summary);
	return same;
}

static bool same_map(const struct set_map *a, const struct set_map *b)
{
	size_t cells = (size_t)a->rows * a->sets;

	return a->rows == b->rows && a->sets == b->sets && a->slot == b->slot &&
	       (!cells || !memcmp(a->counts, b->counts, cells * sizeof(*a->counts)));
}

static uint64_t l1_samples(const struct findings *findings)
{
	return level_samples(findings->events, findings->event_count, 1);
}

static void test_same(const char *const *paths, const char *all)
{
	struct findings *many = analyze_recordings(paths, FILES, NULL);
	struct findings *one = analyze_recording(all, NULL);
	bool same;

	if (!many || !one)
		exit(1);
	ok(many->recordings == FILES && many->samples == one->samples && many->samples ==
	   FILES * 2 * BURSTS * 2 * BURST && many->processes == 2 * FILES && many->whole,
	   "%d recordings: all samples, all processes", FILES);
	ok(many->instructions == one->instructions && many->loads == one->loads &&
	   many->load_misses == one->load_misses && one->instructions,
	   "exact totals are added up");
	ok(many->events[0].lost == one->events[0].lost && one->events[0].lost &&
	   l1_samples(many) == l1_samples(one), "losses are added up");
	same = many->context_count == one->context_count && one->context_count > 5;
	for (size_t i = 0; same && i < one->context_count; i++)
		same = same_context(&many->contexts[i], &one->contexts[i]);
	ok(same, "%zu pieces of code: the same statistics, verdicts, data, pairs as in one",
	   one->context_count);
	same = many->object_count == one->object_count && one->object_count > 2;
	for (size_t i = 0; same && i < one->object_count; i++)
		same = many->objects[i].samples == one->objects[i].samples &&
		       many->objects[i].object->bytes == one->objects[i].object->bytes &&
		       many->objects[i].object->blocks == one->objects[i].object->blocks &&
		       !strcmp(many->objects[i].object->name, one->objects[i].object->name);
	ok(same, "%zu objects: the same", one->object_count);
	ok(same_map(&many->map, &one->map), "the same set map");
	ok(many->duration_ns == 1000 + FILES - 1, "the time is that of the longest");
	findings_free(many);
	findings_free(one);
}

/* --- how they are spread --- */

static double share_of(const struct findings *findings, const struct context *wanted,
		       uint32_t level)
{
	for (size_t i = 0; i < findings->context_count; i++) {
		const struct context *context = &findings->contexts[i];
		const struct level_findings *found = context_level(context, level);
		const struct code_region *x = &context->region, *y = &wanted->region;

		if (x->address == y->address && x->kind == y->kind && x->depth == y->depth &&
		    !strcmp(x->function, y->function))
			return found ? found->share : 0;
	}
	return 0;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static bool same_spread(const struct spread_findings *spread, double *numbers, size_t count)
{
	uint64_t in = 0;

	for (size_t i = 0; i < count; i++)
		in += numbers[i] > 0;
	qsort(numbers, count, sizeof(*numbers), by_value);
	return spread->files == count && spread->in == in && near(spread->least, numbers[0]) &&
	       near(spread->most, numbers[count - 1]) &&
	       near(spread->median, (numbers[(count - 1) / 2] + numbers[count / 2]) / 2) &&
	       !spread->drawn;
}

static void test_spread(const char *const *paths)
{
	struct findings *many = analyze_recordings(paths, FILES, NULL), *each[FILES];
	double shares[FILES];
	bool same = true, named = true;
	size_t told = 0;

	for (size_t i = 0; i < FILES; i++)
		each[i] = analyze_recording(paths[i], NULL);
	for (size_t i = 0; i < many->context_count; i++) {
		for (size_t l = 0; l < many->contexts[i].level_count; l++) {
			const struct level_findings *level = &many->contexts[i].levels[l];
			const char *rank = level->spread.most_name + strlen("rank ");
			size_t number = strtoul(rank, NULL, 10);

			for (size_t f = 0; f < FILES; f++)
				shares[f] = share_of(each[f], &many->contexts[i], level->level);
			named &= number < FILES && near(shares[number], level->spread.most);
			same &= same_spread(&level->spread, shares, FILES);
			told++;
		}
	}
	ok(same && told > 10, "least, median and most of %zu shares: as of each by itself", told);
	ok(named, "the rank that has most is named");
	for (size_t f = 0; f < FILES; f++)
		shares[f] = l1_samples(each[f]);
	ok(same_spread(&many->spread[0], shares, FILES), "samples of each");
	for (size_t i = 0; i < FILES; i++)
		findings_free(each[i]);
	findings_free(many);
}

/* More than are kept for the median. */
static void test_many(void)
{
	struct findings *findings;
	const struct spread_findings *spread;
	char name[32];

	for (uint64_t i = 0; i < MANY; i++) {
		struct kind kind = {
			.seed = i, .bursts = 1 + i % 10,
				.governor = i % 7 ? "performance" : "powersave" };

		snprintf(name, sizeof(name), "many.%u.ccs", (unsigned int)i);
		write_one(name, &kind);
	}
	findings = analyze_recording(fixture_path("many.*.ccs"), NULL);
	if (!findings)
		exit(1);
	spread = &findings->spread[0];
	ok(findings->lab_count == 2 && !findings->lab[0].varies && findings->lab[1].varies,
	   "a governor that is not the same in all; turbo is");
	ok(findings->recordings == MANY && strstr(findings->path, "many.0.ccs and 299 more"),
	   "a pattern stands for all files that match");
	ok(spread->files == MANY && spread->least == 2 * BURST && spread->most == 20 * BURST &&
	   !strcmp(spread->least_name, "many.0.ccs") && !strcmp(spread->most_name, "many.9.ccs"),
	   "of %d, in the order of their numbers, least and most are exact", MANY);
	ok(spread->drawn && spread->median >= 8 * BURST && spread->median <= 14 * BURST,
	   "the median is that of some drawn: %.0f of 7700", spread->median);
	findings_free(findings);
}

/* --- what cannot be added up --- */

static void refused(const char *what, const struct kind *kind)
{
	const struct kind plain = { .seed = 1 };
	const char *paths[2] = { write_one("plain.ccs", &plain), write_one("other.ccs", kind) };
	struct findings *findings = analyze_recordings(paths, 2, NULL);

	ok(!findings, "refused: another %s", what);
	if (findings)
		findings_free(findings);
	paths[0] = fixture_path("other.ccs");
	paths[1] = fixture_path("plain.ccs");
	findings = analyze_recordings(paths, 2, NULL);
	ok(!findings, "refused: another %s, the other way round", what);
	if (findings)
		findings_free(findings);
}

static void test_incomplete(void)
{
	const struct kind plain = { .seed = 1 }, cut = { .seed = 2, .unfinished = true };
	const char *paths[2] = { write_one("plain.ccs", &plain), write_one("cut.ccs", &cut) };
	struct findings *findings = analyze_recordings(paths, 2, NULL);

	ok(findings && !findings->whole && findings->incomplete == 1 &&
	   findings->samples >= 2 * BURSTS * 2 * BURST,
	   "one that was cut short counts, and is told");
	findings_free(findings);
	paths[1] = fixture_path("none.ccs");
	ok(!analyze_recordings(paths, 2, NULL), "one that is missing is an error");
}

int main(void)
{
	static struct kind kinds[FILES];
	static char names[FILES][32], ranks[FILES][8], paths[FILES][256];
	const char *list[FILES];

	fixture_begin();
	fixture_ranks();
	for (size_t i = 0; i < FILES; i++) {
		snprintf(names[i], sizeof(names[i]), "r%zu.ccs", i);
		snprintf(ranks[i], sizeof(ranks[i]), "%zu", i);
		kinds[i] = (struct kind) { .seed = i, .rank = ranks[i] };
		strcpy(paths[i], write_one(names[i], &kinds[i]));
		list[i] = paths[i];
	}
	test_same(list, write_all("all.ccs", kinds, FILES));
	test_spread(list);
	test_many();
	refused("period", &(struct kind) { .seed = 1, .period = 101 });
	refused("cache", &(struct kind) { .seed = 1, .ways = 12 });
	refused("source", &(struct kind) { .seed = 1, .source = "pebs" });
	refused("set of events", &(struct kind) { .seed = 1, .second = true });
	test_incomplete();
	return done();
}
