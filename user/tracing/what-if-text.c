// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "base/fail.h"
#include "base/number.h"
#include "simulate/request-text.h"
#include "tracing/what-if-text.h"

/* --- what is changed --- */

/* NAME=NUMBER... Return: what follows the last "=", the name ended there; NULL after one line. */
static char *split(const char *option, char *text)
{
	char *equals = strrchr(text, '=');

	if (!equals || equals == text) {
		fail("%s %s: expected NAME=NUMBER", option, text);
		return NULL;
	}
	*equals = 0;
	return equals + 1;
}

int what_if_pad(struct traced_options *options, char *text)
{
	struct traced_pad *pad = &options->pads[options->pad_count];
	char *number = split("--pad", text), *row;
	size_t i;

	if (!number)
		return -1;
	for (i = 0; i < options->pad_count; i++)
		if (!strcmp(options->pads[i].object, text))
			return fail("--pad %s is given twice: an object has one pad", text);
	if (options->pad_count++ == TRACED_CHANGES)
		return fail("--pad: at most %u objects", TRACED_CHANGES);
	row = strchr(number, ',');
	if (row)
		*row++ = 0;
	pad->object = text;
	if (row && parse_number("--pad", row, 8, 1u << 30, &pad->row) < 0)
		return -1;
	return parse_number("--pad", number, 0, 1u << 30, &pad->bytes);
}

int what_if_scale(struct traced_options *options, char *text)
{
	struct traced_scale *scale = &options->scales[options->scale_count];
	char *number = split("--scale", text);
	uint64_t loop;
	size_t i;

	if (!number)
		return -1;
	if (options->scale_count++ == TRACED_CHANGES)
		return fail("--scale: at most %u loops", TRACED_CHANGES);
	if (parse_number("--scale", text, 1, UINT32_MAX, &loop) < 0)
		return -1;
	scale->loop = loop;
	for (i = 0; &options->scales[i] < scale; i++)
		if (options->scales[i].loop == loop)
			return fail("--scale %u is given twice: a loop runs one number of times",
				    scale->loop);
	return parse_number("--scale", number, 2, 1ull << 48, &scale->count);
}

/* --- geometries --- */

/* The levels' geometries number @choice of those that the options combine to. */
static int plan_choice(const struct what_if_caches *caches, struct hierarchy_plan *plan,
		       size_t choice)
{
	uint32_t n;

	for (n = 0; n < CACHE_LEVELS; n++) {
		if (!caches->count[n])
			continue;
		if (plan_level(plan, n, caches->levels[n][choice % caches->count[n]]) < 0)
			return -1;
		choice /= caches->count[n];
	}
	if (caches->policy && plan_policy(plan, caches->policy) < 0)
		return -1;
	return caches->inclusion ? plan_inclusion(plan, caches->inclusion) : 0;
}

int what_if_plans(struct traced_options *options, const struct what_if_caches *caches,
		  const struct hierarchy_plan *base)
{
	size_t choices = 1, i;
	const char *error;

	for (i = 0; i < CACHE_LEVELS; i++)
		choices *= caches->count[i] ? caches->count[i] : 1;
	if (choices > TRACED_PLANS)
		return fail("the options combine to %zu geometries; at most %u are analysed",
			    choices, TRACED_PLANS);
	for (i = 0; i < choices; i++) {
		options->plans[i] = *base;
		if (plan_choice(caches, &options->plans[i], i) < 0)
			return -1;
		error = hierarchy_error(&options->plans[i]);
		if (error)
			return fail("these caches cannot be analysed: %s", error);
	}
	options->plan_count = choices;
	return 0;
}

static bool has_slices(const struct traced_options *options)
{
	bool has = false;
	uint32_t n;
	size_t i;

	for (i = 0; i < options->plan_count; i++)
		for (n = 0; n < options->plans[i].levels; n++)
			has |= options->plans[i].level[n].hash != NULL;
	return has;
}

int what_if_check(const struct traced_options *options)
{
	uint32_t n;
	size_t i;

	if (options->pad_count && options->pages.kind == PAGES_IDENTITY && has_slices(options))
		return fail("--pad moves objects beyond the addresses whose slice is published: "
			    "give --pages random, or caches without slices by --D1, --L2 and --L3");
	if (!options->compositional)
		return 0;
	if (options->pages.kind != PAGES_IDENTITY)
		return fail("--method compositional does not model pages: leave --pages out");
	for (i = 0; i < options->plan_count; i++)
		for (n = 0; n < options->plans[i].levels; n++)
			if (options->plans[i].level[n].policy != POLICY_LRU ||
			    options->plans[i].level[n].inclusion != NON_INCLUSIVE ||
			    options->plans[i].level[n].hash)
				return fail("--method compositional is for LRU, non-inclusive "
					    "levels without slices: give --D1, --L2 and --L3");
	return 0;
}
