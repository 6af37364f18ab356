// SPDX-License-Identifier: GPL-2.0-only
/*
 * objects FILE: the blocks of a recording by the object that a report would
 * name, "IMAGES-PROGRAM KIND NAME BLOCKS BYTES", sorted.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "format/recording.h"
#include "space/space.h"
#include "program/symbols.h"

struct sum {
	uint64_t blocks, bytes;
};

static struct sum *sums;
static size_t room;

static void add(const struct object *object, uint64_t size)
{
	if (object->id >= room) {
		size_t more = object->id * 2 + 64;

		sums = xrealloc(sums, more * sizeof(*sums));
		memset(sums + room, 0, (more - room) * sizeof(*sums));
		room = more;
	}
	sums[object->id].blocks++;
	sums[object->id].bytes += size;
}

int main(int argc, char **argv)
{
	struct recording *recording = argc == 2 ? recording_open(argv[1]) : NULL;
	const struct ccs_record *record;
	struct symbols *symbols;
	struct spaces *spaces;
	size_t i;

	if (!recording)
		return 2;
	symbols = symbols_new();
	spaces = spaces_new(symbols);
	while (recording_next(recording, &record)) {
		const struct ccs_alloc *alloc = (const void *)record;

		spaces_replay(spaces, record);
		if (record->type == CCS_ALLOC)
			add(space_object(spaces_get(spaces, record->process), alloc->address),
			    alloc->size);
	}
	for (i = 1; i < room; i++) {
		const struct object *object = sums[i].blocks ? spaces_object(spaces, i) : NULL;

		if (object)
			printf("%s %s %s %" PRIu64 " %" PRIu64 "\n",
			       object_kind_name(object->kind), object->name,
			       object->chain ? object->chain : object->where, sums[i].blocks,
			       sums[i].bytes);
	}
	free(sums);
	spaces_free(spaces);
	symbols_free(symbols);
	recording_close(recording);
	return 0;
}
