// SPDX-License-Identifier: GPL-2.0-only
/* What is left of a job, from how much of it is done. */
#include <math.h>
#include <string.h>

#include "base/progress.h"
#include "tap.h"

static bool says(double seconds, double part, const char *want)
{
	char text[48];

	progress_left_text(text, sizeof(text), seconds, part);
	return !strcmp(text, want);
}

int main(void)
{
	ok(says(10, 0.5, ", about 10 s left"), "half is done: as long again");
	ok(says(3, 0.75, ", about 1 s left"), "three quarters");
	ok(says(10, 1, ", about 0 s left"), "all is done");
	ok(says(60, 0.1, ", about 9 min left"), "minutes");
	ok(says(3600, 0.1, ", about 9 h left"), "hours");
	ok(says(10, 0.01, "") && says(10, 0, ""), "too little to say");
	ok(says(10, -1, "") && says(10, NAN, "") && says(10, 1.5, ""), "an unknown part");
	return done();
}
