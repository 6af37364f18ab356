// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "cmd/number.h"

int parse_number(const char *option, const char *text, uint64_t low, uint64_t high,
		 uint64_t *number)
{
	char *end;

	errno = 0;
	*number = strtoull(text, &end, 10);
	if (*text >= '0' && *text <= '9' && !*end && !errno && *number >= low && *number <= high)
		return 0;
	return fail("%s takes a number from %" PRIu64 " to %" PRIu64 ", not '%s'", option, low,
		    high, text);
}

int parse_positive(const char *option, const char *text, double *number)
{
	char *end;

	*number = strtod(text, &end);
	if (end != text && !*end && *number > 0 && isfinite(*number))
		return 0;
	return fail("%s takes a positive number, not '%s'", option, text);
}

int parse_one_level(const char *text, uint32_t *level)
{
	if (!strcmp(text, "all")) {
		*level = 0;
		return 0;
	}
	if (strlen(text) != 1 || text[0] < '1' || text[0] > '3')
		return fail("--level takes 1, 2, 3 or all, not '%s'", text);
	*level = text[0] - '0';
	return 0;
}
