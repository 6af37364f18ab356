// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loops/region.h"
#include "tap.h"

static struct code_region inlined(const char *function, uint32_t line, const char *file, uint32_t call)
{
	return (struct code_region){
		.kind = REGION_LOOP, .function = function, .file = "src/a.c", .line = line,
		.end_line = line + 2, .call_file = file, .call_line = call,
	};
}

static bool says(const struct code_region *region, const char *expected)
{
	char *text = region_text(region, false);
	bool same = !strcmp(text, expected);

	if (!same)
		printf("# %s, not %s\n", text, expected);
	free(text);
	return same;
}

static void test_apart(void)
{
	struct code_region all[] = {
		inlined("f", 10, "src/a.c", 50), inlined("f", 20, "src/a.c", 50),
		inlined("f", 10, "src/b.c", 50), inlined("g", 10, "src/a.c", 60),
		inlined("f", 10, NULL, 0), inlined("g", 10, "src/a.c", 60),
	};

	regions_tell_apart(all, 6, sizeof(*all));
	ok(says(&all[0], "a.c:10-12 (from :50)") && says(&all[2], "a.c:10-12 (from b.c:50)"),
	   "loops of a function that was inlined twice are told apart by the calls");
	ok(says(&all[4], "a.c:10-12"), "... and from the one that was not inlined");
	ok(says(&all[1], "a.c:20-22"), "... but not where a loop is the only one of its lines");
	ok(says(&all[3], "a.c:10-12") && says(&all[5], "a.c:10-12"),
	   "... nor where the call is the same: copies that the compiler made");
}

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
	test_apart();
	return done();
}
