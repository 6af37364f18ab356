// SPDX-License-Identifier: GPL-2.0-only
/* What to edit is said in the terms of the language that a program is written in. */
#include <stdlib.h>
#include <string.h>

#include "advise/edit.h"
#include "tap.h"

static struct object object_at(const char *name, const char *where)
{
	return (struct object){ .kind = OBJECT_HEAP, .name = name, .where = where, .id = 1 };
}

static bool edit_is(const struct cure *cure, const char *words)
{
	char *text = cure_edit(cure);
	bool same = !strcmp(text, words);

	if (!same)
		ok(false, "# %s", text);
	free(text);
	return same;
}

static struct cure one(const struct object *object, enum change_kind kind)
{
	return (struct cure){
		.changes[0] = { .kind = kind, .object = object, .from = 4096, .to = 4160, .step = 64,
				.first = 1, .blocks = 4 },
		.count = 1,
	};
}

static void test_rows(void)
{
	struct object c = object_at("m", "a.c:7"), f = object_at("m", "a.f90:7");
	struct object numpy = object_at("block of alloc", "_umath.cpython-311-x86_64.so+0x10");
	struct object global = object_at("g", "a.c:1"), cube = object_at("cube", "a.c:3");
	struct object others[3];
	struct cure cure = one(&c, CHANGE_ROWS);

	ok(edit_is(&cure, "a.c:7: make the rows of m 4,160 B long instead of 4,096"), "of an unknown type: bytes");
	c.element = 8;
	ok(edit_is(&cure, "a.c:7: make the rows of m 4,160 B long instead of 4,096 (520 elements, not 512)"), "elements");
	c.element = 24;
	ok(edit_is(&cure, "a.c:7: make the rows of m 4,160 B long instead of 4,096"), "no whole elements");
	c.element = 8;
	cure.changes[0].spans = 2;
	ok(edit_is(&cure, "a.c:7: make the planes of m 4,160 B long instead of 4,096 (520 elements, not 512)"), "planes");
	cure.changes[0].spans = 3;
	ok(edit_is(&cure, "a.c:7: make the innermost three dimensions of m 4,160 B long instead of 4,096 "
		   "(520 elements, not 512)"), "... and what has more dimensions");
	/* 129 rows of 1,088 B, not 128 of 1,024. */
	cure.changes[0] = (struct layout_change){
		.kind = CHANGE_ROWS, .object = &c, .from = 131072, .to = 140352, .inner = 1024,
		.inner_to = 1088, .spans = 2,
	};
	ok(edit_is(&cure, "a.c:7: make the planes of m 140,352 B long instead of 131,072 (17,544 elements, not 16,384), "
		   "of rows of 1,088 B instead of 1,024 (136 elements, not 128)"), "... with longer rows in them");
	cube.kind = OBJECT_GLOBAL;
	cube.type = "double[64][128][128]";
	cube.bytes = 64 * 131072;
	cure.changes[0].object = &cube;
	ok(edit_is(&cure, "a.c:3: declare cube[64][128+1][128+8]"), "... two dimensions of a declared array");
	cure = one(&c, CHANGE_ROWS);
	cure.changes[0].object = &f;
	f.element = 8;
	ok(edit_is(&cure, "a.f90:7: make the leading dimension of m 4,160 B long instead of 4,096 (520 elements, not 512)"),
	   "Fortran");
	cure.changes[0].object = &numpy;
	ok(edit_is(&cure, "_umath.so+0x10: make the rows of block of alloc 4,160 B long "
		   "instead of 4,096, as in a slice a[:, :n] of an array with longer rows"), "Python");
	numpy.blocks = 3;
	numpy.block_most = 64 << 20;
	ok(edit_is(&cure, "_umath.so+0x10: make the rows of the arrays of up to 64 MiB 4,160 B long instead of "
		   "4,096, as in a slice a[:, :n] of an array with longer rows"), "... whose arrays have a size");
	global.kind = OBJECT_GLOBAL;
	global.type = "double[262144]";
	global.bytes = 2 << 20;
	cure.changes[0].object = &global;
	ok(edit_is(&cure, "a.c:1: make the rows of g 4,160 B long instead of 4,096 (520 elements, not 512)"),
	   "a variable of one dimension");
	c.element = 8;
	for (size_t i = 0; i < 3; i++) {
		others[i] = c;
		others[i].name = (const char *[]){ "a", "b", "c" }[i];
		cure.changes[i] = cure.changes[0];
		cure.changes[i].object = &others[i];
	}
	cure.count = 3;
	ok(edit_is(&cure, "a.c:7: make the rows of a, b and c 4,160 B long instead of 4,096 (520 elements, not 512)"),
	   "alike: one sentence");
	cure.changes[1].to = 4224;
	ok(edit_is(&cure, "a.c:7: make the rows of a and c 4,160 B long instead of 4,096 (520 elements, not 512); "
		   "a.c:7: make the rows of b 4,224 B long instead of 4,096 (528 elements, not 512)"), "not alike: two");
}

static void test_pieces(void)
{
	struct object c = object_at("x", "a.c:7");
	struct cure cure = one(&c, CHANGE_ROWS);

	cure.changes[0].nature = ROWS_PIECES;
	ok(edit_is(&cure, "a.c:7: leave 64 B unused after each 4,096 B of x"), "pieces, of an unknown type");
	c.element = 16;
	ok(edit_is(&cure, "a.c:7: leave 64 B unused after each 4,096 B of x: element i, from 0, becomes "
		   "i + i / 256 x 4"), "... and by elements");
	c.element = 24;
	ok(edit_is(&cure, "a.c:7: leave 64 B unused after each 4,096 B of x"), "... that are whole");
}

static void test_blocks(void)
{
	struct object c = object_at("m", "a.c:7"), cxx = object_at("m", "a.cpp:7");
	struct object f = object_at("m", "a.F90:7"), numpy = object_at("block", "x.cpython-311-x86_64.so+0x10");
	struct cure cure = one(&c, CHANGE_STAGGER);

	ok(edit_is(&cure, "let each block of m (a.c:7) begin 64 B later in its page than the one before, the "
		   "first 64 B (allocate that much more)"), "blocks of C");
	c.name = "block of grid_new";
	ok(edit_is(&cure, "let each block of grid_new (a.c:7) begin 64 B later in its page than the one before, the "
		   "first 64 B (allocate that much more)"), "... of no variable known");
	c.name = "m";
	cure.changes[0].object = &cxx;
	ok(edit_is(&cure, "let each block of m (a.cpp:7) begin 64 B later in its page than the one before, the "
		   "first 64 B (allocate that much more; in a std::vector, leave elements in front unused)"),
	   "... of C++");
	cure.changes[0].object = &f;
	cure.changes[0].blocks = 1;
	ok(edit_is(&cure, "let m (a.F90:7) begin 64 B later in its page (allocate that much more, and use a "
		   "section of it)"), "... of Fortran");
	cure = one(&numpy, CHANGE_HUGE);
	cure.changes[0].blocks = 1;
	ok(edit_is(&cure, "let the block of block (x.so+0x10) lie in huge pages"),
	   "Python gets no calls of C");
	cure = one(&cxx, CHANGE_RESIZE);
	cxx.element = 8;
	ok(edit_is(&cure, "a.cpp:7: allocate m in blocks of 4,160 B instead of 4,096 (520 elements, not 512), as by "
		   "reserve(), not aligned to more than new does"), "blocks of vectors are longer by elements");
	cure.changes[0].object = &c;
	ok(edit_is(&cure, "a.c:7: allocate m in blocks of 4,160 B instead of 4,096, by malloc(), not aligned to "
		   "more"), "... of C");
}

/* A place that all share is said once. */
static void test_places(void)
{
	struct object a = object_at("a", "a.c:7"), b = object_at("b", "a.c:7"), c = object_at("c", "a.c:8");
	struct cure cure = {
		.changes = { { .kind = CHANGE_STAGGER, .object = &a, .step = 64, .first = 1 },
			     { .kind = CHANGE_STAGGER, .object = &b, .step = 64, .first = 2 } },
		.count = 2,
	};

	ok(edit_is(&cure, "a.c:7: let a begin 64 B, b 128 B later in their page (allocate that much more)"),
	   "one place");
	cure.changes[1].object = &c;
	ok(edit_is(&cure, "let a (a.c:7) begin 64 B, c (a.c:8) 128 B later in their page (allocate that much "
		   "more)"), "two");
	cure.changes[0].kind = cure.changes[1].kind = CHANGE_LENGTHEN;
	cure.changes[1].object = &b;
	ok(edit_is(&cure, "a.c:7: declare a, b each 64 B longer, so that what follows moves"), "variables");
}

/* Units that declare a COMMON block otherwise read other variables. */
static void test_common(void)
{
	struct object a = object_at("a", "a.f90:7"), b = object_at("b", "a.f90:7");
	struct cure cure = {
		.changes[0] = { .kind = CHANGE_ROWS, .object = &a, .from = 4096, .to = 4160 },
		.count = 1,
	};

	a.kind = b.kind = OBJECT_GLOBAL;
	a.type = "real(kind=8)(512,64)";
	a.bytes = 256 << 10;
	ok(edit_is(&cure, "a.f90:7: declare a(512+8,64)"), "an array of Fortran");
	a.common = b.common = true;
	ok(edit_is(&cure, "a.f90:7: declare a(512+8,64), in all units that declare the COMMON block"),
	   "... of a COMMON block");
	cure.changes[0] = (struct layout_change){ .kind = CHANGE_LENGTHEN, .object = &a, .step = 64 };
	cure.changes[1] = (struct layout_change){ .kind = CHANGE_LENGTHEN, .object = &b, .step = 64 };
	cure.count = 2;
	ok(edit_is(&cure, "a.f90:7: declare a, b each 64 B longer, so that what follows moves, in all units that "
		   "declare the COMMON block"), "... several");
}

int main(void)
{
	test_common();
	test_rows();
	test_pieces();
	test_blocks();
	test_places();
	return done();
}
