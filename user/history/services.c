// SPDX-License-Identifier: GPL-2.0-only
/* Figures as services draw them: the names are theirs. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "history/figures.h"
#include "output/json.h"

static void put_value(struct json *json, const struct figure *figure, const char *what,
		      double value)
{
	char *place = figure_name(figure), *name;

	if (isfinite(value)) {
		name = xasprintf("L%" PRIu32 " %s: %s", figure->level, what, place);
		json_open_flat(json, '{');
		json_put_string(json, "name", name);
		json_put_string(json, "unit", figure_unit(figure));
		json_put_number(json, "value", value);
		json_close(json, '}');
		free(name);
	}
	free(place);
}

void figures_benchmark(FILE *out, const struct figures *figures)
{
	struct json json = { .out = out };

	json_open(&json, '[');
	for (size_t i = 0; i < figures->count; i++) {
		put_value(&json, &figures->list[i], "misses", figures->list[i].misses);
		put_value(&json, &figures->list[i], "conflict misses", figures->list[i].conflicts);
	}
	json_close(&json, ']');
}

static void put_measure(struct json *json, uint32_t level, const char *what, double value)
{
	char *name;

	if (!isfinite(value))
		return;
	name = xasprintf("l%" PRIu32 "-%s", level, what);
	json_open_under(json, name, '{');
	json_put_number(json, "value", value);
	json_close(json, '}');
	free(name);
}

/* Its first figure is at this place: a name has one object with the measures of all levels. */
static bool is_first(const struct figures *figures, size_t place, const char *name)
{
	bool seen = false;

	for (size_t i = 0; i < place && !seen; i++) {
		char *other = figure_name(&figures->list[i]);

		seen = !strcmp(other, name);
		free(other);
	}
	return !seen;
}

static void put_measures(struct json *json, const struct figures *figures, const char *name)
{
	json_open_under(json, name, '{');
	for (size_t i = 0; i < figures->count; i++) {
		const struct figure *figure = &figures->list[i];
		char *other = figure_name(figure);

		if (!strcmp(other, name)) {
			put_measure(json, figure->level, "misses", figure->misses);
			put_measure(json, figure->level, "conflict-misses", figure->conflicts);
		}
		free(other);
	}
	json_close(json, '}');
}

void figures_bencher(FILE *out, const struct figures *figures)
{
	struct json json = { .out = out };

	json_open(&json, '{');
	for (size_t i = 0; i < figures->count; i++) {
		char *name = figure_name(&figures->list[i]);

		if (is_first(figures, i, name))
			put_measures(&json, figures, name);
		free(name);
	}
	json_close(&json, '}');
}
