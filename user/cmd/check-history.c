// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/clean.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmd/check-history.h"
#include "history/store.h"

FILE *check_history_open(void)
{
	int fd = memfd_create("ccsample-figures", MFD_CLOEXEC);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "w+");

	if (!file)
		fail("cannot make a file in memory: %s", strerror(errno));
	return file;
}

int check_history_send(FILE *file, const struct findings *after, const struct figures *figures)
{
	char *command, *clean;

	/* It may be another child's, which did not live to its end. */
	rewind(file);
	if (ftruncate(fileno(file), 0))
		return fail("cannot write figures: %s", strerror(errno));
	command = join_words(after->command);
	clean = text_clean(command);
	fprintf(file, "%s\n", clean);
	figures_write(file, figures);
	free(clean);
	free(command);
	return fflush(file) ? fail("cannot write figures: %s", strerror(errno)) : 0;
}

static char *first_line(FILE *file)
{
	char *line = NULL;
	size_t size = 0;

	if (!file || getline(&line, &size, file) <= 0) {
		free(line);
		return NULL;
	}
	line[strcspn(line, "\n")] = '\0';
	return line;
}

static char *current_commit(void)
{
	FILE *git = popen("git rev-parse HEAD 2>/dev/null", "re");
	char *commit = first_line(git);

	if (git)
		pclose(git);
	return commit ? commit : xstrdup("?");
}

int check_history_keep(FILE *file, const char *directory, const char *commit, bool failed)
{
	struct history_run run = { .failed = failed };
	int status;

	rewind(file);
	run.program = first_line(file);
	status = run.program ? figures_read(file, &run.figures) : fail("there are no figures");
	run.commit = commit ? xstrdup(commit) : current_commit();
	if (!status)
		status = history_add(directory, &run);
	history_run_drop(&run);
	return status;
}
