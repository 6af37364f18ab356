// SPDX-License-Identifier: GPL-2.0-only
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/fail.h"
#include "options/caches.h"
#include "bursts/burst-choice.h"
#include "findings/findings.h"
#include "host/machine-file.h"
#include "host/machine.h"
#include "simulate/request-text.h"

#define ASKED_MOST	(16u << 20)	/* bytes */

const struct option_row machine_rows[] = {
	{ "machine", 0, "NAME|FILE", "the caches of a machine; ccsample sim --machine list shows "
	  "the names [this machine's]", option_text,
	  .target = offsetof(struct cache_options, machine) },
	{ }
};

const struct option_row level_rows[] = {
	{ "D1", 0, "SIZE,WAYS,LINE", "the L1 data cache, as in 32K,8,64", option_text,
	  .target = offsetof(struct cache_options, levels[0]) },
	{ "L2", 0, "SIZE,WAYS,LINE", "the L2 cache", option_text,
	  .target = offsetof(struct cache_options, levels[1]) },
	{ "L3", 0, "SIZE,WAYS,LINE", "the L3 cache", option_text,
	  .target = offsetof(struct cache_options, levels[2]) },
	{ }
};

const struct option_row asked_rows[] = {
	{ "D1", 0, "SIZE,WAYS,LINE", "the L1 data cache, as in 32K,8,64 [the recording's]",
	  option_text, .target = offsetof(struct asked_caches, options.levels[0]) },
	{ "L2", 0, "SIZE,WAYS,LINE", "the L2 cache, with --D1 or --machine", option_text,
	  .target = offsetof(struct asked_caches, options.levels[1]) },
	{ "pages", 0, "MODEL", "where pages lie in physical memory, which indexes L2: "
	  "random[:SEED], huge[:SEED] (2 MiB pages) or identity [random:1]", option_text,
	  .target = offsetof(struct asked_caches, options.pages) },
	{ "machine", 0, "NAME|FILE", "those of a machine; ccsample sim --machine list shows the "
	  "names",
	  option_text, .target = offsetof(struct asked_caches, options.machine) },
	{ "all-bursts", 0, NULL, "read all bursts; of more than 24 million references one in so "
	  "many bursts is read, chosen at random", option_flag,
	  .target = offsetof(struct asked_caches, all_bursts) },
	{ }
};

static const char *const policies[] = { "lru", "plru", "fifo", NULL };

const struct option_row policy_rows[] = {
	{ "policy", 0, "NAME", "replacement in all levels: lru, plru (a binary tree) or fifo",
	  option_text, .target = offsetof(struct cache_options, policy), .choices = policies },
	{ "inclusion", 0, "L2[,L3]", "inclusive, exclusive or non-inclusive [the machine's, else "
	  "non-inclusive]", option_text, .target = offsetof(struct cache_options, inclusion) },
	{ }
};

int plan_this_machine(struct hierarchy_plan *plan)
{
	struct machine machine;

	machine_read(&machine);
	machine_levels(&machine, plan);
	if (!plan->levels)
		return fail("this machine does not report its caches: give --machine or --D1");
	return 0;
}

int caches_levels(struct hierarchy_plan *plan, const struct cache_options *caches)
{
	for (uint32_t n = 0; n < CACHE_LEVELS; n++)
		if (caches->levels[n] && plan_level(plan, n, caches->levels[n]) < 0)
			return -1;
	return 0;
}

bool caches_given(const struct cache_options *caches)
{
	return caches->machine || caches->levels[0] || caches->levels[1] || caches->levels[2];
}

int caches_plan(struct hierarchy_plan *plan, const struct cache_options *caches)
{
	memset(plan, 0, sizeof(*plan));
	if (caches->machine && machine_plan(caches->machine, plan) < 0)
		return -1;
	if (!caches_given(caches) && plan_this_machine(plan) < 0)
		return -1;
	return caches_change(plan, caches);
}

int caches_change(struct hierarchy_plan *plan, const struct cache_options *caches)
{
	const char *error;

	if (caches_levels(plan, caches) < 0)
		return -1;
	if (caches->policy && plan_policy(plan, caches->policy) < 0)
		return -1;
	if (caches->inclusion && plan_inclusion(plan, caches->inclusion) < 0)
		return -1;
	error = hierarchy_error(plan);
	return error ? fail("these caches cannot be simulated: %s", error) : 0;
}

int pages_of_input(struct page_plan *pages, const char *text)
{
	if (pages_given(pages, text, 1) < 0)
		return -1;
	if (pages->kind == PAGES_REAL)
		return fail("--pages real: neither a trace nor a recording of bursts has the "
			    "frames of its pages: take random, huge or identity");
	return 0;
}

int caches_asked(struct asked_caches *asked, struct analysis_options *analysis)
{
	analysis->caches = NULL;
	analysis->read_most = asked->all_bursts ? BURSTS_READ_ALL : 0;
	analysis->pages = asked->options.pages ? &asked->pages : NULL;
	if (analysis->pages && pages_of_input(&asked->pages, asked->options.pages) < 0)
		return -1;
	if (!asked->options.machine && !asked->options.levels[0] && asked->options.levels[1])
		return fail("--L2 needs --D1: the L1 cache that it lies behind");
	if (!asked->options.machine && !asked->options.levels[0])
		return 0;
	if (caches_plan(&asked->plan, &asked->options) < 0)
		return -1;
	if (cache_size(&asked->plan.level[0].geometry) > ASKED_MOST)
		return fail("an L1 of more than 16 MiB: bursts are too short to fill it");
	analysis->caches = &asked->plan;
	return 0;
}

/* The kernel writes 0 for frames that it hides (pagemap.rst). */
bool pages_shown(void)
{
	int fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	uint64_t entry = 0, page = sysconf(_SC_PAGESIZE);
	volatile char here = 1;
	off_t at = (uintptr_t)&here / page * sizeof(entry);

	if (fd < 0 || pread(fd, &entry, sizeof(entry), at) != sizeof(entry))
		entry = 0;
	if (fd >= 0)
		close(fd);
	return entry & (((uint64_t)1 << 55) - 1);
}

int pages_given(struct page_plan *pages, const char *text, uint32_t levels)
{
	const char *wrong = page_plan_parse(pages, text);

	if (wrong)
		return fail("--pages %s: %s", text, wrong);
	if (levels < 2 || pages->kind != PAGES_REAL || pages_shown())
		return 0;
	return fail("--pages real: the kernel shows page frames only with CAP_SYS_ADMIN: run as "
		    "root, or take random, huge or identity");
}
