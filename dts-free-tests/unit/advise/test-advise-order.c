// SPDX-License-Identifier: GPL-2.0-only
/*
 * The order of cures: the same in whatever order they were found, also where each saves about as
 * much time as the next but not as the last, and where what one saves is not known.
 */
#include <math.h>
#include <string.h>

#include "advise/advise.h"
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

/* Pads of two arrays that save the same, found in either order; and times without a value. */
static void ties(void)
{
	const struct object object[2] = { { .id = 1 }, { .id = 2 } };
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

int main(void)
{
	const struct cure all[CURES] = {
		saving(0.050, 30, 'a'), saving(0.065, 20, 'b'), saving(0.080, 10, 'c'),
		saving(NAN, 25, 'd'),
	};
	struct cure cures[CURES];
	char order[CURES + 1] = "";
	size_t wrong = 0;

	for (size_t which = 0; which < 24; which++) {
		permute(cures, all, which);
		cures_sort(cures, CURES);
		for (size_t i = 0; i < CURES; i++)
			order[i] = cures[i].bytes;
		wrong += strcmp(order, "dbca") != 0;
	}
	ok(!wrong, "time where it differs by 2%% from the most, else misses: in any order");
	ties();
	cures_sort(NULL, 0);
	return done();
}
