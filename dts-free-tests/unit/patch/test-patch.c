// SPDX-License-Identifier: GPL-2.0-only
/* Declarations that become longer. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "patch/patch.h"
#include "tap.h"

static const struct {
	const char *text, *name;
	uint32_t dimension;
	uint64_t more;
	const char *wanted;		/* NULL: the line is left alone */
} lines[] = {
	{ "static int matrix[512][512];", "matrix", 1, 16, "static int matrix[512][512 + 16];" },
	{ "static int matrix[512][512];", "matrix", 0, 2, "static int matrix[512 + 2][512];" },
	{ "\tdouble a[ROWS] [COLUMNS - 2], b[4];", "a", 1, 8,
	  "\tdouble a[ROWS] [(COLUMNS - 2) + 8], b[4];" },
	{ "double a[4], ba[5];", "a", 0, 8, "double a[4 + 8], ba[5];" },
	{ "double ab[4], a[size[2]];", "a", 0, 8, "double ab[4], a[(size[2]) + 8];" },
	{ "double a[4]; int f(double a[4]);", "a", 0, 8, NULL },
	{ "double a[] = { 1, 2 };", "a", 0, 8, NULL },
	{ "double a[4];", "a", 1, 8, NULL },
	{ "double a[4];", "b", 0, 8, NULL },
	{ "double a[4", "a", 0, 8, NULL },
	{ "double *a;", "a", 0, 8, NULL },
	{ "ARRAY(a);", "a", 0, 8, NULL },
	{ "double a[4];", "", 0, 8, NULL },
};

static const struct {
	const char *text;
	uint64_t more;
	const char *wanted;
} blocks[] = {
	{ "\tnode = malloc(4096);", 48, "\tnode = malloc(4096 + 48);" },
	{ "p = malloc (n * sizeof(*p));", 64, "p = malloc ((n * sizeof(*p)) + 64);" },
	{ "return aligned_alloc(4096, SIZE);", 0, "return malloc(SIZE);" },
	{ "x = aligned_alloc (PAGE, sizeof(struct node));", 48, "x = malloc((sizeof(struct node)) + 48);" },
	{ "x = f(aligned_alloc(g(4, 2), 64), 3);", 0, "x = f(malloc(64), 3);" },
	{ "a = malloc(4), b = malloc(8);", 16, NULL },
	{ "a = big ? malloc(4) : aligned_alloc(64, 64);", 16, NULL },
	{ "a = malloc(big ? 4 : 8);", 16, NULL },
	{ "a = my_malloc(4);", 16, NULL },
	{ "a = malloc(4", 16, NULL },
	{ "a = malloc(sizeof(*a) +", 16, NULL },
	{ "a = malloc();", 16, NULL },
	{ "a = malloc(4);", 0, NULL },
	{ "a = aligned_alloc(4096);", 0, NULL },
	{ "a = calloc(4, 4);", 16, NULL },
	{ "", 16, NULL },
};

static void check(const char *what, const char *wanted, char *text)
{
	bool good = text && wanted ? !strcmp(text, wanted) : !text && !wanted;

	ok(good, "%s", what);
	if (!good)
		printf("# got: %s\n", text ? text : "nothing");
	free(text);
}

/* Why there is none, where no source is looked for. */
static void test_nothing(void)
{
	const struct object object = { .kind = OBJECT_HEAP, .name = "", .where = "a.c:3" };
	struct cure cure = {
		.changes[0] = { .kind = CHANGE_STAGGER, .object = &object, .step = 64 }, .count = 1,
	};
	struct cures advice = { .cures = &cure };

	check("no cure", "there is no cure", cures_patch_nothing(&advice));
	advice.count = 1;
	check("no mechanical edit", "--patch only lengthens C arrays and blocks of "
	      "malloc(), and no cure does that: make the edits by hand, as advise says them", cures_patch_nothing(&advice));
}

int main(void)
{
	size_t i;

	test_nothing();
	for (i = 0; i < sizeof(blocks) / sizeof(*blocks); i++)
		check(blocks[i].text, blocks[i].wanted, patch_block(blocks[i].text, blocks[i].more));

	for (i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		char *text = patch_lengthen(lines[i].text, lines[i].name, lines[i].dimension,
					    lines[i].more);
		bool good = text && lines[i].wanted ? !strcmp(text, lines[i].wanted) :
						      !text && !lines[i].wanted;

		ok(good, "%s: %s, dimension %u", lines[i].text, lines[i].name, lines[i].dimension);
		if (!good)
			printf("# got: %s\n", text ? text : "nothing");
		free(text);
	}
	return done();
}
