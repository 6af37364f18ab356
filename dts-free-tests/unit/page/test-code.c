// SPDX-License-Identifier: GPL-2.0-only
/* Pages of findings and of simulations without memory for their code: one line, and status 1. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "page/sim-internal.h"
#include "tap.h"

/* In place of the C library's. */
FILE *open_memstream(char **text, size_t *size)
{
	errno = ENOMEM;
	return NULL;
}

static void of_findings(void)
{
	struct findings findings = { .context_count = 0 };
	struct page page = { .out = stdout, .findings = &findings };

	page_code(&page, 0);
}

static void of_simulation(void)
{
	struct sim_loop loop = { .region.line = 1 };
	struct sim_findings findings = { .loops = &loop, .loop_count = 1 };
	struct sim_page sim = { .page.out = stdout, .findings = &findings };

	sim_page_code(&sim);
}

static void ends_with_a_line(void (*page)(void), const char *name)
{
	char text[512] = "";
	int ends[2], status;
	ssize_t size;
	pid_t child;

	fflush(stdout);
	if (pipe(ends) || (child = fork()) < 0)
		exit(1);
	if (!child) {
		dup2(ends[1], STDERR_FILENO);
		if (!freopen("/dev/null", "w", stdout))
			_exit(3);
		page();
		_exit(4);
	}
	close(ends[1]);
	size = read(ends[0], text, sizeof(text) - 1);
	close(ends[0]);
	waitpid(child, &status, 0);
	ok(WIFEXITED(status) && WEXITSTATUS(status) == 1, "%s: status 1, not %x", name, status);
	ok(size > 1 && strchr(text, '\n') == text + size - 1 && strstr(text, "out of memory for "),
	   "... and one line: %s", text);
}

int main(void)
{
	ends_with_a_line(of_findings, "a report's page");
	ends_with_a_line(of_simulation, "a simulation's page");
	return done();
}
