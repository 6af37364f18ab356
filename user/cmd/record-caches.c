// SPDX-License-Identifier: GPL-2.0-only
#include <stdint.h>
#include <string.h>

#include "base/fail.h"
#include "cmd/record-caches.h"
#include "host/machine-file.h"

static const char *const options_of[] = { "--D1", "--L2", "--L3" };

static int plan_pages(const char *text, struct record_request *request)
{
	if (text)
		return pages_given(&request->pages, text, request->caches.levels);
	if (request->caches.levels < 2)
		return 0;
	request->pages = (struct page_plan){ PAGES_REAL, 1 };
	if (pages_shown())
		return 0;
	request->pages.kind = PAGES_RANDOM;
	if (!request->quiet)
		note("pages: random:1, as the kernel shows page frames only with CAP_SYS_ADMIN "
		     "(--pages takes other models)");
	return 0;
}

/* The engine has one kind of level: true LRU, filled on a miss, evicting on its own. */
static void simplify(struct record_request *request)
{
	struct hierarchy_plan *plan = &request->caches;
	bool other = false;
	uint32_t n;

	for (n = 0; n < plan->levels; n++) {
		struct level_plan *level = &plan->level[n];

		other |= level->policy != POLICY_LRU || (n && level->inclusion != NON_INCLUSIVE);
		level->policy = POLICY_LRU;
		level->inclusion = NON_INCLUSIVE;
		if (level->hash && (!n || request->pages.kind == PAGES_IDENTITY)) {
			warning("L%u is simulated as one array: slices are known for physical "
				"addresses, which --pages identity does not have", n + 1);
			level->hash = NULL;
		}
	}
	if (other)
		warning("levels are sampled as non-inclusive and LRU; ccsample sim has others");
}

/* Options for levels that no event reaches. */
static void say_unused(const struct cache_options *options, uint32_t levels)
{
	uint32_t n;

	for (n = levels; n < CACHE_LEVELS; n++)
		if (options->levels[n])
			warning("%s has no effect without -e l%u-miss: not simulated",
				options_of[n], n + 1);
	if (options->pages && levels < 2)
		warning("--pages has no effect without -e l2-miss or l3-miss");
}

static int check_reach(const struct hierarchy_plan *plan, uint32_t reach)
{
	if (plan->levels >= reach)
		return 0;
	return fail("L%u misses need an L%u, which this machine does not report: give %s or "
		    "--machine", reach, plan->levels + 1, options_of[plan->levels]);
}

int record_caches_plan(const struct cache_options *options, const struct machine *machine,
		       struct record_request *request)
{
	struct hierarchy_plan *plan = &request->caches;
	uint32_t reach = request_reach(request);
	const char *error;

	memset(plan, 0, sizeof(*plan));
	request->simulated = true;
	if (options->machine && machine_plan(options->machine, plan) < 0)
		return -1;
	if (!options->machine)
		machine_levels(machine, plan);
	if (!plan->levels && !options->levels[0]) {
		warning("this machine does not report its caches: simulating 32K,8,64 (--D1 sets "
			"another)");
		cache_geometry_parse(&plan->level[0].geometry, "32K,8,64");
		plan->levels = 1;
	}
	if (caches_levels(plan, options) < 0 || check_reach(plan, reach) < 0)
		return -1;
	plan->levels = reach ? reach : 1;
	if (plan_pages(options->pages, request) < 0)
		return -1;
	say_unused(options, plan->levels);
	simplify(request);
	error = hierarchy_error(plan);
	return error ? fail("these caches cannot be simulated: %s", error) : 0;
}

int record_caches_here(const struct cache_options *options, const struct machine *machine,
		       struct record_request *request)
{
	struct hierarchy_plan *plan = &request->caches;

	memset(plan, 0, sizeof(*plan));
	request->simulated = false;
	if (options->pages)
		return fail("--pages is for the engine: the hardware has its own pages");
	if (options->machine && machine_plan(options->machine, plan) < 0)
		return -1;
	if (!options->machine)
		machine_levels(machine, plan);
	if (caches_levels(plan, options) < 0)
		return -1;
	if (!plan->levels)
		return fail("this machine does not report its caches: give --D1 or --machine");
	return 0;
}
