// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "findings/spread.h"

/* xorshift64 (Marsaglia, 2003). */
static uint64_t draw(uint64_t *state, uint64_t below)
{
	if (!*state)
		*state = 88172645463325252ull;
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state % below;
}

/* Vitter's algorithm R (1985): each recording is kept with the same chance. */
void spread_files_add(struct spread_files *files, uint32_t file)
{
	uint64_t slot = files->count;

	if (!files->count++)
		files->first = file;
	if (slot >= SPREAD_KEPT)
		slot = draw(&files->chance, files->count);
	files->slot = slot < SPREAD_KEPT ? slot : SPREAD_KEPT;
}

void spread_add(struct spread *spread, const struct spread_files *files, uint32_t file,
		double number)
{
	if (files->slot < SPREAD_KEPT)
		spread->kept[files->slot] = number;
	/* One that was not reported before was 0 in the first. */
	if (!spread->in && files->count > 1)
		spread->least_file = files->first;
	spread->in += number > 0;
	if (files->count == 1 || number < spread->least) {
		spread->least = number;
		spread->least_file = file;
	}
	if (files->count == 1 || number > spread->most) {
		spread->most = number;
		spread->most_file = file;
	}
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(const struct spread *spread, size_t count)
{
	double sorted[SPREAD_KEPT];

	memcpy(sorted, spread->kept, count * sizeof(*sorted));
	qsort(sorted, count, sizeof(*sorted), by_value);
	return count % 2 ? sorted[count / 2] : (sorted[count / 2 - 1] + sorted[count / 2]) / 2;
}

struct spread_findings spread_result(const struct spread *spread, const struct spread_files *files,
				     const char *(*name)(const void *context, uint32_t file),
				     const void *context)
{
	size_t kept = files->count < SPREAD_KEPT ? files->count : SPREAD_KEPT;

	if (!kept)
		return (struct spread_findings) { .files = 0 };
	return (struct spread_findings) {
		.files = files->count, .in = spread->in, .least = spread->least,
		.median = median(spread, kept), .most = spread->most,
		.least_name = name(context, spread->least_file),
		.most_name = name(context, spread->most_file), .drawn = files->count > kept,
	};
}
