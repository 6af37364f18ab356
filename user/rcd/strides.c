// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "base/divisor.h"
#include "base/map.h"
#include "base/memory.h"
#include "rcd/folds.h"
#include "rcd/steps.h"
#include "rcd/strides.h"

#define DEPTH	8	/* of loops around a reference that are looked at, and of recursion */
#define FAR_KEPT 256	/* distances kept of an object */
#define FAR	64	/* bytes of such, at least */
#define ALONG_MOST 128	/* bytes of a step along something: loops may be unrolled */
#define LEAST	16	/* of a kind to judge by */
#define PLACES_KEPT 256	/* of an object's references */
#define ALONG	32	/* equal short steps that count: a clear says nothing of rows */
#define TURNS	4	/* blocks of an object that instructions take turns in */
#define FEW	0.85	/* of these in one line of each row: the rest of it is hardly used */
#define DOUBLES	4	/* steps that are powers of two: of more than an array's dimensions */
#define SOME	0.01	/* of the far distances: no chance, where there are many */
#define WALKED	0.25	/* of the steps: not by chance, where more than 8 rows are met */

/* How much evidence counts, next to the steps of one instruction. */
#define ANY_WEIGHT 0.3
#define FAR_WEIGHT 0.9
#define PLACES_WEIGHT 0.8
#define FOLDS_WEIGHT 0.6

/* An instruction's walk: at each depth, where the run of equal steps began. */
struct walk {
	uint64_t burst;			/* that it is of */
	uint32_t block;
	uint64_t from[DEPTH];		/* where the last step of that depth began */
	uint64_t step[DEPTH];		/* the last one, modulo 2^64; 0 = none yet */
	uint32_t along;			/* equal steps of less than FAR */
	struct stride_site seen;	/* in all bursts */
};

/* The last reference to a block, of any instruction. */
struct last {
	uint64_t burst;			/* that it is of */
	uint64_t offset;
	uint32_t block;
};

struct object_strides {
	struct steps steps[DEPTH];	/* where runs begin, by depth */
	struct steps any;		/* of all instructions */
	struct last last[TURNS];	/* the block met last comes first */
	uint64_t far[FAR_KEPT];		/* distances of one instruction, of FAR bytes and more */
	uint64_t far_count;		/* seen */
	uint64_t powers[64];		/* ... of 2^n bytes */
	uint64_t places[PLACES_KEPT];	/* offsets of references */
	uint64_t place_count;		/* seen */
	struct folds folds;
};

struct strides {
	uint64_t burst;
	struct walk *walks;		/* by site */
	size_t walk_count;
	struct map objects;		/* number -> struct object_strides * */
};

struct strides *strides_new(void)
{
	struct strides *strides = xcalloc(1, sizeof(*strides));

	strides->burst = 1;
	return strides;
}

void strides_free(struct strides *strides)
{
	map_free_values(&strides->objects, free);
	free(strides->walks);
	free(strides);
}

void strides_burst(struct strides *strides)
{
	strides->burst++;
}

static struct walk *walk_of(struct strides *strides, uint32_t site)
{
	strides->walks = grow_to(strides->walks, site, &strides->walk_count,
				 sizeof(*strides->walks));
	return &strides->walks[site];
}

static struct object_strides *object_of(struct strides *strides, uint32_t object)
{
	uint64_t *value = map_at(&strides->objects, object);

	if (!*value)
		*value = (uintptr_t)xcalloc(1, sizeof(struct object_strides));
	return (void *)(uintptr_t)*value;
}

static uint64_t distance(uint64_t a, uint64_t b)
{
	return a < b ? b - a : a - b;
}

/* Of many, an even choice: a late one takes the place of one that was chosen by its number. */
static void choose(uint64_t *kept, uint64_t most, uint64_t *seen, uint64_t value)
{
	uint64_t number = (*seen)++;

	if (number < most)
		kept[number] = value;
	else if (!(number * 0x9e3779b97f4a7c15u % (number / most + 1)))
		kept[number % most] = value;
}

/* From the last reference to the block to this one, of any instructions: a copy has two blocks. */
static void any_on(struct object_strides *object, const struct last *now)
{
	struct last before = object->last[0], next;

	for (int i = 0; i < TURNS; i++) {
		if (before.burst == now->burst && before.block == now->block) {
			steps_add(&object->any, before.offset, now->offset);
			break;
		}
		if (i + 1 < TURNS) {
			next = object->last[i + 1];
			object->last[i + 1] = before;
			before = next;
		}
	}
	object->last[0] = *now;
}

/* A run may begin where the one before it did; what stays where it is goes nowhere. */
static void count_step(struct stride_site *seen, int depth, uint64_t far)
{
	if (depth < STRIDES_LOOPS && (far || depth))
		(far > ALONG_MOST ? seen->across : seen->along)[depth]++;
}

/* A reference begins a run of a depth where the steps of the depth within change. */
static void walk_on(struct object_strides *object, struct walk *walk, uint64_t offset)
{
	uint64_t far = distance(walk->from[0], offset), step;

	if (far >= FAR) {
		choose(object->far, FAR_KEPT, &object->far_count, far);
		object->powers[__builtin_ctzll(far)] += !(far & (far - 1));
	}
	walk->along = far < FAR && offset - walk->from[0] == walk->step[0] ? walk->along + 1 : 0;
	for (int depth = 0; depth < DEPTH; depth++) {
		step = offset - walk->from[depth];
		count_step(&walk->seen, depth, distance(walk->from[depth], offset));
		if (!step)
			return;
		if (depth || walk->along <= ALONG)
			steps_add(&object->steps[depth], walk->from[depth], offset);
		walk->from[depth] = offset;
		if (step == walk->step[depth] || !walk->step[depth]) {
			walk->step[depth] = step;
			return;
		}
		/* The first step within the new run is none that the old one had. */
		walk->step[depth] = 0;
	}
}

void strides_add(struct strides *strides, uint32_t number, uint32_t site, uint32_t block,
		 uint64_t offset)
{
	struct object_strides *object = object_of(strides, number);
	struct walk *walk = walk_of(strides, site);

	any_on(object, &(struct last){ strides->burst, offset, block });
	choose(object->places, PLACES_KEPT, &object->place_count, offset);
	folds_add(&object->folds, strides->burst, block, offset);
	walk->seen.object = number;
	if (walk->burst == strides->burst && walk->block == block) {
		walk_on(object, walk, offset);
		return;
	}
	*walk = (struct walk){ .burst = strides->burst, .block = block, .seen = walk->seen };
	for (int depth = 0; depth < DEPTH; depth++)
		walk->from[depth] = offset;
}

/* --- answers --- */

struct stride_site strides_site(const struct strides *strides, uint32_t site)
{
	static const struct stride_site none;

	return site < strides->walk_count ? strides->walks[site].seen : none;
}

struct answers {
	struct stride_row *rows;
	size_t count;
	uint64_t line, most;
};

/* Return: the row, NULL = such a length is none. */
static struct stride_row *answer(struct answers *answers, uint64_t bytes, double weight)
{
	struct stride_row *rows = answers->rows;

	if (bytes <= answers->line || bytes > answers->most)
		return NULL;
	for (size_t i = 0; i < answers->count; i++)
		if (bytes == rows[i].bytes) {
			rows[i].weight = weight > rows[i].weight ? weight : rows[i].weight;
			return &rows[i];
		}
	if (answers->count == STRIDES_ROWS)
		return NULL;
	rows[answers->count] = (struct stride_row){ bytes, weight, false };
	return &rows[answers->count++];
}

/* Distances that a tenth of all have: more than chance. */
static void answer_steps(struct answers *answers, const struct steps *steps, double weight)
{
	for (int i = 0; i < STEPS_KEPT; i++)
		if (steps->total >= LEAST && 10 * steps->count[i] >= steps->total)
			answer(answers, steps->distance[i],
			       weight * steps->count[i] / steps->total);
}

/* What nine in ten of the far distances are multiples of: nodes that are met in any order. */
static void answer_far(struct answers *answers, const struct object_strides *object)
{
	size_t count = object->far_count < FAR_KEPT ? object->far_count : FAR_KEPT, fit, i;
	uint64_t power = answers->line, divisor = 0;

	if (count < LEAST)
		return;
	for (;; power *= 2) {
		for (i = fit = 0; i < count; i++)
			fit += !(object->far[i] % (2 * power));
		if (10 * fit < 9 * count || power > answers->most)
			break;
	}
	if (power == answers->line)
		return;
	for (i = 0; i < count; i++)
		if (!(object->far[i] % power))
			divisor = common_divisor(object->far[i], divisor);
	answer(answers, divisor, FAR_WEIGHT);
}

/* The line of rows of so many bytes that most places are in. Return: how many are. */
static size_t fullest_line(const struct object_strides *object, size_t count, uint64_t row,
			   uint32_t line, uint64_t *fullest)
{
	struct map lines = { .entries = NULL };
	size_t most = 0;

	for (size_t i = 0; i < count; i++) {
		uint64_t at = object->places[i] % row / line;
		uint64_t *here = map_at(&lines, at);

		if (++*here <= most)
			continue;
		most = *here;
		*fullest = at;
	}
	map_free(&lines);
	return most;
}

/* What the places in one line of each row are apart, all of them. */
static uint64_t apart(const struct object_strides *object, size_t count, uint64_t row,
		      uint32_t line, uint64_t which)
{
	uint64_t divisor = 0, first = UINT64_MAX;

	for (size_t i = 0; i < count; i++) {
		uint64_t at = object->places[i] / line;

		if (object->places[i] % row / line != which)
			continue;
		if (first == UINT64_MAX)
			first = at;
		divisor = common_divisor(distance(at, first), divisor);
	}
	return divisor * line;
}

static bool is_walked(const struct object_strides *object, uint64_t bytes)
{
	for (int depth = 0; depth < DEPTH; depth++)
		for (int i = 0; i < STEPS_KEPT; i++)
			if (object->steps[depth].distance[i] == bytes &&
			    object->steps[depth].count[i] > WALKED * object->steps[depth].total)
				return true;
	return false;
}

struct stride_places strides_places(const struct strides *strides, uint32_t number, uint32_t line,
				    uint64_t most)
{
	const struct object_strides *object =
		(const void *)(uintptr_t)map_get(&strides->objects, number);
	size_t count = object && object->place_count < PLACES_KEPT ? object->place_count :
								     PLACES_KEPT;
	struct stride_places places = { .bytes = 0 };
	uint64_t which = 0, row = line;

	if (!object || count < LEAST)
		return places;
	while (2 * row <= most && fullest_line(object, count, 2 * row, line, &which) > FEW * count)
		row *= 2;
	if (row == line)
		return places;
	fullest_line(object, count, row, line, &which);
	places.bytes = apart(object, count, row, line, which);
	places.walked = is_walked(object, places.bytes);
	return places;
}

static void answer_folds(struct answers *answers, const struct object_strides *object)
{
	struct fold folds[FOLD_ANSWERS];
	size_t count = folds_find(&object->folds, answers->most, folds);

	for (size_t i = 0; i < count; i++) {
		size_t before = answers->count;
		struct stride_row *row = answer(answers, folds[i].bytes,
						FOLDS_WEIGHT * folds[i].share);

		/* What was found otherwise may be rows. */
		if (row && answers->count > before)
			row->entries = true;
	}
}

uint64_t strides_doubles(const struct strides *strides, uint32_t number, uint32_t line)
{
	const struct object_strides *object =
		(const void *)(uintptr_t)map_get(&strides->objects, number);
	uint64_t least = 0;
	int count = 0;

	for (int i = 63; object && i >= 0 && 1ull << i > line; i--) {
		if (object->powers[i] < LEAST || object->powers[i] < SOME * object->far_count)
			continue;
		least = 1ull << i;
		count++;
	}
	return count >= DOUBLES ? least : 0;
}

size_t strides_rows(const struct strides *strides, uint32_t number, uint32_t line, uint64_t most,
		    struct stride_row rows[STRIDES_ROWS])
{
	static const double weights[DEPTH] = { 1, 0.7, 0.5, 0.45, 0.4, 0.35, 0.3, 0.25 };
	const struct object_strides *object =
		(const void *)(uintptr_t)map_get(&strides->objects, number);
	struct answers answers = { .rows = rows, .line = line, .most = most };

	if (!object)
		return 0;
	for (int depth = 0; depth < DEPTH; depth++)
		answer_steps(&answers, &object->steps[depth], weights[depth]);
	answer_steps(&answers, &object->any, ANY_WEIGHT);
	answer_far(&answers, object);
	answer(&answers, strides_places(strides, number, line, most).bytes, PLACES_WEIGHT);
	answer_folds(&answers, object);
	return answers.count;
}
