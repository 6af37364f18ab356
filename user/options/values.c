// SPDX-License-Identifier: GPL-2.0-only
/* What the values of options are, and the line where one cannot be read. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/fail.h"
#include "base/number.h"
#include "options/options.h"

#define NAME_MOST	64
#define SECONDS_LEAST	1e-3
#define SECONDS_MOST	3.6e6

int option_text(const struct option_row *row, const char *value, void *target)
{
	*(const char **)target = value;
	return 0;
}

int option_flag(const struct option_row *row, const char *value, void *target)
{
	*(bool *)target = true;
	return 0;
}

int option_number(const struct option_row *row, const char *value, void *target)
{
	char option[NAME_MOST];

	snprintf(option, sizeof(option), "--%s", row->name);
	return parse_number(option, value, row->low, row->high, target);
}

int option_number32(const struct option_row *row, const char *value, void *target)
{
	uint64_t number;

	if (option_number(row, value, &number) < 0)
		return -1;
	*(uint32_t *)target = number;
	return 0;
}

int option_positive(const struct option_row *row, const char *value, void *target)
{
	double *number = target;

	if (read_real(value, number) && *number > 0)
		return 0;
	return fail("--%s takes a positive number, not '%s'", row->name, value);
}

int option_seconds(const struct option_row *row, const char *value, void *target)
{
	static const struct {
		const char *name;
		double seconds;
	} units[] = { { "", 1 }, { "s", 1 }, { "ms", 1e-3 }, { "m", 60 }, { "h", 3600 } };
	double *seconds = target;
	char *unit;
	size_t i;

	*seconds = strtod(value, &unit);
	for (i = 0; unit > value && i < ARRAY_SIZE(units); i++) {
		if (strcmp(unit, units[i].name))
			continue;
		*seconds *= units[i].seconds;
		if (*seconds >= SECONDS_LEAST && *seconds <= SECONDS_MOST)
			return 0;
	}
	return fail("--%s takes a time of 1 ms to 1000 h, as 10 (seconds), 0.5, 500ms, 2m or 1h, "
		    "not '%s'", row->name, value);
}

/* Return: its place, -1 after one line. */
static int find_choice(const struct option_row *row, const char *value)
{
	char words[256] = "";
	size_t i, used = 0;

	for (i = 0; row->choices[i]; i++) {
		if (!strcmp(value, row->choices[i]))
			return i;
		used += snprintf(words + used, sizeof(words) - used, "%s%s",
				 !i ? "" : row->choices[i + 1] ? ", " : " or ", row->choices[i]);
	}
	return fail("--%s takes %s, not '%s'", row->name, words, value);
}

int option_choice(const struct option_row *row, const char *value, void *target)
{
	int place = find_choice(row, value);

	if (place >= 0)
		*(unsigned int *)target = place;
	return place < 0 ? -1 : 0;
}

int option_word(const struct option_row *row, const char *value, void *target)
{
	return find_choice(row, value) < 0 ? -1 : option_text(row, value, target);
}

const char *const option_levels[] = { "1", "2", "3", "all", NULL };

int option_level(const struct option_row *row, const char *value, void *target)
{
	uint32_t *level = target;

	*level = 0;
	if (!strcmp(value, "all"))
		return 0;
	if (strlen(value) != 1 || value[0] < '1' || value[0] > '3')
		return fail("--%s takes 1, 2, 3 or all, not '%s'", row->name, value);
	*level = value[0] - '0';
	return 0;
}

int option_top(const struct option_row *row, const char *value, void *target)
{
	struct show_options *show = target;
	uint64_t top;

	show->top_given = true;
	if (parse_number("--top", value, 0, UINT32_MAX, &top) < 0)
		return -1;
	show->top = top;
	return 0;
}
