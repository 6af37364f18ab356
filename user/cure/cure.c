// SPDX-License-Identifier: GPL-2.0-only
/* What a cure needs, and one run of it. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/forward-signals.h"
#include "base/memory.h"
#include "base/read-file.h"
#include "cure/cure.h"
#include "host/install.h"
#include "host/program.h"
#include "output/prose.h"
#include "output/text.h"

#define PLAN_MOST	(16l << 20)	/* bytes, as the library has it */

/* --- the plan --- */

static int read_plan(const char *path, struct pads_plan *plan)
{
	const char *wrong;
	uint32_t line;
	size_t size;
	char *text = read_named(path, PLAN_MOST, &size);
	int status = 0;

	if (!text)
		return fail("cannot read the plan %s: %s", path, strerror(errno));
	if (size == PLAN_MOST)
		status = fail("the plan %s has more than 16 MiB", path);
	else if ((wrong = pads_plan_parse(plan, text, size, &line)))
		status = fail("%s:%" PRIu32 ": %s", path, line, wrong);
	free(text);
	return status;
}

static int load_plan(struct cure *cure)
{
	cure->plan = xcalloc(1, sizeof(*cure->plan));
	if (!cure->plan_path) {
		pads_plan_default(cure->plan);
		return 0;
	}
	if (read_plan(cure->plan_path, cure->plan))
		return -1;
	if (pads_plan_least(cure->plan) == SIZE_MAX && !cure->plan->stack_step)
		return fail("the plan %s has neither sites nor 'all' or 'stacks': there is nothing "
			    "to stagger", cure->plan_path);
	cure->plan_absolute = realpath(cure->plan_path, NULL);
	return cure->plan_absolute ? 0 : fail("cannot find the plan %s again: %s", cure->plan_path,
					      strerror(errno));
}

/* --- the program and the library --- */

static int find_program(struct cure *cure)
{
	const char *why;

	cure->program = program_find_or_say(cure->argv[0]);
	if (!cure->program)
		return -1;
	why = program_takes_no_library(cure->program);
	if (!why)
		why = program_keeps_allocator(cure->program);
	return why ? fail("cannot stagger the blocks of %s: %s", cure->argv[0], why) : 0;
}

static int find_library(struct cure *cure)
{
	char *directory = install_find(&install_pads);

	if (!directory)
		return -1;
	cure->library = xasprintf("%s/%s", directory, install_pads.file);
	free(directory);
	return 0;
}

/*
 * Memory that all processes of the program find by a name, as long as we live; nothing is left
 * behind, however we end.
 */
static int open_counts(struct cure *cure)
{
	void *memory = MAP_FAILED;

	/* A process that made it shorter would end us by SIGBUS. */
	cure->counts_fd = memfd_create("ccsample-pads", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (cure->counts_fd >= 0 && !ftruncate(cure->counts_fd, sizeof(*cure->counts)) &&
	    !fcntl(cure->counts_fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL))
		memory = mmap(NULL, sizeof(*cure->counts), PROT_READ | PROT_WRITE, MAP_SHARED,
			      cure->counts_fd, 0);
	if (memory == MAP_FAILED)
		return fail("cannot make memory that the program shares: %s", strerror(errno));
	cure->counts = memory;
	return 0;
}

int cure_open(struct cure *cure)
{
	cure->counts_fd = -1;
	return load_plan(cure) || find_program(cure) || find_library(cure) || open_counts(cure) ?
	       -1 : 0;
}

void cure_close(struct cure *cure)
{
	if (cure->counts)
		munmap(cure->counts, sizeof(*cure->counts));
	if (cure->counts_fd >= 0)
		close(cure->counts_fd);
	free(cure->plan_absolute);
	free(cure->program);
	free(cure->library);
	free(cure->plan);
}

/* Before what is preloaded already: an allocator there must come after ours. */
void cure_environment(const struct cure *cure)
{
	const char *others = getenv("LD_PRELOAD");
	char counts[64], *all;

	all = others && *others ? xasprintf("%s:%s", cure->library, others) :
				  xstrdup(cure->library);
	setenv("LD_PRELOAD", all, 1);
	snprintf(counts, sizeof(counts), "/proc/%d/fd/%d", (int)getppid(), cure->counts_fd);
	setenv(PADS_COUNTS_VARIABLE, counts, 1);
	if (cure->plan_absolute)
		setenv(PADS_VARIABLE, cure->plan_absolute, 1);
	else
		unsetenv(PADS_VARIABLE);
	free(all);
}

/* --- what was done --- */

uint64_t cure_blocks(const struct cure *cure)
{
	uint64_t blocks = cure->counts->stacks;
	uint32_t i;

	for (i = 0; i <= PADS_RULE_ALL; i++)
		blocks += cure->counts->blocks[i];
	return blocks;
}

uint32_t cure_unmet(const struct cure *cure, uint32_t *first)
{
	uint32_t i, unmet = 0;

	for (i = cure->plan->site_count; i-- > 0; )
		if (!cure->counts->blocks[i]) {
			unmet++;
			*first = i;
		}
	return unmet;
}

static void say_sites(const struct cure *cure)
{
	const struct pads_plan *plan = cure->plan;
	uint32_t first, unmet = cure_unmet(cure, &first);

	if (unmet) {
		const struct pads_module *module = &plan->modules[plan->sites[first].module];

		note("no block was staggered at %" PRIu32 " of %" PRIu32 " sites, %s+0x%" PRIx64
		     " first", unmet, plan->site_count, module->name,
		     plan->sites[first].offset);
	}
}

static void say_huge(const struct pads_counts *counts)
{
	char *made = text_size(counts->huge * PADS_HUGE);
	char *hinted = text_size(counts->huge_hinted * PADS_HUGE);

	if (counts->huge)
		note("%s of these blocks lie in huge pages", made);
	if (counts->huge_hinted)
		note("the kernel made no huge pages of %s of these blocks when they were allocated "
		     "(MADV_COLLAPSE, Linux 6.1); it may when they are used (MADV_HUGEPAGE)",
		     hinted);
	free(made);
	free(hinted);
}

void cure_say(const struct cure *cure)
{
	const struct pads_counts *counts = cure->counts;
	uint64_t stacks = counts->stacks, all = cure_blocks(cure), blocks = all - stacks;
	char *said = xasprintf("%" PRIu64 " block%s", blocks, blocks == 1 ? "" : "s");

	if (stacks)
		prose_append(&said, " and %" PRIu64 " stack%s of threads", stacks,
			     stacks == 1 ? "" : "s");
	if (!counts->processes && counts->blocked)
		note("nothing was staggered: the program has an allocator that comes before ours");
	else if (!counts->processes)
		note("nothing was staggered: no process loaded %s", install_pads.file);
	else if (!all && cure->plan->stack_step && !cure->plan->site_count &&
		  !cure->plan->has_all)
		note("nothing was staggered: no thread with a stack of 64 KiB or more was "
		     "created after the first");
	else if (!all)
		note("nothing was staggered: no site has two blocks of %zu bytes or more that may "
		     "be moved", pads_plan_least(cure->plan));
	else
		note("%s staggered, in %" PRIu64 " process%s", said, counts->processes,
		     counts->processes == 1 ? "" : "es");
	free(said);
	say_huge(counts);
	say_sites(cure);
}

/* --- one run --- */

static void become(const struct cure *cure)
{
	forward_signals_end();
	cure_environment(cure);
	execv(cure->program, cure->argv);
	fail("cannot run %s: %s", cure->argv[0], strerror(errno));
	_exit(127);
}

int cure_run(const struct cure *cure)
{
	pid_t pid;

	forward_signals_begin();
	pid = fork();
	if (!pid)
		become(cure);
	return forward_signals_wait(pid, cure->argv[0]);
}
