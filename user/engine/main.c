// SPDX-License-Identifier: GPL-2.0-only
#include "pub_tool_basics.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_options.h"
#include "pub_tool_tooliface.h"

#include "engine/engine.h"
#include "engine/pages.h"

#define PERIOD_MAX	(1ll << 40)
#define BURST_MAX	(1ll << 20)
#define SOCKET_MAX	107	/* sockaddr_un less the zero of an abstract name */

struct engine_options engine_options = {
	.l1_text = "32K,8,64",
	.pages = { PAGES_RANDOM, 1 },
	.period = 1212,
	.spread = 0,
	.burst = 1024,
	.seed = 1,
};

static Bool parse_geometry(const HChar *arg)
{
	const char *wrong = cache_geometry_parse(&engine_options.l1, engine_options.l1_text);

	if (wrong)
		VG_(fmsg_bad_option)(arg, "%s\n", wrong);
	return True;
}

static Bool parse_pages(const HChar *arg)
{
	const char *wrong = page_plan_parse(&engine_options.pages, engine_options.pages_text);

	if (wrong)
		VG_(fmsg_bad_option)(arg, "%s\n", wrong);
	return True;
}

static Bool option(const HChar *arg)
{
	if VG_STR_CLO(arg, "--D1", engine_options.l1_text)
		return parse_geometry(arg);
	if VG_STR_CLO(arg, "--pages", engine_options.pages_text)
		return parse_pages(arg);
	if VG_STR_CLO(arg, "--socket", engine_options.socket)
		return True;
	if VG_STR_CLO(arg, "--totals", engine_options.totals)
		return True;
	if VG_BINT_CLO(arg, "--period", engine_options.period, 1, PERIOD_MAX)
		return True;
	if VG_BINT_CLO(arg, "--spread", engine_options.spread, 0, PERIOD_MAX)
		return True;
	if VG_BINT_CLO(arg, "--burst", engine_options.burst, 1, BURST_MAX)
		return True;
	if VG_INT_CLO(arg, "--seed", engine_options.seed)
		return True;
	if VG_BOOL_CLO(arg, "--exec", engine_options.exec)
		return True;
	return False;
}

static void usage(void)
{
	VG_(printf)(
"    --D1=size,ways,line       the L1 data cache to simulate [32K,8,64]\n"
"    --pages=identity|random[:seed]|huge[:seed]|real\n"
"                              frames, for caches indexed by physical address [random:1]\n"
"    --socket=name             abstract socket of the recorder [none: simulate only]\n"
"    --period=<number>         sample one load miss in so many [1212]\n"
"    --spread=<number>         vary the period by up to so many [0]\n"
"    --burst=<number>          most consecutive misses in a burst, 1 = single ones [1024]\n"
"    --seed=<number>           of the sampler's chance [1]\n"
"    --totals=yes|<file>       tell the totals at exit [no]\n");
}

static void debug_usage(void)
{
	VG_(printf)("    --exec=yes                this image was started by an exec\n");
}

/* Valgrind goes on after a bad option that is told this late; its usual status for one is 1. */
static void refuse(const HChar *name, const HChar *wrong)
{
	VG_(fmsg_bad_option)(name, "%s\n", wrong);
	VG_(exit)(1);
}

static void check_options(void)
{
	if (engine_options.socket && VG_(strlen)(engine_options.socket) > SOCKET_MAX)
		refuse("--socket", "the name is longer than 107 bytes");
	if (engine_options.burst == 1 && engine_options.spread >= engine_options.period)
		refuse("--spread", "it must be less than --period");
	if (engine_options.totals && VG_STREQ(engine_options.totals, "no"))
		engine_options.totals = NULL;
	if (!engine_options.l1.ways)
		parse_geometry("--D1");
}

static void options_known(void)
{
	check_options();
	l1_init();
	frames_init(&engine_options.pages);
	instrument_init();
	process_begin();
}

static void pre_clo_init(void)
{
	VG_(details_name)("ccsample");
	VG_(details_version)(CCSAMPLE_VERSION);
	VG_(details_description)("the reference engine of ccsample");
	VG_(details_copyright_author)("GPL-2.0-only");
	VG_(details_bug_reports_to)("the ccsample project");
	VG_(details_avg_translation_sizeB)(400);
	VG_(basic_tool_funcs)(options_known, instrument, process_end);
	VG_(needs_command_line_options)(option, usage, debug_usage);
	process_init();
	maps_init();
	heap_init();
}

VG_DETERMINE_INTERFACE_VERSION(pre_clo_init)
