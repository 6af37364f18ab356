// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "advise/edit.h"
#include "advise/rows.h"
#include "base/memory.h"
#include "base/text.h"
#include "output/prose.h"
#include "output/text.h"
#include "program/type-text.h"

#define NAMED 12	/* variables named; the others are counted */

/* Of Python programs people know the arrays by their size, and not what allocated them. */
static char *python_name(const struct object *object)
{
	char *size = text_size(object->block_most), *text;

	text = xasprintf("the array%s of %s%s", object->blocks > 1 ? "s" : "",
			 object->blocks > 1 ? "up to " : "", size);
	free(size);
	return text;
}

/* An object's name, without the place that stands apart. */
static char *name_of(const struct object *object)
{
	size_t size = strlen(object->name), tail = strlen(object->where);

	if (object_language(object) == LANGUAGE_PYTHON && object->block_most)
		return python_name(object);
	if (tail && size > tail + 1 && object->name[size - tail - 1] == ' ' &&
	    !strcmp(object->name + size - tail, object->where))
		size -= tail + 1;
	for (size_t i = 0; i < size; i++)
		if (isalnum((unsigned char)object->name[i]))
			return xasprintf("%.*s", (int)size, object->name);
	return xstrdup("the array");
}

static void append_count(char **text, uint64_t count)
{
	prose_append_free(text, text_count(count));
}

static void append_place(char **text, const struct object *object)
{
	if (*object->where)
		prose_append(text, "%s: ", object->where);
}

/* Bytes of an element of an array; 0 = unknown. */
static uint64_t element_of(const struct object *object)
{
	uint64_t dimensions[TYPE_DIMENSIONS], elements = 1;
	size_t count = type_dimensions(object->type, dimensions);

	if (object->kind != OBJECT_GLOBAL || !count)
		return object->element;
	for (size_t i = 0; i < count && elements; i++)
		elements *= dimensions[i];
	return elements && !(object->bytes % elements) ? object->bytes / elements : 0;
}

void append_lengths(char **text, const struct object *object, uint64_t to, uint64_t from,
		    const char *words)
{
	uint64_t element = element_of(object);

	append_count(text, to);
	prose_append(text, " B%s instead of ", words);
	append_count(text, from);
	if (element < 2 || element >= from || to % element || from % element)
		return;
	prose_append(text, " (");
	append_count(text, to / element);
	prose_append(text, " elements, not ");
	append_count(text, from / element);
	prose_append(text, ")");
}

/* How a block begins later. */
static const char *later_how(const struct object *object)
{
	switch (object_language(object)) {
	case LANGUAGE_CXX:
		return "allocate that much more; in a std::vector, leave elements in front unused";
	case LANGUAGE_FORTRAN:
		return "allocate that much more, and use a section of it";
	case LANGUAGE_PYTHON:
		return "use a slice of an array that is so much longer";
	default:
		return "allocate that much more";
	}
}

/* All units have to agree on a COMMON block: one that does not reads other variables. */
static void append_common(char **text, const struct object *object)
{
	if (object->common)
		prose_append(text, ", in all units that declare the COMMON block");
}

/* "A[128][129+8]": as declared, one dimension longer. Return: false if the type does not say. */
static bool declare(char **text, const char *name, const struct layout_change *change)
{
	const struct object *object = change->object;
	uint64_t dimensions[TYPE_DIMENSIONS], more[TYPE_DIMENSIONS] = { 0 }, element = 1, bytes;
	uint64_t pad = change->to - change->from;
	size_t count = object->kind == OBJECT_GLOBAL ?
		       type_dimensions(object->type, dimensions) : 0, at;

	for (at = 0; at < count; at++)
		element *= dimensions[at];
	if (!count || !element || object->bytes % element)
		return false;
	element = object->bytes / element;
	for (at = count, bytes = element; at && bytes < change->from; )
		bytes *= dimensions[--at];
	/* Rows are the elements of dimension @at - 1; the pad makes dimension @at longer. */
	if (bytes != change->from || at == count || (change->inner && at + 1 == count))
		return false;
	element = change->from / dimensions[at];
	if (change->inner) {
		pad = change->to / change->inner_to * element - change->from;
		more[at + 1] = (change->inner_to - element) / (element / dimensions[at + 1]);
	}
	if (pad % element)
		return false;
	more[at] = pad / element;
	prose_append(text, "declare ");
	prose_append_free(text, type_longer(object->type, name, more));
	append_common(text, object);
	return true;
}

/* Rows of blocks that one sentence is for. */
static bool same_rows(const struct layout_change *a, const struct layout_change *b)
{
	return a->kind == CHANGE_ROWS && b->kind == CHANGE_ROWS && a->nature == b->nature &&
	       a->spans == b->spans && a->inner_to == b->inner_to &&
	       a->object->kind == OBJECT_HEAP && b->object->kind == OBJECT_HEAP &&
	       a->from == b->from && a->to == b->to &&
	       element_of(a->object) == element_of(b->object) &&
	       !strcmp(a->object->where, b->object->where);
}

static bool is_said(const struct cure *cure, size_t number)
{
	for (size_t i = 0; i < number; i++)
		if (same_rows(&cure->changes[i], &cure->changes[number]))
			return true;
	return false;
}

/* "a, b and c": of all whose rows change as those of change @first. */
static char *names_of(const struct cure *cure, size_t first)
{
	char *names = NULL, *last = name_of(cure->changes[first].object);

	for (size_t i = first + 1; i < cure->count; i++) {
		if (!same_rows(&cure->changes[first], &cure->changes[i]))
			continue;
		prose_append(&names, names ? ", %s" : "%s", last);
		free(last);
		last = name_of(cure->changes[i].object);
	}
	if (!names)
		return last;
	prose_append(&names, " and %s", last);
	free(last);
	return names;
}

/* "leave 64 B unused after each 32,768 B of x: element i, from 0, becomes i + i / 4,096 x 8" */
static void append_pieces(char **text, const struct layout_change *change, const char *name)
{
	uint64_t element = element_of(change->object), pad = change->to - change->from;

	prose_append(text, "leave ");
	append_count(text, pad);
	prose_append(text, " B unused after each ");
	append_count(text, change->from);
	prose_append(text, " B of %s", name);
	if (!element || change->from % element || pad % element)
		return;
	prose_append(text, ": element i, from 0, becomes i + i / ");
	append_count(text, change->from / element);
	prose_append(text, " x ");
	append_count(text, pad / element);
}

static const char *rows_word(const struct layout_change *change)
{
	static const char *const spans[] = {
		"planes", "innermost three dimensions", "innermost dimensions",
	};

	if (change->nature == ROWS_ENTRIES)
		return "entries";
	return change->spans < 2 ? object_rows(change->object) :
	       spans[(change->spans > 2) + (change->spans > 3)];
}

static void append_rows(char **text, const struct cure *cure, size_t number)
{
	const struct layout_change *change = &cure->changes[number];
	char *name = names_of(cure, number);

	append_place(text, change->object);
	if (change->nature == ROWS_PIECES) {
		append_pieces(text, change, name);
	} else if (change->nature == ROWS_PLACES) {
		prose_append(text, "let what is used of %s lie ", name);
		append_count(text, change->to);
		prose_append(text, " B apart instead of ");
		append_count(text, change->from);
		prose_append(text, ", by longer rows or entries");
	} else if (!declare(text, name, change)) {
		prose_append(text, "make the %s of %s ", rows_word(change), name);
		append_lengths(text, change->object, change->to, change->from, " long");
		if (change->inner) {
			prose_append(text, ", of rows of ");
			append_lengths(text, change->object, change->inner_to, change->inner, "");
		}
	}
	if (object_language(change->object) == LANGUAGE_PYTHON)
		prose_append(text, ", as in a slice a[:, :n] of an array with longer rows");
	free(name);
}

static void append_turn(char **text, const struct layout_change *change)
{
	char *name = name_of(change->object), *from = text_count(change->from);

	append_place(text, change->object);
	if (change->kind == CHANGE_COLOUR)
		prose_append(text, "let what part k of %s, of %s B, has in front begin k x %" PRIu32
			     " B later in it, modulo %s: its size stays", name, from, change->step,
			     from);
	else
		prose_append(text, "what is used of %s is %s B apart: where its entries are "
			     "smaller, the index leaves bits out; take it from a multiplicative "
			     "hash of the whole key", name, from);
	free(from);
	free(name);
}

static const char *resize_how(const struct object *object)
{
	switch (object_language(object)) {
	case LANGUAGE_CXX:
		return ", as by reserve(), not aligned to more than new does";
	case LANGUAGE_OTHER:
		return ", by malloc(), not aligned to more";
	default:
		return "";
	}
}

static void append_resize(char **text, const struct layout_change *change)
{
	char *name = name_of(change->object);

	append_place(text, change->object);
	if (change->to > change->from) {
		prose_append(text, "allocate %s in blocks of ", name);
		append_lengths(text, change->object, change->to, change->from, "");
		prose_append(text, "%s", resize_how(change->object));
	} else {
		prose_append(text, "allocate %s by malloc(), not aligned to pages, in blocks of ",
			     name);
		append_count(text, change->to);
		prose_append(text, " B");
	}
	free(name);
}

/* "stream (layouts.c:81)"; @blocks: behind "block of" */
static void append_object(char **text, const struct object *object, bool blocks)
{
	char *name = name_of(object);

	prose_append(text, "%s", blocks ? object_of_blocks(name) : name);
	if (*object->where)
		prose_append(text, " (%s)", object->where);
	free(name);
}

static bool shifts_one(const struct layout_change *change)
{
	return change->kind == CHANGE_STAGGER && change->blocks <= 1;
}

static bool lengthens(const struct layout_change *change)
{
	return change->kind == CHANGE_LENGTHEN;
}

/* Where all objects of several such changes are declared or allocated: said once. NULL = differs */
static const char *common_place(const struct cure *cure,
				bool (*is_such)(const struct layout_change *))
{
	const char *place = NULL;
	size_t count = 0;

	for (size_t i = 0; i < cure->count; i++) {
		const char *where = cure->changes[i].object->where;

		if (!is_such(&cure->changes[i]))
			continue;
		if (!*where || (count++ && strcmp(where, place)))
			return NULL;
		place = where;
	}
	return count > 1 ? place : NULL;
}

/* @place: that was said already, or NULL */
static void append_of(char **text, const struct object *object, const char *place)
{
	if (place)
		prose_append_free(text, name_of(object));
	else
		append_object(text, object, false);
}

static void append_begin(char **text, const char *place)
{
	if (*text)
		prose_append(text, "; ");
	if (place)
		prose_append(text, "%s: ", place);
}

/* Objects of one block each: how much later each begins. */
static void append_shifts(char **text, const struct cure *cure)
{
	const char *place = common_place(cure, shifts_one);
	const struct object *last = NULL;
	size_t count = 0;

	for (size_t i = 0; i < cure->count; i++) {
		const struct layout_change *change = &cure->changes[i];

		if (!shifts_one(change))
			continue;
		if (!count)
			append_begin(text, place);
		prose_append(text, "%s", count ? ", " : "let ");
		last = change->object;
		append_of(text, last, place);
		prose_append(text, count++ ? " " : " begin ");
		append_count(text, (uint64_t)change->first * change->step % STAGGER_MODULO);
		prose_append(text, " B");
	}
	if (count)
		prose_append(text, " later in %s page (%s)", count > 1 ? "their" : "its",
			     later_how(last));
}

static void append_blocks(char **text, const struct cure *cure)
{
	for (size_t i = 0; i < cure->count; i++) {
		const struct layout_change *change = &cure->changes[i];

		if (change->kind != CHANGE_STAGGER || change->blocks < 2)
			continue;
		prose_append(text, "%slet each block of ", *text ? "; " : "");
		append_object(text, change->object, true);
		prose_append(text, " begin ");
		append_count(text, change->step);
		prose_append(text, " B later in its page than the one before");
		if (change->first) {
			prose_append(text, ", the first ");
			append_count(text, (uint64_t)change->first * change->step % STAGGER_MODULO);
			prose_append(text, " B");
		}
		prose_append(text, " (%s)", later_how(change->object));
	}
}

static const char *huge_how(const struct object *object)
{
	enum language language = object_language(object);

	return language == LANGUAGE_OTHER || language == LANGUAGE_CXX ?
	       " (aligned to 2 MiB, then madvise() with MADV_HUGEPAGE)" : "";
}

static void append_huge(char **text, const struct cure *cure)
{
	for (size_t i = 0; i < cure->count; i++) {
		const struct layout_change *change = &cure->changes[i];

		if (change->kind != CHANGE_HUGE)
			continue;
		prose_append(text, "%slet %s of ", *text ? "; " : "", change->blocks > 1 ?
			     "each block" : "the block");
		append_object(text, change->object, true);
		prose_append(text, " lie in huge pages%s", huge_how(change->object));
		if (change->blocks > 1)
			prose_append(text, " and begin %" PRIu32 " B later there than the one "
				     "before", change->step);
	}
}

static void append_stacks(char **text, const struct cure *cure)
{
	for (size_t i = 0; i < cure->count; i++)
		if (cure->changes[i].kind == CHANGE_STACKS)
			prose_append(text, "%slet each thread begin %" PRIu32 " B later on its "
				     "stack than the one before (alloca() of that much first)",
				     *text ? "; " : "", cure->changes[i].step);
}

/* Variables, in one sentence for all. */
static void append_longer(char **text, const struct cure *cure)
{
	const char *place = common_place(cure, lengthens);
	const struct layout_change *first = NULL;
	size_t count = 0;

	for (size_t i = 0; i < cure->count; i++) {
		const struct layout_change *change = &cure->changes[i];

		if (!lengthens(change))
			continue;
		first = change;
		if (count++ >= NAMED)
			continue;
		if (count == 1)
			append_begin(text, place);
		prose_append(text, "%s", count > 1 ? ", " : "declare ");
		append_of(text, change->object, place);
	}
	if (!first)
		return;
	if (count > NAMED)
		prose_append(text, " and %zu more", count - NAMED);
	prose_append(text, count > 1 ? " each " : " ");
	append_count(text, first->step);
	prose_append(text, " B longer, so that what follows moves");
	append_common(text, first->object);
}

char *cure_edit(const struct cure *cure)
{
	char *text = NULL;

	for (size_t i = 0; i < cure->count; i++) {
		const struct layout_change *change = &cure->changes[i];

		if ((!change_has_rows(change) && change->kind != CHANGE_RESIZE) ||
		    is_said(cure, i))
			continue;
		if (text)
			prose_append(&text, "; ");
		if (change->kind == CHANGE_ROWS)
			append_rows(&text, cure, i);
		else if (change->kind == CHANGE_RESIZE)
			append_resize(&text, change);
		else
			append_turn(&text, change);
	}
	append_stacks(&text, cure);
	append_huge(&text, cure);
	append_blocks(&text, cure);
	append_shifts(&text, cure);
	append_longer(&text, cure);
	return text ? drop_abi_tags(text) : NULL;
}
