// SPDX-License-Identifier: GPL-2.0-only
/*
 * Class 4: lines that miss again only after more misses than a burst holds, in sets that are used alike.
 *
 * Between two uses of its lines, 4 in each of some sets, others miss again and again in the same sets: one
 * more than the ways. All of these together are fewer lines than the cache has.
 */
#include "variant.h"

#define OWN 4u	/* lines in each set */

static unsigned int sets_for(unsigned int ways)
{
	return SETS * ways / (OWN + ways + 1) - 1;
}

static NOINLINE double use_own(const double *own, unsigned int sets)
{
	double sum = 0;

	for (unsigned int k = 0; k < OWN; k++)
		for (unsigned int s = 0; s < sets; s++)
			sum += own[k * (PAGE / 8) + s * (LINE / 8)];
	return sum;
}

static NOINLINE void write_own(double *own, unsigned int sets)
{
	for (unsigned int k = 0; k < OWN; k++)
		for (unsigned int s = 0; s < sets; s++)
			own[k * (PAGE / 8) + s * (LINE / 8)] = s;
}

/* Upwards in the sets, so that the last to be used is the first again. */
static NOINLINE double use_own_by_set(const double *own, unsigned int sets)
{
	double sum = 0;

	for (unsigned int s = 0; s < sets; s++)
		for (unsigned int k = 0; k < OWN; k++)
			sum += own[k * (PAGE / 8) + s * (LINE / 8)];
	return sum;
}

static NOINLINE double use_others(const double *others, unsigned int lines, unsigned int sets,
				  unsigned int times)
{
	double sum = 0;

	while (times--)
		for (unsigned int k = 0; k < lines; k++)
			for (unsigned int s = 0; s < sets; s++)
				sum += others[k * (PAGE / 8) + s * (LINE / 8)];
	return sum;
}

static void far_of(unsigned int ways, unsigned long repeats, unsigned int times, int kind)
{
	double *own = variant_pages(OWN * PAGE), *others = variant_pages((ways + 1) * PAGE);
	unsigned int sets = sets_for(ways);

	while (repeats--) {
		if (kind == 0)
			variant_sink += use_own(own, sets);
		else if (kind == 1)
			write_own(own, sets);
		else
			variant_sink += use_own_by_set(own, sets);
		variant_sink += use_others(others, ways + 1, sets, times);
		variant_changed(own);
	}
	free(own);
	free(others);
}

static void four(unsigned int ways, unsigned long repeats) { far_of(ways, repeats, 4, 0); }
static void ten(unsigned int ways, unsigned long repeats) { far_of(ways, repeats, 10, 0); }
static void written(unsigned int ways, unsigned long repeats) { far_of(ways, repeats, 5, 1); }
static void by_set(unsigned int ways, unsigned long repeats) { far_of(ways, repeats, 4, 2); }

/* Alike in all sets but a few, one line after the other: nearly as many misses between as the cache has lines. */
static void round_robin(unsigned int ways, unsigned long repeats)
{
	unsigned int sets = SETS * ways / (ways + 1) - 1;
	double *others = variant_pages((ways + 1) * PAGE);

	while (repeats--)
		variant_sink += use_others(others, ways + 1, sets, 1);
	free(others);
}

static const struct variant variants[] = {
	{ "four", four }, { "ten", ten }, { "written", written }, { "by-set", by_set },
	{ "round-robin", round_robin },
};

VARIANT_MAIN(variants)
