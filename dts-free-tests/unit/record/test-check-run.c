// SPDX-License-Identifier: GPL-2.0-only
/* How `check` calls `record`, which is this program itself here. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "format/recording.h"
#include "record/check-run.h"
#include "tap.h"

#define OPTIONS	200	/* that a baseline gives: made to leave no room for what follows */

/* As the recorder: the program's own options are not ours. */
static int recorder(char **argv)
{
	char **end = argv;

	while (*end && strcmp(*end, "--"))
		end++;
	return !(end[0] && end[1] && !strcmp(end[1], "sh") && end[2] &&
		 !strcmp(end[2], "--output=other"));
}

static void make_baseline(const char *path)
{
	struct recording_writer *writer = recording_create(path);

	for (int i = 0; i < OPTIONS; i++)
		recording_meta(writer, "option.seed", "1", 1);
	recording_finish(writer, 0);
}

int main(int argc, char **argv)
{
	char path[] = "/tmp/test-check-run-XXXXXX";
	char *program[] = { "sh", "--output=other", NULL };
	int fd;

	if (argc > 1 && !strcmp(argv[1], "record"))
		return recorder(argv);
	fd = mkstemp(path);
	ok(fd >= 0, "a file");
	make_baseline(path);
	ok(!check_run(path, "new", 0, program), "the program comes behind --, its options too");
	close(fd);
	unlink(path);
	return done();
}
