// SPDX-License-Identifier: GPL-2.0-only
/*
 * proxy STREAM OUT: the stream of a program that ccsample emulate would be for another one:
 * as many accesses, as often, of the same profile, steady in time and equal in all sets.
 */
#include <stdio.h>
#include <stdlib.h>

#include "exact.h"
#include "share-model/emulation.h"
#include "sharing/walk.h"

static struct cache_geometry geometry;

static void profile_of(const struct stream *stream, double *distances)
{
	double *counts = exact_depths(&geometry, stream);
	size_t count = (size_t)geometry.sets * (geometry.ways + 1), i;

	for (i = 0; i < count; i++)
		distances[i % (geometry.ways + 1)] += counts[i];
	free(counts);
}

/* Whole rounds over all sets. */
static void write_stream(FILE *out, const struct stream *stream, struct emulation *emulations)
{
	double each = stream->instructions / stream->count, owed = 0;
	uint32_t step = arena_step(geometry.sets), set = 0, group, left;
	uint64_t rounds = stream->count / geometry.sets, line[WALK_GROUPS];

	while (rounds--) {
		for (group = 0; group < WALK_GROUPS; group++)
			line[group] = emulation_next(&emulations[group]);
		for (left = geometry.sets; left; left--) {
			struct access access = {
				LINE_PLACED | (line[set % WALK_GROUPS] * geometry.sets + set),
				owed += each,
			};

			owed -= access.instructions;
			fwrite(&access, sizeof(access), 1, out);
			set = (set + step) % geometry.sets;
		}
	}
}

int main(int argc, char **argv)
{
	struct emulation emulations[WALK_GROUPS];
	double distances[SHARE_WAYS_MAX + 1] = { 0 };
	struct stream stream;
	uint32_t group;
	FILE *out;

	if (argc != 3 || cache_geometry_parse(&geometry, SHARED_GEOMETRY))
		return 2;
	stream_read(&stream, argv[1]);
	profile_of(&stream, distances);
	for (group = 0; group < WALK_GROUPS; group++)
		if (emulation_open(&emulations[group], distances, geometry.ways, group))
			return 1;
	out = fopen(argv[2], "we");
	if (!out)
		return 1;
	write_stream(out, &stream, emulations);
	return fclose(out) != 0;
}
