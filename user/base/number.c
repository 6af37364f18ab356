// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <math.h>
#include <stdlib.h>

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
