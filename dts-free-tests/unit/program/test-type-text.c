// SPDX-License-Identifier: GPL-2.0-only
/* Dimensions of types as text, and how an array is declared longer. */
#include <stdlib.h>
#include <string.h>

#include "program/type-text.h"
#include "tap.h"

/* @more: in dimension @at */
static void check(const char *type, size_t wanted, uint64_t last, size_t at, uint64_t more,
		  const char *longer)
{
	uint64_t dimensions[TYPE_DIMENSIONS], longer_by[TYPE_DIMENSIONS] = { 0 };
	size_t count = type_dimensions(type, dimensions);
	char *text;

	longer_by[at] = more;
	text = count ? type_longer(type, "a", longer_by) : NULL;

	ok(count == wanted && (!count || (dimensions[count - 1] == last && !strcmp(text, longer))), "%s: %s", type,
	   text ? text : "no dimensions");
	free(text);
}

static void check_two(const char *type, const char *longer)
{
	const uint64_t more[TYPE_DIMENSIONS] = { 0, 1, 8 };
	char *text = type_longer(type, "a", more);

	ok(!strcmp(text, longer), "%s, two longer: %s", type, text);
	free(text);
}

int main(void)
{
	check_two("double[64][128][256]", "a[64][128+1][256+8]");
	check_two("real(kind=8)(256,0:127,64)", "a(256+8,0:127+1,64)");
	check("double[128][130]", 2, 130, 1, 8, "a[128][130+8]");
	check("double[128][130]", 2, 130, 0, 1, "a[128+1][130]");
	check("struct cell *[64]", 1, 64, 0, 2, "a[64+2]");
	check("real(kind=8)(512,128)", 2, 512, 1, 8, "a(512+8,128)");
	check("real(kind=8)(512,128)", 2, 512, 0, 8, "a(512,128+8)");
	check("real(kind=8)(0:511,-3:3,2)", 3, 512, 2, 8, "a(0:511+8,-3:3,2)");
	check("real(kind=8)(0:511,-3:3,2)", 3, 512, 1, 1, "a(0:511,-3:3+1,2)");
	check("real(kind=8)(:,128)", 0, 0, 0, 0, NULL);
	check("real(kind=8)(5:4)", 0, 0, 0, 0, NULL);
	check("double[]", 0, 0, 0, 0, NULL);
	check("double", 0, 0, 0, 0, NULL);
	/* What debug information may call a type. */
	check("cell1)", 0, 0, 0, 0, NULL);
	check(&"1)"[1], 0, 0, 0, 0, NULL);
	check("", 0, 0, 0, 0, NULL);
	return done();
}
