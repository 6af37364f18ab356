// SPDX-License-Identifier: GPL-2.0-only
#include "pub_tool_basics.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_options.h"
#include "pub_tool_tooliface.h"

#include "cachesim/policy-names.h"
#include "tracee/valgrind-lib/debug-lines.h"
#include "tracee/valgrind/caches.h"
#include "tracee/valgrind-lib/pages.h"
#include "tracee/valgrind-lib/words.h"
#include "tracee/valgrind/simulate.h"

#define PERIOD_MAX	(1ll << 40)
#define BURST_MAX	(1ll << 20)
#define SOCKET_MAX	107	/* sockaddr_un less the zero at its end */

struct engine_options engine_options = {
	.events = { { 1, 1212, 0, 1024 } },
	.pages = { PAGES_RANDOM, 1 },
	.seed = 1,
};

static const HChar *text;	/* of the current option */
static UInt events;		/* given so far */

static Bool bad(const HChar *arg, const char *wrong)
{
	if (wrong)
		VG_(fmsg_bad_option)(arg, "%s\n", wrong);
	return True;
}

static const char *parse_hash(const HChar *name, const struct slice_hash **hash)
{
	*hash = slice_hash_named(name);
	return *hash ? NULL : "there is no published slice hash of that name";
}

/* level,period,spread,burst; the first one given takes the default's place. */
static const char *parse_event(const HChar *at)
{
	static const Long most[] = { CACHE_LEVELS, PERIOD_MAX, PERIOD_MAX, BURST_MAX };
	Long number[4];
	HChar *end;
	UInt i;

	for (i = 0; i < 4; i++, at = end + 1) {
		number[i] = VG_(strtoll10)(at, &end);
		if (end == at || *end != (i < 3 ? ',' : 0))
			return "expected level,period,spread,burst";
		if (number[i] < (i == 1 || i == 2 ? 0 : 1) || number[i] > most[i])
			return "a level, period, spread or burst out of range";
	}
	if (number[3] == 1 && number[2] >= number[1])
		return "the spread must be less than the period";
	if (!number[1] && number[2])
		return "a period of 0, which adapts, has no spread";
	if (!events)
		engine_options.events[0].id = 0;
	engine_options.events[number[0] - 1] = (struct engine_event){
		++events, number[1], number[2], number[3],
	};
	return NULL;
}

static const char *parse_policies(const HChar *at)
{
	HChar name[16];
	UInt n;

	for (n = 0; n < CACHE_LEVELS; n++)
		if (!policy_named(words_next(&at, name, sizeof(name)),
				  &engine_options.plan.level[n].policy))
			return "expected a policy for each of three levels";
	return NULL;
}

static const char *parse_inclusions(const HChar *at)
{
	HChar name[16];
	UInt n;

	for (n = 1; n < CACHE_LEVELS; n++)
		if (!inclusion_named(words_next(&at, name, sizeof(name)),
				     &engine_options.plan.level[n].inclusion))
			return "expected inclusive, exclusive or non-inclusive for L2 and L3";
	return NULL;
}

static const char *parse_phases(const HChar *at)
{
	HChar *end;
	UInt i;

	engine_options.marked = VG_(strcmp)(at, "marked") == 0;
	if (engine_options.marked)
		return NULL;
	for (i = 0; i < 3; i++, at = end + 1) {
		engine_options.phases[i] = VG_(strtoll10)(at, &end);
		if (end == at || *end != (i < 2 ? ',' : 0))
			return "expected numbers of instructions: skip,warm,evaluate";
	}
	return engine_options.phases[2] ? NULL : "the third number must not be 0";
}

static Bool option(const HChar *arg)
{
	struct engine_cache *outer = engine_options.outer;

	if VG_STR_CLO(arg, "--D1", text)
		return bad(arg, cache_geometry_parse(&engine_options.l1, text));
	if VG_STR_CLO(arg, "--L2", text)
		return bad(arg, cache_geometry_parse(&outer[0].geometry, text));
	if VG_STR_CLO(arg, "--L3", text)
		return bad(arg, cache_geometry_parse(&outer[1].geometry, text));
	if VG_STR_CLO(arg, "--L2-hash", text)
		return bad(arg, parse_hash(text, &outer[0].hash));
	if VG_STR_CLO(arg, "--L3-hash", text)
		return bad(arg, parse_hash(text, &outer[1].hash));
	if VG_STR_CLO(arg, "--pages", text)
		return bad(arg, page_plan_parse(&engine_options.pages, text));
	if VG_STR_CLO(arg, "--event", text)
		return bad(arg, parse_event(text));
	if VG_STR_CLO(arg, "--socket", engine_options.socket)
		return True;
	if VG_STR_CLO(arg, "--totals", engine_options.totals)
		return True;
	if VG_INT_CLO(arg, "--seed", engine_options.seed)
		return True;
	if VG_BOOL_CLO(arg, "--trace", engine_options.trace)
		return True;
	if VG_BOOL_CLO(arg, "--stacks", engine_options.stacks)
		return True;
	if VG_BOOL_CLO(arg, "--simulate", engine_options.simulate)
		return True;
	if VG_STR_CLO(arg, "--policies", text)
		return bad(arg, parse_policies(text));
	if VG_STR_CLO(arg, "--inclusions", text)
		return bad(arg, parse_inclusions(text));
	if VG_STR_CLO(arg, "--phases", text)
		return bad(arg, parse_phases(text));
	if VG_BOOL_CLO(arg, "--refill", engine_options.refill)
		return True;
	if VG_STR_CLO(arg, "--function", engine_options.function)
		return True;
	if VG_BINT_CLO(arg, "--detector", engine_options.plan.detector, DETECTOR_NONE,
			DETECTOR_THREADS)
		return True;
	if VG_BINT_CLO(arg, "--prefetch", engine_options.plan.prefetchers, 1,
			(1 << PREFETCHERS) - 1)
		return True;
	if VG_BINT_CLO(arg, "--coherence", engine_options.turn, 1, COHERENCE_TURN_MOST) {
		engine_options.plan.coherence = True;
		return True;
	}
	if VG_BINT_CLO(arg, "--blocks", engine_options.blocks, 1, CCS_SIM_BLOCKS_MOST)
		return True;
	if VG_BINT_CLO(arg, "--alias", engine_options.alias, 0, 4096)
		return True;
	if VG_BOOL_CLO(arg, "--repeatable", engine_options.repeatable)
		return True;
	if VG_BINT_CLO(arg, "--layout", engine_options.layout, 0, CCS_LAYOUT_MOST)
		return True;
	if VG_BOOL_CLO(arg, "--exec", engine_options.exec)
		return True;
	if VG_STR_CLO(arg, "--birth", engine_options.birth)
		return True;
	return False;
}

static void usage(void)
{
	VG_(printf)(
"    --D1=size,ways,line       the L1 data cache to simulate [32K,8,64]\n"
"    --L2=size,ways,line       an L2 behind it, by physical address [none]\n"
"    --L3=size,ways,line       an L3 behind that [none]\n"
"    --L3-hash=name            its slices, as ccsample sim --machine list names them [one]\n"
"    --pages=identity|random[:seed]|huge[:seed]|real\n"
"                              frames, for L2 and L3 [random:1]\n"
"    --socket=path             socket of the recorder [none: simulate only]\n"
"    --event=level,period,spread,burst\n"
"                              sample the misses of a level, one in so many, the period\n"
"                              varied by up to the spread, in bursts of so many at most,\n"
"                              1 = single ones; once for each level; period 0: it adapts\n"
"                              [1,1212,0,1024]\n"
"    --seed=<number>           of the sampler's chance [1]\n"
"    --trace=yes               send all references, compressed; simulate nothing [no]\n"
"    --stacks=yes              then: tell code apart by the signature of its callers [no]\n"
"    --simulate=yes            classify every miss at all levels, send results instead of samples\n"
"    --policies=a,b,c          then: lru, plru or fifo, of L1, L2 and L3 [lru,lru,lru]\n"
"    --inclusions=b,c          of L2 and L3: inclusive, exclusive, non-inclusive\n"
"    --phases=skip,warm,evaluate|marked\n"
"                              simulate a part of the run, by instructions, or count what the\n"
"                              program marks [all]\n"
"    --refill=yes              a phase's warming up is over once L1 and L2 have been filled "
"again [no]\n"
"    --function=name           simulate or trace the references of this function's own code alone "
"[all]\n    --detector=0|1|2|3|4      also: 1 Collins-Tullsen, 2 reuse distances, 3 stack "
"distances, 4 those\n"
"                              of each thread, too [0]\n"
"    --prefetch=<bits>         prefetchers: 1 next-line, 2 stride, 4 adjacent, 8 stream [none]\n"
"    --coherence=<number>      threads' L1 and L2 by MESI; blocks that a thread runs in one go "
"[none]\n"
"    --blocks=<number>         blocks of a place that are objects of their own [none]\n"
"    --alias=<number>          count loads that alias with one of so many stores before [0]\n"
"    --repeatable=yes          the stack lies where it does whatever the environment, and samples\n"
"                              and caches begin at the program's entry [no]\n"
"    --layout=<number>         then: the stack and the heap lie elsewhere [0]\n"
"    --totals=yes|<file>       write the totals at exit [no]\n");
}

static void debug_usage(void)
{
	VG_(printf)("    --exec=yes                this image was started by an exec\n"
		    "    --birth=chance,lengths    what the image before it handed on\n");
}

/* Valgrind goes on after a bad option that is reported this late; its usual status for one is 1. */
static void refuse(const HChar *name, const HChar *wrong)
{
	VG_(fmsg_bad_option)(name, "%s\n", wrong);
	VG_(exit)(1);
}

/* What a level's cache needs of those further in. */
static void check_levels(void)
{
	const struct cache_geometry *inner = &engine_options.l1;
	const char *error;
	UInt n;

	for (n = 0; n < CACHE_LEVELS - 1; n++) {
		const struct engine_cache *cache = &engine_options.outer[n];

		if (!cache->geometry.ways) {
			if (engine_options.events[n + 1].id)
				refuse("--event", "its level is not simulated");
			inner = NULL;
			continue;
		}
		if (!inner)
			refuse("--L3", "it needs --L2");
		if (cache->geometry.line != inner->line)
			refuse(n ? "--L3" : "--L2", "all levels need lines of the same size");
		error = array_error(&cache->geometry, POLICY_LRU, cache->hash);
		if (error)
			refuse(n ? "--L3-hash" : "--L2-hash", error);
		inner = &cache->geometry;
	}
}

static void check_options(void)
{
	const char *error;

	if (engine_options.socket && VG_(strlen)(engine_options.socket) > SOCKET_MAX)
		refuse("--socket", "the path is longer than 107 bytes");
	if (engine_options.totals && VG_STREQ(engine_options.totals, "no"))
		engine_options.totals = NULL;
	if (!engine_options.l1.ways)
		cache_geometry_parse(&engine_options.l1, "32K,8,64");
	check_levels();
	error = sim_error();
	if (error)
		refuse(engine_options.simulate ? "--simulate" : "--D1", error);
}

static void options_known(void)
{
	check_options();
	debug_lines_wanted = engine_options.function != NULL;
	if (engine_options.simulate) {
		sim_init();
	} else {
		caches_init();
	}
	instrument_init();
	process_begin();
}

static void pre_clo_init(void)
{
	__builtin_cpu_init();	/* for fused.c: nothing runs constructors here */
	VG_(details_name)("ccsample");
	VG_(details_version)(CCSAMPLE_VERSION);
	VG_(details_description)("the reference engine of ccsample");
	VG_(details_copyright_author)("GPL-2.0-only");
	VG_(details_bug_reports_to)("the ccsample project");
	VG_(details_avg_translation_sizeB)(400);
	VG_(basic_tool_funcs)(options_known, instrument, process_end);
	VG_(needs_command_line_options)(option, usage, debug_usage);
	/*
	 * Loads of a register that is overwritten before it is used are loads, but VEX removes them
	 * with the register's value, unless all registers have to be right at each access.
	 */
	VG_(clo_vex_control).iropt_register_updates_default = VexRegUpdAllregsAtMemAccess;
	process_init();
	maps_init();
	heap_init();
}

VG_DETERMINE_INTERFACE_VERSION(pre_clo_init)
