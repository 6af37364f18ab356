// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/fail.h"
#include "base/number.h"

bool read_number(const char *text, uint64_t *number)
{
	char *end;

	errno = 0;
	*number = strtoull(text, &end, 10);
	return *text >= '0' && *text <= '9' && !*end && !errno;
}

bool read_real(const char *text, double *number)
{
	char *end;

	*number = strtod(text, &end);
	return end != text && !*end && isfinite(*number);
}

int parse_number(const char *option, const char *text, uint64_t low, uint64_t high,
		 uint64_t *number)
{
	if (read_number(text, number) && *number >= low && *number <= high)
		return 0;
	return fail("%s takes a number from %" PRIu64 " to %" PRIu64 ", not '%s'", option, low,
		    high, text);
}
