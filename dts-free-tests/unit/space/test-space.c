// SPDX-License-Identifier: GPL-2.0-only
/*
 * Address spaces against brute force: a model that keeps a few thousand units
 * of memory one by one. Then compiled programs, laid out as a loader would.
 */
#include <elf.h>
#include <fcntl.h>

#include "space/space-inside.h"

#include "fixture.h"
#include "draw.h"
#include "tap.h"

/* --- ordered ranges --- */

#define CELLS	8192

struct cells {
	uint32_t cell[CELLS];	/* the range that a cell is in, 0 = none */
	int64_t gone;		/* cells taken away, weighted with their range */
	int64_t pieces;
};

static uint32_t range_end(const struct cells *cells, uint32_t at)
{
	uint32_t end = at;

	while (end < CELLS && cells->cell[end] == cells->cell[at])
		end++;
	return end;
}

static uint32_t range_start(const struct cells *cells, uint32_t at)
{
	while (at && cells->cell[at - 1] == cells->cell[at])
		at--;
	return at;
}

static void note_gone(void *context, const struct range *part, int pieces)
{
	struct cells *cells = context;

	cells->gone += (int64_t)(part->end - part->start) * part->value;
	cells->pieces += pieces;
}

static bool same_ranges(const struct ranges *ranges, const struct cells *cells)
{
	struct range range;
	bool found;

	for (uint32_t at = 0; at < CELLS; at += 1 + draw(3)) {
		found = ranges_find(ranges, at, &range);
		if (found != (cells->cell[at] != 0) || (found && range.value != cells->cell[at]) ||
		    (range.start != range_start(cells, at)) ||
		    (range.end != range_end(cells, at) &&
		     !(range.end == UINT64_MAX && range_end(cells, at) == CELLS)))
			return false;
	}
	return true;
}

/* One random change to both; false if what was told of it is wrong. */
static bool change(struct ranges *ranges, struct cells *cells, uint32_t value, uint32_t longest)
{
	uint32_t start = draw(CELLS - longest), end = start + 1 + draw(longest), first, last;
	int64_t gone = 0, count = ranges->count;
	int action = draw(4);
	struct range taken;

	cells->gone = cells->pieces = 0;
	if (action == 0) {
		bool found = ranges_take(ranges, start, &taken);

		if (found != (cells->cell[start] && range_start(cells, start) == start))
			return false;
		for (uint32_t at = start; found && at < taken.end; at++)
			cells->cell[at] = 0;
		return true;
	}
	first = action == 1 || !cells->cell[start] ? start : range_start(cells, start);
	last = action == 1 || !cells->cell[end - 1] ? end : range_end(cells, end - 1);
	for (uint32_t at = first; at < last; at++) {
		gone += cells->cell[at];
		cells->cell[at] = 0;
	}
	if (action == 1) {
		ranges_cut(ranges, start, end, note_gone, cells);
		return cells->gone == gone && (int64_t)ranges->count == count + cells->pieces;
	}
	for (uint32_t at = start; at < end; at++)
		cells->cell[at] = value;
	ranges_put(ranges, (struct range) { start, end, value }, note_gone, cells);
	return cells->gone == gone && (int64_t)ranges->count == count + cells->pieces + 1;
}

static void check_ranges(uint32_t longest)
{
	struct ranges ranges = { 0 }, copy = { 0 };
	static struct cells cells;
	size_t most = 0;
	bool good = true;

	memset(&cells, 0, sizeof(cells));
	for (uint32_t round = 1; round <= 60000 && good; round++) {
		good = change(&ranges, &cells, round, longest);
		most = ranges.count > most ? ranges.count : most;
		if (round % 3000)
			continue;
		ranges_drop(&copy);
		ranges_copy(&copy, &ranges);
		good = good && same_ranges(&ranges, &cells) && same_ranges(&copy, &cells);
		/* Now and then everything goes, so that nodes empty and merge. */
		if (round % 12000 == 0) {
			for (uint32_t at = 0; at < CELLS; at += 64) {
				ranges_cut(&ranges, at, at + 60, NULL, NULL);
				memset(&cells.cell[at], 0, 60 * sizeof(cells.cell[0]));
			}
			good = good && same_ranges(&ranges, &cells);
		}
	}
	ok(good, "ranges up to %u long as cell by cell (%zu at most)", longest, most);
	for (int i = 0; i < 3000; i++)
		change(&ranges, &cells, i + 1, longest);
	ranges_drop(&copy);
	ranges_copy(&copy, &ranges);
	ranges_cut(&ranges, 0, UINT64_MAX, NULL, NULL);
	ok(!ranges.count && !ranges.branches, "all cut away, nothing is kept");
	ok(copy.count && same_ranges(&copy, &cells), "a copy lives on its own");
	ranges_drop(&ranges);
	ranges_drop(&copy);
}

/* What empties the first nodes of a tree, and fills them again below what they held. */
static void check_refilled(void)
{
	struct ranges ranges = { 0 };
	static struct cells cells;
	bool good = true;

	memset(&cells, 0, sizeof(cells));
	for (uint32_t round = 1; round <= 300 && good; round++) {
		uint32_t size = 1 + draw(CELLS / 4);
		uint32_t first = draw(2) ? draw(CELLS - size) : 0;

		ranges_cut(&ranges, first, first + size, NULL, NULL);
		memset(&cells.cell[first], 0, size * sizeof(cells.cell[0]));
		for (uint32_t i = 0; i < 2 * size; i++) {
			uint32_t at = first + draw(size), value = round * 10 + at % 10 + 1;

			if (cells.cell[at])
				continue;
			ranges_put(&ranges, (struct range) { at, at + 1, value }, NULL, NULL);
			cells.cell[at] = value;
		}
		good = same_ranges(&ranges, &cells);
	}
	ok(good, "what is emptied and filled again is as cell by cell (%zu ranges)", ranges.count);
	ranges_drop(&ranges);
}

/* --- copies that share --- */

#define TREES	4
#define VALUES	20001

static int64_t holds[VALUES];

static void count_hold(void *context, uint32_t value, int more)
{
	int64_t *counts = context;

	counts[value] += more;
}

static void give_up(void *context, const struct range *part, int pieces)
{
	holds[part->value] += pieces;
}

static bool none_held(void)
{
	for (uint32_t i = 0; i < VALUES; i++)
		if (holds[i])
			return false;
	return true;
}

static void change_held(struct ranges *ranges, struct cells *cells, uint32_t value)
{
	uint32_t start = draw(CELLS - 40), end = start + 1 + draw(value % 4 ? 8 : 40);

	ranges_cut(ranges, start, end, give_up, NULL);
	memset(&cells->cell[start], 0, (end - start) * sizeof(cells->cell[0]));
	if (value % 4 == 0)
		return;
	holds[value]++;
	ranges_put(ranges, (struct range) { start, end, value }, give_up, NULL);
	for (uint32_t at = start; at < end; at++)
		cells->cell[at] = value;
}

static void check_copies(void)
{
	static struct cells cells[TREES];
	struct ranges trees[TREES] = { 0 };
	bool good = true;

	for (int i = 0; i < TREES; i++) {
		memset(&cells[i], 0, sizeof(cells[i]));
		trees[i].hold = count_hold;
		trees[i].context = holds;
	}
	for (uint32_t round = 1; round < VALUES && good; round++) {
		int i = draw(TREES), from = draw(TREES);

		change_held(&trees[i], &cells[i], round);
		if (round % 50 == 0 && i != from) {
			ranges_drop(&trees[i]);
			ranges_copy(&trees[i], &trees[from]);
			cells[i] = cells[from];
		}
		for (int k = 0; round % 500 == 0 && k < TREES; k++)
			good = good && same_ranges(&trees[k], &cells[k]);
	}
	ok(good, "%d trees that share nodes are as %d apart (%zu ranges)", TREES, TREES,
	   trees[0].count);
	for (int i = 0; i < TREES; i++)
		ranges_drop(&trees[i]);
	ok(none_held(), "... and hold nothing in the end");
}

static void check_totals(void)
{
	enum { NUMBERS = 5000 };
	static uint64_t sums[TREES][NUMBERS];
	struct totals totals[TREES] = { 0 };
	uint32_t scattered = 1;
	bool good = true;

	for (uint32_t round = 1; round <= 50000; round++) {
		int i = draw(TREES), from = draw(TREES);
		uint32_t at = draw(NUMBERS);

		*totals_at(&totals[i], at) += round;
		sums[i][at] += round;
		if (round % 100 || i == from)
			continue;
		totals_drop(&totals[i]);
		totals_copy(&totals[i], &totals[from]);
		memcpy(sums[i], sums[from], sizeof(sums[i]));
	}
	for (int i = 0; i < TREES; i++)
		for (uint32_t at = 0; at < NUMBERS; at++)
			good = good && *totals_at(&totals[i], at) == sums[i][at];
	for (; scattered; scattered <<= 1)
		*totals_at(&totals[0], scattered | 0x4000) = scattered;
	for (scattered = 1 << 15; scattered; scattered <<= 1)
		good = good && *totals_at(&totals[0], scattered | 0x4000) == scattered;
	ok(good && *totals_at(&totals[1], UINT32_MAX) == 0, "sums that are shared are as apart");
	for (int i = 0; i < TREES; i++)
		totals_drop(&totals[i]);
}

/* --- records --- */

static struct symbols *symbols;
static struct spaces *spaces;

static void replay(void *record, size_t size, uint16_t type, uint32_t process)
{
	struct ccs_record *header = record;

	header->size = (size + 7) & ~7u;
	header->type = type;
	header->process = process;
	spaces_replay(spaces, header);
}

static void send_process(uint32_t process, uint32_t parent, uint32_t cause, const char *path)
{
	struct { struct ccs_process head; char path[256]; } record = { 0 };

	record.head.parent = parent;
	record.head.cause = cause;
	record.head.path_size = strlen(path);
	memcpy(record.path, path, strlen(path));
	replay(&record, sizeof(record.head) + strlen(path), CCS_PROCESS, process);
}

static void send_map(uint32_t process, uint64_t start, uint64_t end, uint64_t offset,
		     uint32_t protection, const char *path)
{
	struct { struct ccs_map head; char path[256]; } record = { 0 };

	record.head.start = start;
	record.head.end = end;
	record.head.offset = offset;
	record.head.protection = protection;
	record.head.path_size = strlen(path);
	memcpy(record.path, path, strlen(path));
	replay(&record, sizeof(record.head) + strlen(path), CCS_MAP, process);
}

static void send_unmap(uint32_t process, uint64_t start, uint64_t end)
{
	struct ccs_unmap record = { .start = start, .end = end };

	replay(&record, sizeof(record), CCS_UNMAP, process);
}

static void send_thread(uint32_t process, uint64_t low, uint64_t high)
{
	struct ccs_thread record = { .stack_low = low, .stack_high = high };

	replay(&record, sizeof(record), CCS_THREAD, process);
}

static void send_stack(uint32_t process, uint32_t id, const uint64_t *frames, uint32_t depth)
{
	struct { struct ccs_stack head; uint64_t frames[128]; } record = { 0 };

	record.head.id = id;
	record.head.depth = depth;
	memcpy(record.frames, frames, depth * sizeof(*frames));
	replay(&record, sizeof(record.head) + depth * sizeof(*frames), CCS_STACK, process);
}

static void send_alloc(uint32_t process, uint64_t address, uint64_t size, uint32_t stack,
		       uint32_t kind)
{
	struct ccs_alloc record = {
		.address = address, .size = size, .stack = stack, .kind = kind,
	};

	replay(&record, sizeof(record), CCS_ALLOC, process);
}

static void send_free(uint32_t process, uint64_t address)
{
	struct ccs_free record = { .address = address };

	replay(&record, sizeof(record), CCS_FREE, process);
}

static void send_exit(uint32_t process)
{
	struct ccs_exit record = { 0 };

	replay(&record, sizeof(record), CCS_EXIT, process);
}

/* --- spaces against a model --- */

#define UNITS	1500
#define IMAGES	4
#define SITES	6
#define BASE	0x10000000ull
#define CODE	0x700000000000ull

static const char *const paths[] = { "", "[heap]", "[stack]", "/none/one", "/none/two" };
static const char *const shown[] = { "[anonymous]", "[heap]", "[stack]", "one", "two" };

struct image {
	uint8_t map[UNITS];		/* index in @paths + 1 */
	uint8_t thread[UNITS];
	uint32_t heap[UNITS];		/* number of the block * SITES + its site; 0 = none */
	uint32_t block[UNITS];
	uint64_t alive[2][SITES];	/* units */
};

static struct image images[IMAGES];
static uint64_t largest[2][SITES], blocks[2][SITES], unit;
static uint32_t block_count;

static void begin_image(uint32_t image)
{
	uint64_t frames[2] = { 0x10 };

	memset(&images[image], 0, sizeof(images[image]));
	send_map(image + 1, CODE, CODE + 0x1000, 0, CCS_MAP_READ | CCS_MAP_EXEC, "/none/prog");
	for (uint32_t site = 1; site < SITES; site++) {
		frames[1] = CODE + 16 * site;
		send_stack(image + 1, site, frames, 2);
	}
}

static void clear_blocks(struct image *image, int kind, uint32_t first, uint32_t last)
{
	uint32_t *of = kind ? image->block : image->heap;

	for (uint32_t at = first; at < last; at++) {
		if (of[at])
			image->alive[kind][of[at] % SITES]--;
		of[at] = 0;
	}
}

static uint32_t run_start(const uint32_t *of, uint32_t at)
{
	while (of[at] && at && of[at - 1] == of[at])
		at--;
	return at;
}

static uint32_t run_end(const uint32_t *of, uint32_t at)
{
	uint32_t end = at + 1;

	while (of[at] && end < UNITS && of[end] == of[at])
		end++;
	return end;
}

static void model_alloc(uint32_t number_of, int kind, uint32_t start, uint32_t end, uint32_t site)
{
	struct image *image = &images[number_of];
	uint32_t *of = kind ? image->block : image->heap;

	send_alloc(number_of + 1, BASE + start * unit, (end - start) * unit, site ? site : 999,
		   kind);
	/* A mapping cuts what was there; a block does away with all of it. */
	if (kind) {
		clear_blocks(image, 0, start, end);
		clear_blocks(image, 1, start, end);
	} else {
		clear_blocks(image, 0, run_start(of, start), run_end(of, end - 1));
		clear_blocks(image, 0, start, end);
	}
	block_count++;
	for (uint32_t at = start; at < end; at++)
		of[at] = block_count * SITES + site;
	image->alive[kind][site] += end - start;
	blocks[kind][site]++;
	if (image->alive[kind][site] > largest[kind][site])
		largest[kind][site] = image->alive[kind][site];
}

static void model_free(uint32_t number_of, uint32_t start)
{
	struct image *image = &images[number_of];

	send_free(number_of + 1, BASE + start * unit);
	if (image->heap[start] && run_start(image->heap, start) == start)
		clear_blocks(image, 0, start, run_end(image->heap, start));
	else if (image->block[start] && run_start(image->block, start) == start)
		clear_blocks(image, 1, start, run_end(image->block, start));
}

static void model_map(uint32_t number_of, uint32_t start, uint32_t end)
{
	struct image *image = &images[number_of];
	uint32_t path = draw(5);

	send_map(number_of + 1, BASE + start * unit, BASE + end * unit, 4096 * draw(100),
		 draw(8) | CCS_MAP_EXEC, paths[path]);
	memset(&image->map[start], path + 1, end - start);
	if (path != 2)
		memset(&image->thread[start], 0, end - start);
}

static void model_unmap(uint32_t number_of, uint32_t start, uint32_t end)
{
	struct image *image = &images[number_of];

	send_unmap(number_of + 1, BASE + start * unit, BASE + end * unit);
	memset(&image->map[start], 0, end - start);
	memset(&image->thread[start], 0, end - start);
	clear_blocks(image, 0, start, end);
	clear_blocks(image, 1, start, end);
}

static uint8_t thread_count;

/* A new stack does away with old ones that it overlaps. */
static void model_thread(uint32_t number_of, uint32_t start, uint32_t end)
{
	uint8_t *of = images[number_of].thread;
	uint32_t first = start, last = end;

	send_thread(number_of + 1, BASE + start * unit, BASE + end * unit);
	while (of[first] && first && of[first - 1] == of[first])
		first--;
	while (of[end - 1] && last < UNITS && of[last] == of[end - 1])
		last++;
	memset(&of[first], 0, last - first);
	thread_count = thread_count % 250 + 1;
	memset(&of[start], thread_count, end - start);
}

static void model_process(uint32_t number_of)
{
	uint32_t parent = draw(IMAGES);

	switch (draw(3)) {
	case 0:
		send_process(number_of + 1, parent + 1, CCS_PROCESS_EXEC, "");
		begin_image(number_of);
		break;
	case 1:
		send_process(number_of + 1, parent + 1, CCS_PROCESS_FORK, "");
		if (parent == number_of)	/* nobody is his own parent */
			begin_image(number_of);
		else
			images[number_of] = images[parent];
		break;
	case 2:
		send_exit(number_of + 1);
		begin_image(number_of);
		break;
	}
}

static void model_step(void)
{
	uint32_t number_of = draw(IMAGES), longest = draw(8) ? 12 : 300;
	uint32_t start = draw(UNITS - longest), end = start + 1 + draw(longest);

	switch (draw(400) ? draw(9) : 9) {
	case 0:
		model_map(number_of, start, end);
		break;
	case 1:
		model_unmap(number_of, start, end);
		break;
	case 2:
		model_thread(number_of, start, end);
		break;
	case 3:
		model_alloc(number_of, CCS_ALLOC_MAPPING, start, end, draw(SITES));
		break;
	case 9:
		model_process(number_of);
		break;
	default:
		if (draw(2))
			model_alloc(number_of, CCS_ALLOC_HEAP, start, end, draw(SITES));
		else
			model_free(number_of, start);
	}
}

static void site_name(char *name, char *where, int kind, uint32_t site)
{
	if (site) {
		sprintf(name, "%s of prog", kind ? "mapping" : "block");
		sprintf(where, "prog+0x%x", 16 * site);
	} else {
		strcpy(name, kind ? "[mapping]" : "[block]");
	}
}

static bool right_object(uint32_t number_of, uint32_t at)
{
	const struct image *image = &images[number_of];
	const struct object *object;
	enum object_kind kind = OBJECT_MAPPING;
	char name[32], where[32] = "";

	if (image->heap[at]) {
		kind = OBJECT_HEAP;
		site_name(name, where, 0, image->heap[at] % SITES);
	} else if (image->thread[at]) {
		kind = OBJECT_STACK;
		strcpy(name, "[stack]");
	} else if (image->block[at]) {
		site_name(name, where, 1, image->block[at] % SITES);
	} else if (image->map[at]) {
		kind = image->map[at] == 3 ? OBJECT_STACK : OBJECT_MAPPING;
		strcpy(name, shown[image->map[at] - 1]);
	} else {
		strcpy(name, "[unknown]");
	}
	object = space_object(spaces_get(spaces, number_of + 1), BASE + at * unit + draw(unit));
	if (object->kind == kind && !strcmp(object->name, name) && !strcmp(object->where, where))
		return true;
	printf("# image %u, unit %u: %s %s at %s, should be %s %s at %s\n", number_of + 1, at,
	       object_kind_name(object->kind), object->name, object->where,
	       object_kind_name(kind), name, where);
	return false;
}

static bool right_code(uint32_t number_of, uint32_t at)
{
	uint8_t map = images[number_of].map[at];
	uint64_t address = BASE + at * unit + draw(unit);
	struct code code = space_code(spaces_get(spaces, number_of + 1), address);

	if (map < 4)
		return !code.module && code.address == address && code.anonymous == (map > 0);
	return code.module && !strcmp(module_path(code.module), paths[map - 1]);
}

static const struct object *object_at(enum object_kind kind, const char *name,
				      const char *where)
{
	for (uint32_t id = 1; id <= spaces->objects.count; id++) {
		const struct object *object = spaces_object(spaces, id);

		if (object->id == id && object->kind == kind && !strcmp(object->name, name) &&
		    !strcmp(object->where, where))
			return object;
	}
	return NULL;
}

static void check_model(uint64_t size)
{
	bool objects = true, code = true, sums = true;
	uint64_t begun = state;

	unit = size;
	memset(largest, 0, sizeof(largest));
	memset(blocks, 0, sizeof(blocks));
	spaces = spaces_new(symbols);
	for (uint32_t image = 0; image < IMAGES; image++)
		begin_image(image);
	for (int round = 0; round < 40000 && objects && code; round++) {
		model_step();
		/* The same few again and again, so that old answers would show. */
		for (int i = 0; i < 12; i++) {
			uint32_t at = draw(4) ? draw(40) * 37 : draw(UNITS);

			objects = objects && right_object(draw(IMAGES), at);
			code = code && right_code(draw(IMAGES), at);
		}
	}
	for (int kind = 0; kind < 2; kind++) {
		for (uint32_t site = 0; site < SITES; site++) {
			const struct object *object;
			char name[32], where[32] = "";

			site_name(name, where, kind, site);
			object = object_at(kind ? OBJECT_MAPPING : OBJECT_HEAP, name, where);
			sums = sums && object && object->blocks == blocks[kind][site] &&
			       object->bytes == largest[kind][site] * unit;
		}
	}
	ok(objects, "objects as unit by unit, %llu bytes each (seed %llu)",
	   (unsigned long long)unit, (unsigned long long)begun);
	ok(code, "code as unit by unit");
	ok(sums, "blocks and largest sums of bytes");
	spaces_free(spaces);
}

/* Versions: every change of what code means shows; data alone does not. */
static void check_versions(void)
{
	struct space *space;
	uint64_t version;

	spaces = spaces_new(symbols);
	space = spaces_get(spaces, 1);
	send_map(1, CODE, CODE + 0x1000, 0, CCS_MAP_EXEC, "/none/prog");
	version = space_code_version(space);
	send_map(1, BASE, BASE + 0x1000, 0, CCS_MAP_WRITE, "");
	send_alloc(1, BASE, 16, 0, CCS_ALLOC_HEAP);
	send_unmap(1, BASE, BASE + 0x1000);
	ok(space_code_version(space) == version, "data leave the code's version");
	send_map(1, BASE, BASE + 0x1000, 0, CCS_MAP_EXEC, "");
	ok(space_code_version(space) > version, "new code changes it");
	version = space_code_version(space);
	send_unmap(1, CODE + 0x800, CODE + 0x801);
	ok(space_code_version(space) > version, "code that goes changes it");
	version = space_code_version(space);
	send_map(1, CODE - 0x1000, CODE + 0x2000, 0, CCS_MAP_WRITE, "");
	ok(space_code_version(space) > version, "data over code change it");
	version = space_code_version(space);
	send_exit(1);
	ok(space_code_version(spaces_get(spaces, 1)) > version, "and so does the end");
	spaces_free(spaces);
}

static uint64_t odd_number(void)
{
	static const uint64_t odd[] = {
		0, 1, 2, 4095, 4096, ~0ull, ~0ull - 1, 1ull << 63, CODE, BASE,
	};

	return odd[draw(10)] + (draw(2) ? draw(3) : 0);
}

/* What a hostile file may say, as far as its reader lets it pass. */
static void check_hostile(void)
{
	static const char *const names[] = {
		"", "[", "/", "[stack", "[stack]", "x", "//", "/tmp", "[vdso]",
	};
	uint64_t frames[100], begun = state;

	spaces = spaces_new(symbols);
	for (int round = 0; round < 100000; round++) {
		uint32_t process = draw(5);

		for (int i = 0; i < 100; i++)
			frames[i] = i < 5 ? odd_number() : 0;
		switch (draw(9)) {
		case 0:
			send_process(process, draw(5), draw(4), names[draw(9)]);
			break;
		case 1:
			send_map(process, odd_number(), odd_number(), odd_number(), draw(16),
				 names[draw(9)]);
			break;
		case 2:
			send_unmap(process, odd_number(), odd_number());
			break;
		case 3:
			send_thread(process, odd_number(), odd_number());
			break;
		case 4:
			send_stack(process, draw(4), frames, draw(100));
			break;
		case 5:
			send_alloc(process, odd_number(), odd_number(), draw(5), draw(4));
			break;
		case 6:
			send_free(process, odd_number());
			break;
		default:
			if (!draw(50))
				send_exit(process);
		}
		if (!space_object(spaces_get(spaces, process), odd_number()))
			break;
		space_code(spaces_get(spaces, process), odd_number());
		if (round == 99999)
			ok(true, "absurd records (seed %llu)", (unsigned long long)begun);
	}
	spaces_free(spaces);
}

/* --- programs as a loader lays them out --- */

#define LOAD	0x555555554000ull
#define PAGE	0xfffull

static const char data_source[] =
	"double big[1 << 16];\n"
	"int small = 3;\n"
	"static char inside[3000] = \"x\"; /* INSIDE */\n"
	"const int fixed[100] = { 1 };\n"
	"char **const relocated[600] = { (char **)big, 0 };\n"
	"int main(int argc, char **argv)\n"
	"{\n"
	"	static long counts[50];\n"
	"	counts[argc] += inside[argc] + small + fixed[argc] + big[argc];\n"
	"	counts[1] += relocated[argc] != 0;\n"
	"	return counts[1];\n"
	"}\n";

/* Sends the mappings of a loaded file; returns where its .bss ends. */
static uint64_t load(const char *name, uint64_t bias)
{
	int fd = open(fixture_path(name), O_RDONLY);
	uint64_t start, file_end, end = 0;
	Elf64_Ehdr header;
	Elf64_Phdr phdr;

	if (fd < 0 || pread(fd, &header, sizeof(header), 0) != sizeof(header))
		abort();
	for (int i = 0; i < header.e_phnum; i++) {
		if (pread(fd, &phdr, sizeof(phdr), header.e_phoff + i * sizeof(phdr)) < 0)
			abort();
		start = phdr.p_vaddr & ~PAGE;
		if (phdr.p_type == PT_LOAD) {
			file_end = (phdr.p_vaddr + phdr.p_filesz + PAGE) & ~PAGE;
			end = (phdr.p_vaddr + phdr.p_memsz + PAGE) & ~PAGE;
			send_map(1, start + bias, file_end + bias, phdr.p_offset & ~PAGE,
				 (phdr.p_flags & PF_R ? CCS_MAP_READ : 0) |
				 (phdr.p_flags & PF_W ? CCS_MAP_WRITE : 0) |
				 (phdr.p_flags & PF_X ? CCS_MAP_EXEC : 0), fixture_path(name));
			if (end > file_end)
				send_map(1, file_end + bias, end + bias, 0,
					 CCS_MAP_READ | CCS_MAP_WRITE, "");
		}
		/* Made read-only after relocation: a mapping of its own. */
		if (phdr.p_type == PT_GNU_RELRO)
			send_map(1, start + bias, ((phdr.p_vaddr + phdr.p_memsz) & ~PAGE) + bias,
				 phdr.p_offset & ~PAGE, CCS_MAP_READ, fixture_path(name));
	}
	close(fd);
	return end + bias;
}

static bool all_bytes(uint64_t address, uint64_t size, enum object_kind kind, const char *name)
{
	struct space *space = spaces_get(spaces, 1);

	for (uint64_t at = address; at < address + size; at += size > 5000 ? 61 : 1) {
		const struct object *object = space_object(space, at);

		if (object->kind != kind || strcmp(object->name, name)) {
			printf("# %llx: %s\n", (unsigned long long)at, object->name);
			return false;
		}
	}
	return true;
}

static void check_program(const char *flags, uint64_t bias)
{
	static const char *const names[] = { "big", "small", "inside", "fixed", "relocated" };
	const struct object *object;
	uint64_t address, size, end;
	struct code code;

	spaces = spaces_new(symbols);
	if (!fixture_run("gcc -g %s -o data data.c && cp data bare && strip bare", flags)) {
		ok(false, "compiles");
		return;
	}
	symbols_free(symbols);
	symbols = symbols_new();
	spaces_free(spaces);
	spaces = spaces_new(symbols);
	send_process(1, 0, CCS_PROCESS_START, fixture_path("data"));
	end = load("data", bias);
	send_map(1, end, end + 0x21000, 0, CCS_MAP_READ | CCS_MAP_WRITE, "[heap]");
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		ok(fixture_symbol("data", names[i], &address, &size) &&
		   all_bytes(address + bias, size, OBJECT_GLOBAL, names[i]),
		   "%s: all bytes of %s", flags, names[i]);
	object = object_at(OBJECT_GLOBAL, "inside", "data.c:3");
	ok(object && object->bytes == 3000,
	   "%s: inside has 3000 bytes, declared at data.c:3", flags);
	ok(all_bytes(end, 0x21000, OBJECT_MAPPING, "[heap]"),
	   "%s: the heap begins at its end", flags);
	fixture_symbol("data", "main", &address, &size);
	code = space_code(spaces_get(spaces, 1), address + bias + 5);
	ok(code.module && code.address == address + 5, "%s: code of main", flags);
	/* Without symbols: still the module's. */
	send_process(1, 0, CCS_PROCESS_EXEC, fixture_path("bare"));
	load("bare", bias);
	fixture_symbol("data", "big", &address, &size);
	ok(all_bytes(address + bias, size, OBJECT_GLOBAL, "bare data"),
	   "%s, stripped: its data", flags);
	/* Read as a file, as linkers do: no variables, no .bss behind it. */
	send_process(1, 0, CCS_PROCESS_EXEC, "");
	send_map(1, LOAD, LOAD + 0x8000, 0, CCS_MAP_READ, fixture_path("data"));
	send_map(1, LOAD + 0x8000, LOAD + 0x100000, 0, CCS_MAP_READ | CCS_MAP_WRITE, "");
	ok(all_bytes(LOAD + 0x8000, 0x80000, OBJECT_MAPPING, "[anonymous]"),
	   "%s, mapped as a file: what follows is none of its data", flags);
	spaces_free(spaces);
}

/* --- names of allocations --- */

static const char sites_source[] =
	"#include <stdlib.h>\n"
	"void *volatile kept;\n"
	"struct node { double *cells; };\n"
	"__attribute__((noipa)) void *xmalloc(size_t n)\n"
	"{\n"
	"	void *p = malloc(n); if (!p) abort(); return p; /* WRAPPER */\n"
	"}\n"
	"__attribute__((noipa)) void make_grid(struct node *node, int n)\n"
	"{\n"
	"	double *grid = malloc(n); /* GRID */\n"
	"	kept = grid;\n"
	"	keep(malloc(n + 1)); /* PLAIN */\n"
	"	node->cells = xmalloc(n); /* CELLS */\n"
	"	keep(xmalloc(n)); /* KEEP */\n"
	"	double **rows = xmalloc(n); /* ROWS */\n"
	"	kept = (double *)rows;\n"
	"}\n";
static const char cxx_source[] =
	"#include <vector>\n"
	"void *volatile kept;\n"
	"__attribute__((noipa)) void fill(int n)\n"
	"{\n"
	"	std::vector<double> numbers(n); /* NUMBERS */\n"
	"	kept = &numbers;\n"
	"	double *cells = new double[n]; /* NEW */\n"
	"	kept = cells;\n"
	"}\n"
	"int main(int argc, char **argv) { fill(argc); }\n";

#define LIBRARY	0x7f0000000000ull

static struct module *module_of(const char *name)
{
	return symbols_module(symbols, fixture_path(name), NULL, 0);
}

/* An instruction of a function that stands on a line, directly or inlined there. */
static uint64_t address_on(const char *name, const char *symbol, uint32_t line, bool inlined)
{
	struct location chain[16];
	uint64_t address, size;

	if (!fixture_symbol(name, symbol, &address, &size))
		return 0;
	for (uint64_t at = address; at < address + size; at++) {
		size_t count = module_inlines(module_of(name), at, chain, 16);

		if (count && (count > 1) == inlined && chain[count - 1].line == line)
			return at;
	}
	return 0;
}

static const struct object *allocated(const uint64_t *frames, uint32_t depth, uint32_t kind)
{
	static uint32_t id;
	static uint64_t at = BASE;

	at += 0x1000;
	send_stack(1, ++id, frames, depth);
	send_alloc(1, at, 100, id, kind);
	return space_object(spaces_get(spaces, 1), at + 50);
}

static void check_name(const struct object *object, const char *name, const char *where)
{
	ok(!strcmp(object->name, name) && !strcmp(object->where, where), "'%s', '%s' (%s, %s)",
	   name, where, object->name, object->where);
}

static void check_sites(void)
{
	uint32_t grid = fixture_line(sites_source, "GRID");
	uint32_t plain = fixture_line(sites_source, "PLAIN");
	uint32_t cells = fixture_line(sites_source, "CELLS");
	uint32_t keep = fixture_line(sites_source, "KEEP");
	uint32_t rows = fixture_line(sites_source, "ROWS");
	uint32_t inner = fixture_line(sites_source, "WRAPPER");
	uint64_t frames[4] = { LIBRARY + 0x100 };
	const struct object *first;
	char name[128], where[64];

	frames[1] = address_on("sites", "make_grid", grid, false) + LOAD;
	sprintf(where, "sites.c:%u", grid);
	check_name(allocated(frames, 2, CCS_ALLOC_HEAP), "grid", where);
	first = allocated(frames, 2, CCS_ALLOC_HEAP);
	frames[2] = 0x1234;
	ok(allocated(frames, 3, CCS_ALLOC_HEAP) == first && first->blocks == 3 &&
	   first->bytes == 300, "one line by two ways is one object of three blocks");
	ok(allocated(frames, 2, CCS_ALLOC_MAPPING)->kind == OBJECT_MAPPING,
	   "mapped there: another");
	frames[1] = address_on("sites", "make_grid", plain, false) + LOAD;
	sprintf(where, "sites.c:%u", plain);
	check_name(allocated(frames, 2, CCS_ALLOC_HEAP), "block of make_grid", where);
	check_name(allocated(frames, 2, CCS_ALLOC_MAPPING), "mapping of make_grid", where);
	frames[1] = address_on("sites", "xmalloc", inner, false) + LOAD;
	frames[2] = address_on("sites", "make_grid", cells, false) + LOAD;
	sprintf(where, "sites.c:%u", cells);
	check_name(allocated(frames, 3, CCS_ALLOC_HEAP), "cells", where);
	frames[2] = address_on("sites", "make_grid", keep, false) + LOAD;
	sprintf(where, "sites.c:%u", keep);
	check_name(allocated(frames, 3, CCS_ALLOC_HEAP), "block of make_grid", where);
	sprintf(name, "xmalloc sites.c:%u < make_grid %s", inner, where);
	ok(!strcmp(allocated(frames, 3, CCS_ALLOC_HEAP)->chain, name), "by way of %s", name);
	frames[2] = address_on("sites", "make_grid", rows, false) + LOAD;
	ok(first->element == sizeof(double) &&
	   allocated(frames, 3, CCS_ALLOC_HEAP)->element == 0,
	   "elements of doubles; of pointers not, as the rows may be allocated there, too");
	sprintf(where, "sites.c:%u", inner);
	check_name(allocated(frames, 2, CCS_ALLOC_HEAP), "p", where);
	check_name(allocated(frames, 1, CCS_ALLOC_HEAP), "[block] of libc.so.6", "");
	check_name(allocated(frames, 0, CCS_ALLOC_HEAP), "[block]", "");
}

static void check_sites_without_lines(void)
{
	uint64_t frames[2] = { LIBRARY + 0x100 }, address, size;

	fixture_symbol("plain", "make_grid", &address, &size);
	load("plain", LOAD + 0x10000000);
	frames[1] = LOAD + 0x10000000 + address + 12;
	check_name(allocated(frames, 2, CCS_ALLOC_HEAP), "block of make_grid", "make_grid+0xc");
}

static void check_cxx_sites(const char *name, bool inlined)
{
	uint64_t frames[3] = { LIBRARY + 0x100, LIBRARY + 0x10100 };
	char where[64];
	uint32_t numbers = fixture_line(cxx_source, "NUMBERS");
	uint32_t cells = fixture_line(cxx_source, "NEW");

	load(name, LOAD);
	frames[2] = address_on(name, "_Z4filli", numbers, inlined) + LOAD;
	sprintf(where, "fill.cc:%u", numbers);
	check_name(allocated(frames, 3, CCS_ALLOC_HEAP), "numbers", where);
	frames[2] = address_on(name, "_Z4filli", cells, false) + LOAD;
	sprintf(where, "fill.cc:%u", cells);
	check_name(allocated(frames, 3, CCS_ALLOC_HEAP), "cells", where);
}

static void check_names(void)
{
	fixture_write("sites.c", sites_source);
	fixture_write("fill.cc", cxx_source);
	spaces = spaces_new(symbols);
	send_process(1, 0, CCS_PROCESS_START, "/none/prog");
	send_map(1, LIBRARY, LIBRARY + 0x10000, 0, CCS_MAP_EXEC, "/none/libc.so.6");
	send_map(1, LIBRARY + 0x10000, LIBRARY + 0x20000, 0, CCS_MAP_EXEC, "/none/libstdc++.so.6");
	if (fixture_run("gcc -O2 -g -w -shared -fPIC -o sites sites.c && "
			"gcc -O2 -w -shared -fPIC -o plain sites.c")) {
		load("sites", LOAD);
		check_sites();
		check_sites_without_lines();
	} else {
		ok(false, "sites.c compiles");
	}
	if (fixture_run("g++ -O0 -g -o fill0 fill.cc && g++ -O2 -g -o fill2 fill.cc")) {
		check_cxx_sites("fill0", false);
		check_cxx_sites("fill2", true);
	} else {
		skip("no g++", "C++");
	}
	spaces_free(spaces);
}

int main(void)
{
	state = 20261121;
	printf("# seed %llu\n", (unsigned long long)state);
	fixture_begin();
	check_ranges(2);
	check_ranges(30);
	check_refilled();
	check_ranges(1500);
	check_copies();
	check_totals();
	symbols = symbols_new();
	check_model(1);
	check_model(24);
	check_model(100);
	check_model(4096);
	check_model(100000);
	check_versions();
	check_hostile();
	fixture_write("data.c", data_source);
	check_program("-O1", LOAD);
	check_program("-O1 -Wl,-z,norelro", LOAD);
	check_program("-O1 -no-pie", 0);
	check_program("-O1 -Wl,-z,noseparate-code", LOAD);
	check_names();
	symbols_free(symbols);
	return done();
}
