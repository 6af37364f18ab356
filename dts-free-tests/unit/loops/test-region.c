// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "loops/region.h"
#include "tap.h"

int main(void)
{
	const struct code_region region = {
		.kind = REGION_LOOP, .dso = "/usr/lib/_umath.cpython-311-x86_64-linux-gnu.so", .address = 0x1c,
	};
	char *text = region_text(&region, false);

	ok(!strcmp(text, "_umath.so+0x1c"), "a module's name without tags: %s", text);
	ok(region_says_function(text, "_umath.so+0x10"), "a function without a name is not named twice");
	ok(!region_says_function(text, "_multi.so+0x10") && !region_says_function(text, "_umath.so+10") &&
	   !region_says_function("a.c:7", "main") && !region_says_function("+0x10", "+0x1c"), "others are named");
	free(text);
	text = region_text(&region, true);
	ok(region_says_function(text, "_umath.so+0x10"), "... also next to a path: %s", text);
	free(text);
	return done();
}
