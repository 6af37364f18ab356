// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "base/median.h"
#include "base/wire.h"
#include "base/random.h"
#include "rcd/spread.h"

/* Where a recording's numbers are kept: in place of that with the largest random_of(). */
static uint32_t slot_for(const struct spread_files *files, uint32_t file)
{
	uint32_t worst = 0;

	if (files->count < SPREAD_KEPT)
		return files->count;
	for (uint32_t i = 1; i < SPREAD_KEPT; i++)
		if (random_of(files->drawn[i]) > random_of(files->drawn[worst]))
			worst = i;
	return random_of(file) < random_of(files->drawn[worst]) ? worst : SPREAD_KEPT;
}

/* Those of the smallest lots are kept: each recording with the same chance. */
void spread_files_add(struct spread_files *files, uint32_t file)
{
	files->slot = slot_for(files, file);
	if (files->slot < SPREAD_KEPT)
		files->drawn[files->slot] = file;
	if (!files->count++)
		files->first = file;
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

void spread_files_wire(struct spread_files *files, struct wire *wire, struct spread_move *move)
{
	uint32_t count = wire_number(wire, files->count, UINT32_MAX);
	uint32_t kept = count < SPREAD_KEPT ? count : SPREAD_KEPT;

	*move = (struct spread_move){ .before = files->count, .first = files->first,
				      .kept = kept };
	move->more_first = wire_number(wire, files->first, UINT32_MAX);
	move->more = count;
	for (uint32_t i = 0; i < kept; i++) {
		uint32_t file = wire_number(wire, files->drawn[i], UINT32_MAX);

		if (!wire->reads)
			continue;
		spread_files_add(files, file);
		move->to[i] = files->slot;
	}
	if (!wire->reads)
		return;
	files->count = move->before + count;
	files->first = move->before ? move->first : move->more_first;
}

static void wire_extreme(struct wire *wire, double *number, uint32_t *file)
{
	wire_bytes(wire, number, sizeof(*number));
	*file = wire_number(wire, *file, UINT32_MAX);
}

/* In a spread that no recording reported, all are 0. */
static void join(struct spread *spread, const struct spread *more, const struct spread_move *move)
{
	if (!spread->in && move->before)
		spread->least_file = move->first;
	if (!move->before || (move->more && more->least < spread->least)) {
		spread->least = more->least;
		spread->least_file = more->least_file;
	}
	if (!move->before || more->most > spread->most) {
		spread->most = more->most;
		spread->most_file = more->most_file;
	}
	spread->in += more->in;
	for (uint32_t i = 0; i < move->kept; i++)
		if (move->to[i] < SPREAD_KEPT)
			spread->kept[move->to[i]] = more->kept[i];
}

void spread_wire(struct spread *spread, struct wire *wire, const struct spread_move *move)
{
	struct spread more = *spread;

	more.in = wire_number(wire, spread->in, UINT64_MAX);
	wire_extreme(wire, &more.least, &more.least_file);
	wire_extreme(wire, &more.most, &more.most_file);
	for (uint32_t i = 0; i < move->kept; i++)
		wire_bytes(wire, &more.kept[i], sizeof(*more.kept));
	if (wire->reads)
		join(spread, &more, move);
}

void spread_without(struct spread *spread, const struct spread_move *move)
{
	const struct spread more = { .least_file = move->more_first };

	join(spread, &more, move);
}

static double median(const struct spread *spread, size_t count)
{
	double sorted[SPREAD_KEPT];

	memcpy(sorted, spread->kept, count * sizeof(*sorted));
	return sorted_median(sorted, count);
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
