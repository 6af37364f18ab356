// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "simulate/synthetic.h"
#include "base/divisor.h"
#include "base/fail.h"
#include "base/memory.h"

#define LINES_MAX	(1u << 24)	/* of a walk: more than any cache has */
#define ROUNDS_MAX	UINT32_MAX
#define ADDRESS_END	(1ull << 47)
#define FIRST_LINE	0x10000ull	/* lines of the first walk begin near there */
#define CODE		0x400000ull	/* the first walk's instruction */
#define SIZE		8u		/* bytes loaded */

/* Lines that are loaded one after another, and again; each of @times has lines of its own. */
struct walk {
	bool column;		/* all in one set of each level; else they are neighbours */
	uint64_t lines, rounds, times;
	uint64_t first;		/* line of the first time */
	uint64_t step;		/* lines from one to the next */
	uint64_t next;		/* lines from the first of one time to that of the next */
};

struct controlled {
	struct hierarchy_plan caches;
	struct walk *walks;
	size_t count, room;
};

/* ---- what becomes of a walk at a level ---- */

/* Does a set of the level hold all lines that a walk has in it? */
static bool fits(const struct walk *walk, const struct cache_geometry *geometry)
{
	return walk->lines <= (walk->column ? geometry->ways : cache_lines(geometry));
}

/* Or does every set have more lines than ways, so that each line has gone before it comes again? */
static bool overflows(const struct walk *walk, const struct cache_geometry *geometry)
{
	if (walk->column)
		return walk->lines > geometry->ways;
	return walk->lines / geometry->sets > geometry->ways;
}

/* The class of lines that come again, CLASS_NONE where those further in hold them. */
static enum miss_class class_at(const struct controlled *controlled, const struct walk *walk,
				uint32_t n)
{
	const struct level_plan *level = controlled->caches.level;

	for (uint32_t inner = 0; inner < n; inner++)
		if (fits(walk, &level[inner].geometry))
			return CLASS_NONE;
	if (fits(walk, &level[n].geometry))
		return CLASS_HIT;
	return walk->lines <= cache_lines(&level[n].geometry) ? CLASS_CONFLICT : CLASS_CAPACITY;
}

static int check_level(const struct walk *walk, const struct cache_geometry *geometry, uint32_t n)
{
	if (fits(walk, geometry) || overflows(walk, geometry))
		return 0;
	return fail("a row of %" PRIu64 " lines overflows some sets of L%u only: take at most %u "
		    "lines, or at least %" PRIu64, walk->lines, n + 1, cache_lines(geometry),
		    (uint64_t)geometry->sets * (geometry->ways + 1));
}

/* Lines that an inner level keeps must not be lost to an inclusive level outside. */
static int check_walk(const struct controlled *controlled, const struct walk *walk)
{
	const struct hierarchy_plan *caches = &controlled->caches;
	bool kept = false;

	for (uint32_t n = 0; n < caches->levels; n++) {
		const struct cache_geometry *geometry = &caches->level[n].geometry;

		if (check_level(walk, geometry, n) < 0)
			return -1;
		if (kept && !fits(walk, geometry) && caches->level[n].inclusion == INCLUSIVE)
			return fail("%" PRIu64 " lines fit into a level inside of L%u, which is "
				    "inclusive, but not into L%u: its answer needs a simulation",
				    walk->lines, n + 1, n + 1);
		kept |= fits(walk, geometry);
	}
	return 0;
}

static int check_caches(const struct hierarchy_plan *caches)
{
	for (uint32_t n = 0; n < caches->levels; n++) {
		const struct level_plan *level = &caches->level[n];

		if (level->policy != POLICY_LRU)
			return fail("--generate knows the answer of lru caches only: take "
				    "--policy lru");
		if (level->hash)
			return fail("--generate knows no slices: give --L%u SIZE,WAYS,LINE", n + 1);
		if (n && level->inclusion == EXCLUSIVE)
			return fail("--generate knows no exclusive level: see --inclusion");
	}
	return 0;
}

/* ---- the plan ---- */

/* "x40" or "40" at *text, which moves on. Return: 0 where there is none, or too much. */
static uint64_t take_number(const char **text, const char *before, uint64_t most)
{
	char *end;
	uint64_t number;

	if (strncmp(*text, before, strlen(before)))
		return 0;
	*text += strlen(before);
	if (**text < '0' || **text > '9')
		return 0;
	number = strtoull(*text, &end, 10);
	*text = end;
	return number > most ? 0 : number;
}

static bool read_walk(const char **text, struct walk *walk)
{
	*walk = (struct walk){ .column = !strncmp(*text, "column:", 7), .times = 1 };
	if (!walk->column && strncmp(*text, "row:", 4))
		return false;
	*text = strchr(*text, ':') + 1;
	walk->lines = take_number(text, "", LINES_MAX);
	walk->rounds = take_number(text, "x", ROUNDS_MAX);
	if (**text == 'x')
		walk->times = take_number(text, "x", LINES_MAX);
	return walk->lines && walk->rounds && walk->times && (!**text || **text == ',');
}

/* Lines this far apart share a set of every level. */
static uint64_t same_set(const struct hierarchy_plan *caches)
{
	uint64_t step = 1;

	for (uint32_t n = 0; n < caches->levels; n++) {
		uint64_t sets = caches->level[n].geometry.sets;

		step = step / common_divisor(step, sets) * sets;
	}
	return step;
}

/* Gives a walk lines of its own; columns one set after the other. Return: is there room? */
static bool place_walk(struct controlled *controlled, struct walk *walk, uint64_t *free_line)
{
	uint64_t step = same_set(&controlled->caches), size;
	uint64_t end = ADDRESS_END >> controlled->caches.level[0].geometry.line_bits;

	walk->step = walk->column ? step : 1;
	walk->first = *free_line;
	size = walk->lines * walk->step;
	walk->next = size + walk->column;
	if (size > end || walk->times > end / walk->next ||
	    walk->first + walk->times * walk->next > end)
		return false;
	*free_line += walk->times * walk->next;
	return true;
}

static int add_walks(struct controlled *controlled, const char *text)
{
	uint64_t free_line = FIRST_LINE;
	const char *at = text;
	struct walk walk;

	for (;; at++) {
		if (!read_walk(&at, &walk))
			return fail("--generate takes column:LINESxROUNDS and row:LINESxROUNDS, by "
				    "commas, not '%s'", text);
		if (check_walk(controlled, &walk) < 0)
			return -1;
		if (!place_walk(controlled, &walk, &free_line))
			return fail("--generate %s: its lines do not fit into 47 bits of addresses",
				    text);
		controlled->walks = grow(controlled->walks, controlled->count, &controlled->room,
					 sizeof(walk));
		controlled->walks[controlled->count++] = walk;
		if (!*at)
			return 0;
	}
}

struct controlled *controlled_new(const char *text, const struct hierarchy_plan *caches)
{
	struct controlled *controlled = xcalloc(1, sizeof(*controlled));

	controlled->caches = *caches;
	if (!check_caches(caches) && !add_walks(controlled, text))
		return controlled;
	controlled_free(controlled);
	return NULL;
}

void controlled_free(struct controlled *controlled)
{
	free(controlled->walks);
	free(controlled);
}

/* ---- the trace ---- */

static uint64_t instruction_of(size_t walk)
{
	return CODE + 16 * walk;
}

/* One round of a walk. Return: less than 0 if it cannot be written. */
static int write_round(const struct controlled *controlled, size_t number, uint64_t first,
		       FILE *out)
{
	uint32_t bits = controlled->caches.level[0].geometry.line_bits;
	const struct walk *walk = &controlled->walks[number];
	int status = 0;

	for (uint64_t i = 0; i < walk->lines && status >= 0; i++)
		status = fprintf(out, "I  %" PRIx64 ",4\n L %" PRIx64 ",%u\n",
				 instruction_of(number), (first + i * walk->step) << bits, SIZE);
	return status;
}

int controlled_write(const struct controlled *controlled, FILE *out)
{
	for (size_t n = 0; n < controlled->count; n++) {
		const struct walk *walk = &controlled->walks[n];

		for (uint64_t time = 0; time < walk->times; time++)
			for (uint64_t round = 0; round < walk->rounds; round++)
				if (write_round(controlled, n, walk->first + time * walk->next,
						out) < 0)
					return -1;
	}
	return fflush(out) ? -1 : 0;
}

/* ---- the answer ---- */

static void add_sets(struct sim_level *level, const struct cache_geometry *geometry,
		     const struct walk *walk, uint64_t again, bool conflicts)
{
	for (uint64_t time = 0; time < walk->times; time++) {
		for (uint64_t i = 0; i < walk->lines; i++) {
			uint64_t line = walk->first + time * walk->next + i * walk->step;
			struct set_counts *set = &level->sets[cache_set_of(geometry, line)];

			set->misses += 1 + again;
			set->conflicts += conflicts ? again : 0;
		}
	}
}

/* Every line is cold once at every level; what comes of it later is the same each time. */
static void add_walk(const struct controlled *controlled, struct sim_findings *findings,
		     size_t number)
{
	const struct walk *walk = &controlled->walks[number];
	uint64_t lines = walk->lines * walk->times, again = walk->rounds - 1;
	uint32_t bits = controlled->caches.level[0].geometry.line_bits;
	uint64_t last = walk->first + (walk->times - 1) * walk->next +
			(walk->lines - 1) * walk->step;
	struct sim_pair pair = { .victim = number, .evictor = number };
	struct sim_row *row = &findings->rows[number];

	*row = (struct sim_row){
		.region = { .kind = REGION_INSTRUCTION, .address = instruction_of(number) },
		.loop = SIZE_MAX,
		.counts.references = lines * walk->rounds, .low = walk->first << bits,
		.high = (last << bits) + SIZE - 1,
	};
	for (uint32_t n = 0; n < controlled->caches.levels; n++) {
		const struct cache_geometry *geometry = &controlled->caches.level[n].geometry;
		enum miss_class class = class_at(controlled, walk, n);
		bool misses = class == CLASS_CONFLICT || class == CLASS_CAPACITY;

		row->counts.outcomes[n][CLASS_COLD] = lines;
		if (class != CLASS_NONE)
			row->counts.outcomes[n][class] += lines * again;
		outcomes_add(findings->levels[n].counts.outcomes, row->counts.outcomes[n]);
		add_sets(&findings->levels[n], geometry, walk, misses ? again : 0,
			 class == CLASS_CONFLICT);
		pair.conflicts[n] = row->counts.outcomes[n][CLASS_CONFLICT];
		pair.total += pair.conflicts[n];
	}
	if (pair.total)
		findings->pairs[findings->pair_count++] = pair;
	findings->loads.references += row->counts.references;
	outcomes_add(findings->loads.outcomes, row->counts.outcomes[0]);
}

struct sim_findings *controlled_findings(const struct controlled *controlled)
{
	struct sim_findings *findings = xcalloc(1, sizeof(*findings));

	findings->plan = controlled->caches;
	findings->pages = xstrdup("identity");
	findings->rows = xcalloc(controlled->count, sizeof(*findings->rows));
	findings->row_count = controlled->count;
	findings->pairs = xcalloc(controlled->count, sizeof(*findings->pairs));
	for (uint32_t n = 0; n < controlled->caches.levels; n++) {
		struct sim_level *level = &findings->levels[n];

		level->pressure = level->pressured = NAN;
		level->sets = xcalloc(controlled->caches.level[n].geometry.sets,
				      sizeof(*level->sets));
	}
	for (size_t i = 0; i < controlled->count; i++)
		add_walk(controlled, findings, i);
	findings->references = findings->loads.references;
	findings->instructions = findings->simulated = findings->references;
	sim_findings_sort(findings);
	return findings;
}
