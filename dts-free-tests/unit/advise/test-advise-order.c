// SPDX-License-Identifier: GPL-2.0-only
/*
 * The order of cures: the same in whatever order they were found, also where each saves about as
 * much time as the next but not as the last, and where what one saves is not known; whatever times
 * within their noise are measured; and the cheapest first of those that save about as much.
 */
#include <math.h>
#include <string.h>

#include "advise/advise.h"
#include "base/random.h"
#include "tap.h"

#define CURES 4

static struct cure saving(double time, double misses, char name)
{
	return (struct cure){
		.changes[0].kind = CHANGE_ROWS, .count = 1, .bytes = name,
		.all.before = misses, .time.share = time,
	};
}

/* @which: of the permutations of so many cures */
static void permute(struct cure *cures, const struct cure *from, size_t which)
{
	for (size_t i = 0; i < CURES; which /= ++i) {
		size_t at = which % (i + 1);

		memmove(&cures[at + 1], &cures[at], (i - at) * sizeof(*cures));
		cures[at] = from[i];
	}
}

/* The names of cures, in their order, in whichever they were found. "": not always the same */
static void sorted(char order[CURES + 1], const struct cure *all)
{
	char first[CURES + 1] = "";
	struct cure cures[CURES];
	bool same = true;

	for (size_t which = 0; which < 24; which++) {
		permute(cures, all, which);
		cures_sort(cures, CURES);
		for (size_t i = 0; i < CURES; i++)
			order[i] = cures[i].bytes;
		if (!which)
			memcpy(first, order, sizeof(first));
		same = same && !strcmp(order, first);
	}
	if (!same)
		*order = '\0';
}

/* Measured again, each time is another; @noise is what they may differ by. */
static void noisy(double noise)
{
	const double misses[CURES] = { 10, 30, 20, 30 };	/* saved; b and d: by memory */
	char order[CURES + 1] = "";
	struct cure cures[CURES];
	uint64_t state = 1;
	size_t wrong = 0;

	for (int run = 0; run < 100; run++) {
		for (size_t i = 0; i < CURES; i++) {
			double part = random_below(&state, 1000) / 1e3;

			cures[i] = saving(0.5 + noise * part, misses[i], 'a' + i);
			cures[i].time.noise = noise * 0.8;
		}
		sorted(order, cures);
		wrong += strcmp(order, "bdca") != 0;
	}
	ok(!wrong, "within a noise of %.0f%% misses decide, then memory: seed 1", 100 * noise);
	for (size_t i = 0; i < CURES; i++)
		cures[i].time.share = 0.5 + 1.2 * noise * (i == 0);
	sorted(order, cures);
	ok(!strcmp(order, "abdc"), "... and time where it differs by more");
}

/* One object, two kinds, and what is changed at two places: neither costs memory. */
static void by_what_is_changed(void)
{
	const struct object late = { .name = "a", .id = 2 }, early = { .name = "b", .id = 1 };
	struct cure cures[CURES];
	char order[CURES + 1] = "";

	for (int i = 0; i < CURES; i++) {
		cures[i] = saving(0.1, 20, '0');
		cures[i].changes[0].object = i < 2 ? &late : &early;
		cures[i].changes[0].kind = i % 2 ? CHANGE_SPREAD : CHANGE_COLOUR;
		cures[i].changes[0].from = i;
	}
	cures[2].count = 2;
	for (size_t which = 0; which < 24; which++) {
		struct cure found[CURES];

		permute(found, cures, which);
		cures_sort(found, CURES);
		for (int i = 0; i < CURES; i++)
			order[i] = '0' + found[i].changes[0].from;
		if (strcmp(order, "0132"))
			break;
	}
	ok(!strcmp(order, "0132"), "equal ones: fewer changes first, then by name and kind: %s", order);
}

/* Pads of two arrays that save the same, found in either order; and times without a value. */
static void ties(void)
{
	const struct object object[2] = { { .name = "", .id = 1 }, { .name = "", .id = 2 } };
	struct cure cures[2] = { saving(0, 20, 'x'), saving(0, 20, 'x') };
	struct cure endless[2] = { saving(INFINITY, 10, 'x'), saving(INFINITY, 30, 'y') };

	for (int turn = 0; turn < 2; turn++) {
		cures[turn].changes[0].object = &object[0];
		cures[!turn].changes[0].object = &object[1];
		cures_sort(cures, 2);
		ok(cures[0].changes[0].object->id == 1, "of equal ones the first object's");
	}
	cures_sort(endless, 2);
	ok(endless[0].bytes == 'y', "of endless times misses decide");
}

/* What is saved differs by less than a tenth: for less memory, but a place is no size. */
static void by_cost(void)
{
	struct cure cures[CURES];
	char order[CURES + 1] = "";

	/* Of memory 2 MiB, 128 B, 32 KiB, 0. */
	for (int i = 0; i < CURES; i++) {
		cures[i] = saving(0.06 + 0.01 * (i == 2), 263, '0' + i);
		cures[i].time.noise = 0.2;
	}
	cures[0].all.before = 266;
	cures[2].all.before = 240;
	cures[3].changes[0].kind = CHANGE_SPREAD;
	cures[0].bytes = 4;
	cures[1].bytes = 1;
	cures[2].bytes = 3;
	cures[3].bytes = 0;
	sorted(order, cures);
	ok(order[0] == 1 && order[1] == 3 && order[2] == 4 && order[3] == 0,
	   "of what saves about as much the smallest first, and what is no size last");
	cures[2].all.before = 239;
	sorted(order, cures);
	ok(order[0] == 1 && order[1] == 4 && order[2] == 3 && order[3] == 0, "... a tenth less is less");
}

int main(void)
{
	const struct cure all[CURES] = {
		saving(0.050, 30, 'a'), saving(0.065, 20, 'b'), saving(0.080, 10, 'c'),
		saving(NAN, 25, 'd'),
	};
	char order[CURES + 1] = "";

	sorted(order, all);
	ok(!strcmp(order, "dbca"),
	   "time where it differs by 2%% from the most, else misses: in any order");
	noisy(0.05);
	noisy(0.2);
	by_cost();
	by_what_is_changed();
	ties();
	cures_sort(NULL, 0);
	return done();
}
