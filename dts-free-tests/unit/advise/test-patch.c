// SPDX-License-Identifier: GPL-2.0-only
/* Declarations that become longer. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "advise/patch.h"
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

int main(void)
{
	size_t i;

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
