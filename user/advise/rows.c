// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "advise/rows.h"
#include "program/layout.h"
#include "program/type-text.h"

#define SHORT		256	/* bytes of what may also be the steps of an unrolled loop */
#define SPREAD		0.6	/* ... if its references are not this much in one line of it */
#define UNROLLED	8	/* rows that a loop may step over at once */
#define POSITIONS	64
#define LEAST_ROWS	3	/* of a block */
#define SLACK		64	/* bytes of a block that are of no row, as for its alignment */
#define PAGE		4096u

/*
 * @bytes: of an element. The elements of each dimension but the first are rows, planes, ... A plane
 * that is whole rows longer may still meet few sets, so its rows are made longer, too.
 */
static size_t rows_by_dimensions(const struct keep *keep, const uint64_t *dimensions, size_t count,
				 uint64_t bytes, struct row_length rows[ROWS_MOST],
				 size_t found)
{
	for (size_t i = count - 1; i && found < ROWS_MOST; i--) {
		uint64_t unit = bytes;

		bytes *= dimensions[i];
		if (bytes > keep->geometry.line)
			rows[found++] = (struct row_length){
				.bytes = bytes, .unit = unit, .dimension = i + 1,
				.spans = count - i,
			};
		if (unit > keep->geometry.line && found < ROWS_MOST && count - i > 1 &&
		    dimensions[i] > 1)
			rows[found++] = (struct row_length){
				.bytes = bytes, .unit = unit / dimensions[i + 1], .inner = unit,
				.dimension = i + 1, .spans = count - i,
			};
	}
	return found;
}

/* Of a variable; large elements are rows, too. */
static size_t rows_by_type(const struct keep *keep, const struct object *object,
			   struct row_length rows[ROWS_MOST])
{
	uint64_t dimensions[TYPE_DIMENSIONS], elements = 1, bytes;
	size_t count = type_dimensions(object->type, dimensions), found = 0;

	for (size_t i = 0; i < count; i++) {
		if (dimensions[i] > object->bytes / elements)
			return 0;
		elements *= dimensions[i];
	}
	if (!count || object->bytes % elements)
		return 0;
	bytes = object->bytes / elements;
	if (bytes > keep->geometry.line)
		rows[found++] = (struct row_length){ .bytes = bytes, .unit = 8 };
	return rows_by_dimensions(keep, dimensions, count, bytes, rows, found);
}

/* Of a block that a pointer to arrays points to: "double[][128][64]". */
static size_t rows_by_pointer(const struct keep *keep, const struct object *object,
			      struct row_length rows[ROWS_MOST])
{
	const char *inner = object->type ? strstr(object->type, "[][") : NULL;
	uint64_t dimensions[TYPE_DIMENSIONS + 1] = { 0 }, bytes = object->element, all = bytes;
	size_t count = inner ? type_dimensions(inner + 2, dimensions + 1) : 0;

	for (size_t i = 1; i <= count; i++) {
		if (dimensions[i] > object->block_most / (all ? all : 1))
			return 0;
		all *= dimensions[i];
	}
	return count && bytes && count < ROWS_MOST ?
	       rows_by_dimensions(keep, dimensions, count + 1, bytes, rows, 0) : 0;
}

/* Are the object's references in few lines of each row? Not so if a loop just steps along. */
static bool in_few_lines(const struct keep *keep, const struct object *object, uint64_t row)
{
	uint64_t count[POSITIONS] = { 0 }, all = 0, most = 0;

	for (size_t b = 0; b < keep->burst_count; b++) {
		const struct keep_burst *burst = &keep->bursts[b];

		for (size_t i = 0; i < burst->count; i++) {
			const struct keep_block *block = &keep->blocks[burst->accesses[i].block];
			uint64_t line;

			if (block->object != object)
				continue;
			line = (burst->accesses[i].address - block->low) % row >>
			       keep->geometry.line_bits;
			count[line % POSITIONS]++;
			all++;
		}
	}
	for (size_t i = 0; i < POSITIONS; i++)
		most = count[i] > most ? count[i] : most;
	return most > SPREAD * all;
}

static uint64_t largest_block(const struct keep *keep, const struct object *object)
{
	uint64_t most = 0;

	for (size_t i = 1; i < keep->block_count; i++)
		if (keep->blocks[i].object == object &&
		    keep->blocks[i].high - keep->blocks[i].low > most)
			most = keep->blocks[i].high - keep->blocks[i].low;
	return most;
}

/* Is it several of another's rows? */
static bool is_multiple(const struct stride_row *rows, size_t count, uint64_t bytes)
{
	for (size_t i = 0; i < count; i++)
		if (rows[i].bytes < bytes && !(bytes % rows[i].bytes) &&
		    bytes / rows[i].bytes <= UNROLLED)
			return true;
	return false;
}

static int by_weight(const void *a, const void *b)
{
	const struct stride_row *x = a, *y = b;

	if (x->weight != y->weight)
		return x->weight < y->weight ? 1 : -1;
	return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

/* Does the block hold whole rows of it, and not by chance, as of many powers of two? */
static bool is_part(uint64_t block, uint64_t bytes)
{
	return bytes > SHORT && !(block % bytes) && (bytes & (bytes - 1));
}

/*
 * A block holds whole rows, and little else; a mapping of whole pages, up to a page. What most
 * references lie apart is no step from one part of a loop to the next: it may be of a pool.
 */
static bool may_be_row(const struct keep *keep, const struct object *object, uint64_t block,
		       const struct stride_row *row)
{
	uint64_t slack = object->kind == OBJECT_MAPPING ? PAGE : SLACK, bytes = row->bytes;

	/* From member to member of an entry is no row. */
	if (bytes <= SHORT && bytes < object->element)
		return false;
	return object->kind == OBJECT_GLOBAL || block % bytes < slack || row->entries ||
	       strides_places(keep->strides, object->id, keep->geometry.line,
			      block / LEAST_ROWS).bytes == bytes;
}

static size_t rows_by_walks(const struct keep *keep, const struct object *object,
			    struct row_length rows[ROWS_MOST])
{
	uint64_t block = largest_block(keep, object);
	struct stride_row found[STRIDES_ROWS];
	size_t count = strides_rows(keep->strides, object->id, keep->geometry.line,
				    block / LEAST_ROWS, found), left = 0, i;
	bool parts = false;

	/* Most blocks hold whole rows and nothing else: from tile to tile it is no row. */
	for (i = 0; i < count; i++)
		parts |= is_part(block, found[i].bytes);
	for (i = 0; i < count; i++) {
		if ((parts && block % found[i].bytes) ||
		    !may_be_row(keep, object, block, &found[i]) ||
		    (found[i].bytes <= SHORT && !in_few_lines(keep, object, found[i].bytes)))
			continue;
		found[left++] = found[i];
	}
	qsort(found, left, sizeof(*found), by_weight);
	for (i = count = 0; i < left && count < ROWS_MOST; i++)
		if (found[i].entries || !is_multiple(found, left, found[i].bytes))
			rows[count++] = (struct row_length){
				.bytes = found[i].bytes, .unit = found[i].bytes % 8 ? 1 : 8,
				.nature = found[i].entries ? ROWS_ENTRIES : ROWS_PROVEN,
			};
	return count;
}

struct stride_places rows_places(const struct keep *keep, const struct object *object,
				 uint64_t *element)
{
	uint64_t dimensions[TYPE_DIMENSIONS], elements = 1;
	size_t count = object->kind == OBJECT_GLOBAL ?
		       type_dimensions(object->type, dimensions) : 0;

	for (size_t i = 0; i < count && elements <= object->bytes; i++)
		elements *= dimensions[i];
	*element = count && elements && !(object->bytes % elements) ? object->bytes / elements :
		   object->element > SHORT ? object->element :
		   object->layout ? layout_element(object->layout) : 0;
	return strides_places(keep->strides, object->id, keep->geometry.line,
			      largest_block(keep, object) / LEAST_ROWS);
}

/* Large elements of blocks, however they are walked. Return: how many were added, 1 or 0. */
static size_t add_entries(const struct keep *keep, const struct object *object,
			  struct row_length rows[ROWS_MOST], size_t count)
{
	uint64_t bytes = object->element;

	if (bytes <= SHORT || count == ROWS_MOST ||
	    largest_block(keep, object) < LEAST_ROWS * bytes)
		return 0;
	for (size_t i = 0; i < count; i++)
		if (rows[i].bytes == bytes)
			return 0;
	rows[count] = (struct row_length){ .bytes = bytes, .unit = 8 };
	return 1;
}

/* How many dimensions its type has, of known length or not; 0 = unknown, 1 may hold others. */
static uint32_t dimensions_of(const struct object *object)
{
	bool fortran = object->type && type_is_fortran(object->type);
	const char *bounds = fortran ? strrchr(object->type, '(') :
			     object->type ? strchr(object->type, '[') : NULL;
	uint32_t count = bounds != NULL;

	while (bounds && (bounds = strpbrk(bounds + 1, fortran ? "," : "[")))
		count++;
	return count;
}

/*
 * What is a multiple of the rows is planes of them, unless the type has none. Of a type with
 * dimensions a pad of planes is whole rows; an index computed by hand takes any.
 */
static void find_planes(const struct object *object, struct row_length *rows, size_t count)
{
	uint32_t dimensions = dimensions_of(object);

	for (size_t i = 0; i < count; i++) {
		const struct row_length *within = NULL;

		for (size_t j = 0; j < count; j++)
			if (rows[j].bytes < rows[i].bytes && !(rows[i].bytes % rows[j].bytes) &&
			    (!within || rows[j].bytes > within->bytes))
				within = &rows[j];
		rows[i].spans = 1;
		if (!within || dimensions == 2)
			continue;
		rows[i].spans = 2;
		if (dimensions > 2)
			rows[i].unit = within->bytes;
	}
}

/*
 * Stages of a transform step by all powers of two, so no length is that of its rows. A line more
 * after each of as many pieces as there are sets has these take the whole block in turn, which
 * the largest steps need; the least, of as many as there are lines. Pieces lie between the two.
 */
static bool pieces_of(const struct keep *keep, const struct object *object, uint64_t least,
		      struct row_length *pieces)
{
	const struct cache_geometry *l1 = &keep->geometry;
	uint64_t most = largest_block(keep, object) / l1->sets / (l1->ways > 1 ? l1->ways / 2 : 1);
	uint64_t element, bytes = least;

	if (!least || least > most || dimensions_of(object) > 1 ||
	    (object->layout && !layout_element(object->layout)) ||
	    object_language(object) == LANGUAGE_PYTHON)
		return false;
	while (2 * bytes <= most)
		bytes *= 2;
	rows_places(keep, object, &element);
	/* Pads of whole elements are odd numbers of lines if a line holds some. */
	if (element && (element > l1->line || bytes % element))
		return false;
	*pieces = (struct row_length){
		.bytes = bytes, .unit = element > 8 ? element : 8, .nature = ROWS_PIECES,
		.odd = true,
	};
	return true;
}

/*
 * Which of a transform's large steps bursts met most is chance: what is longer is no row, nor what
 * is as long, unless it is the least step (columns are transformed).
 */
static size_t add_pieces(const struct row_length *pieces, uint64_t least,
			 struct row_length rows[ROWS_MOST], size_t count)
{
	uint64_t most = pieces->bytes > least ? pieces->bytes - 1 : least;
	size_t left = 0;
	bool there = false;

	for (size_t i = 0; i < count; i++) {
		if (rows[i].nature == ROWS_PROVEN && rows[i].bytes > most)
			continue;
		there |= rows[i].bytes == pieces->bytes;
		rows[left++] = rows[i];
	}
	if (!there && left < ROWS_MOST)
		rows[left++] = *pieces;
	return left;
}

static size_t find_rows(const struct keep *keep, const struct object *object,
			struct row_length rows[ROWS_MOST])
{
	size_t count = object->kind == OBJECT_GLOBAL ? rows_by_type(keep, object, rows) :
						       rows_by_pointer(keep, object, rows);

	if (count)
		return count;
	count = rows_by_walks(keep, object, rows);
	/* Of what all powers of two step through, lengths are none of planes. */
	if (!strides_doubles(keep->strides, object->id, keep->geometry.line))
		find_planes(object, rows, count);
	return count + add_entries(keep, object, rows, count);
}

size_t rows_of(const struct keep *keep, const struct object *object,
	       struct row_length rows[ROWS_MOST])
{
	uint64_t least = strides_doubles(keep->strides, object->id, keep->geometry.line);
	size_t count = find_rows(keep, object, rows);
	struct row_length pieces;

	for (size_t i = 0; i < count; i++) {
		if (rows[i].nature == ROWS_PROVEN)
			rows[i].nature = rows_nature(keep, object, rows[i].bytes);
		rows[i].odd = least;
	}
	return pieces_of(keep, object, least, &pieces) ? add_pieces(&pieces, least, rows, count) :
							 count;
}

static bool is_matrix(const struct object *object)
{
	uint64_t dimensions[TYPE_DIMENSIONS];

	return object->kind == OBJECT_GLOBAL && type_dimensions(object->type, dimensions) > 1;
}

enum row_nature rows_nature(const struct keep *keep, const struct object *object, uint64_t bytes)
{
	uint64_t element;
	const struct stride_places places = rows_places(keep, object, &element);

	if (element && element >= bytes)
		return ROWS_ENTRIES;
	if (places.bytes != bytes)
		return ROWS_PROVEN;
	if (is_matrix(object))
		return places.walked ? ROWS_PROVEN : ROWS_ENTRIES;
	return places.walked || element > 1 ? ROWS_PLACES : ROWS_ENTRIES;
}

const char *row_nature_name(enum row_nature nature)
{
	static const char *const names[] = {
		[ROWS_PROVEN] = "rows", [ROWS_ENTRIES] = "entries", [ROWS_PLACES] = "places",
		[ROWS_PIECES] = "pieces",
	};

	return names[nature];
}

bool rows_are_pages(uint64_t bytes)
{
	return bytes >= PAGE && !(bytes % PAGE);
}
