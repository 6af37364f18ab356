// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/memory.h"
#include "base/temporary.h"
#include "cachesim/policy-names.h"
#include "format/pages-text.h"
#include "host/install.h"
#include "record/launch.h"
#include "host/program.h"

#define OPTIONS		32	/* arguments before the program's own */

/* --- Valgrind and the program --- */

/* The `valgrind` of a distribution may be a script that adds to the environment, around this. */
static char *find_valgrind(void)
{
	int error;
	char *path = program_find("valgrind", &error);
	char *real;

	if (!path) {
		fail("the engine needs Valgrind, which is not in PATH: install the package "
		     "valgrind");
		return NULL;
	}
	real = xasprintf("%s.bin", path);
	if (program_why_not(real)) {
		free(real);
		return path;
	}
	free(path);
	return real;
}

static int check_architecture(const char *path, const char *name)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	Elf64_Ehdr header = { 0 };
	ssize_t got = fd < 0 ? -1 : read(fd, &header, sizeof(header));

	if (fd >= 0)
		close(fd);
	if (got < EI_NIDENT + 4 || memcmp(header.e_ident, ELFMAG, SELFMAG))
		return 0;
	if (header.e_ident[EI_CLASS] == ELFCLASS64 && header.e_machine == EM_X86_64)
		return 0;
	return fail("cannot record %s: it is not an x86-64 program, and the engine runs no others",
		    name);
}

static int check_rights(const char *path, const char *name)
{
	struct stat status;

	if (stat(path, &status) || !(status.st_mode & (S_ISUID | S_ISGID)))
		return 0;
	return fail("cannot record %s: it is setuid or setgid: record it as the user that it runs "
		    "as (sudo ccsample record -- ...), or by -p", name);
}

/* Return: its path, or NULL after one line. */
static char *check_program(const char *name)
{
	char *path = program_find_or_say(name);

	if (path && !check_architecture(path, name) && !check_rights(path, name))
		return path;
	free(path);
	return NULL;
}

/* Valgrind writes each process's command line into a file there. */
static int check_temporary(void)
{
	const char *dir = temporary_place();

	if (!access(dir, W_OK | X_OK))
		return 0;
	return fail("Valgrind needs a directory for temporary files, but %s: %s; name another in "
		    "TMPDIR", dir, strerror(errno));
}

int launch_find(struct launch *launch, const char *program)
{
	*launch = (struct launch){ NULL };
	launch->program = check_program(program);
	if (launch->program && !check_temporary())
		launch->engine_dir = install_find(&install_engine);
	if (launch->engine_dir)
		launch->valgrind = find_valgrind();
	if (launch->valgrind)
		return 0;
	launch_free(launch);
	return -1;
}

void launch_free(struct launch *launch)
{
	free(launch->engine_dir);
	free(launch->valgrind);
	free(launch->program);
	*launch = (struct launch){ NULL };
}

/* --- the start --- */

static size_t add_simulation(char **args, size_t n, const struct record_request *request)
{
	const struct hierarchy_plan *plan = &request->caches;
	const struct level_plan *level = plan->level;
	const uint64_t *phases = request->phases;

	args[n++] = xstrdup("--simulate=yes");
	args[n++] = xasprintf("--policies=%s,%s,%s", policy_name(level[0].policy),
			      policy_name(level[1].policy), policy_name(level[2].policy));
	args[n++] = xasprintf("--inclusions=%s,%s", inclusion_name(level[1].inclusion),
			      inclusion_name(level[2].inclusion));
	args[n++] = xasprintf("--detector=%d", plan->detector);
	if (plan->prefetchers)
		args[n++] = xasprintf("--prefetch=%u", plan->prefetchers);
	if (plan->coherence) {
		args[n++] = xasprintf("--coherence=%u", request->turn);
		args[n++] = xstrdup("--fair-sched=try");
	}
	if (request->blocks)
		args[n++] = xasprintf("--blocks=%u", request->blocks);
	if (request->alias)
		args[n++] = xasprintf("--alias=%u", request->alias);
	if (request->marked)
		args[n++] = xstrdup("--phases=marked");
	if (request->refill)
		args[n++] = xstrdup("--refill=yes");
	if (phases[2])
		args[n++] = xasprintf("--phases=%llu,%llu,%llu", (unsigned long long)phases[0],
				      (unsigned long long)phases[1], (unsigned long long)phases[2]);
	return n;
}

/* The caches and events, as options of the engine. */
static size_t add_request(char **args, size_t n, const struct record_request *request)
{
	static const char *const names[] = { "D1", "L2", "L3" };
	char *pages;
	size_t i;

	for (i = 0; i < request->caches.levels; i++) {
		const struct level_plan *level = &request->caches.level[i];
		const struct cache_geometry *g = &level->geometry;

		args[n++] = xasprintf("--%s=%llu,%u,%u", names[i],
				      (unsigned long long)cache_size(g), g->ways, g->line);
		if (level->hash)
			args[n++] = xasprintf("--%s-hash=%s", names[i], level->hash->name);
	}
	for (i = 0; i < request->event_count; i++) {
		const struct request_event *event = &request->events[i];

		args[n++] = xasprintf("--event=%u,%llu,%llu,%u", event->level,
				      (unsigned long long)event->period,
				      (unsigned long long)event->spread, event->burst);
	}
	if (request->caches.levels > 1) {
		pages = pages_text(&request->pages);
		args[n++] = xasprintf("--pages=%s", pages);
		free(pages);
	}
	args[n++] = xasprintf("--seed=%llu", (unsigned long long)request->seed);
	if (request->trace)
		args[n++] = xstrdup("--trace=yes");
	if (request->stacks)
		args[n++] = xstrdup("--stacks=yes");
	if (request->function) {
		args[n++] = xstrdup("--read-inline-info=yes");
		args[n++] = xasprintf("--function=%s", request->function);
	}
	return request->simulate ? add_simulation(args, n, request) : n;
}

char **launch_arguments(const struct launch *launch, const struct record_request *request,
			const char *socket)
{
	size_t count = 0, n = 0;
	char **args;

	while (request->argv[count])
		count++;
	args = xcalloc(OPTIONS + count + 1, sizeof(*args));
	args[n++] = xstrdup("valgrind");
	args[n++] = xstrdup("-q");
	args[n++] = xstrdup("--command-line-only=yes");
	args[n++] = xstrdup("--tool=ccsample");
	args[n++] = xstrdup("--trace-children=yes");
	args[n++] = xstrdup("--vgdb=no");
	args[n++] = xstrdup("--sigill-diagnostics=no");
	args[n++] = xstrdup("--max-threads=2000");
	/* Smaller superblocks: less to translate, and the tests in line cost as much in any. */
	args[n++] = xstrdup("--vex-guest-chase=no");
	if ((!request->simulate && !request->trace) || request->placed)
		args[n++] = xstrdup("--repeatable=yes");
	if (request->layout)
		args[n++] = xasprintf("--layout=%llu", (unsigned long long)request->layout);
	n = add_request(args, n, request);
	args[n++] = xasprintf("--socket=%s", socket);
	args[n++] = xstrdup("--");
	/* As it was typed; but without a PATH, Valgrind looks nowhere. */
	args[n++] = xstrdup(getenv("PATH") ? request->argv[0] : launch->program);
	while (--count)
		args[n + count - 1] = xstrdup(request->argv[count]);
	return args;
}

void launch_free_arguments(char **args)
{
	char **arg;

	for (arg = args; *arg; arg++)
		free(*arg);
	free(args);
}
