// SPDX-License-Identifier: GPL-2.0-only
/* Plans of pads: what is read, what is refused and where, and how blocks are shifted. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "pads/plan.h"
#include "tap.h"

static struct pads_plan *plan;
static uint32_t line;

static const char *parse(const char *text)
{
	return pads_plan_parse(plan, text, strlen(text), &line);
}

static bool is_module(uint32_t index, const char *name)
{
	return !strcmp(plan->modules[index].name, name);
}

static void test_whole(void)
{
	static const char text[] =
		"# pads of app\n"
		"module app build-id 5F1c0a\r\n"
		"\n"
		"site app+0x1234 size 128K stagger 64   # buffers\n"
		"\tsite lib+x.so.1+0xfedcba9876543210 size 4096-64K stagger 4032 from 4095 align 64\n"
		"site app+0x1234 size 0x1000-2G stagger 192\n"
		"all size 1M-1M stagger 128";

	ok(!parse(text), "a whole plan");
	ok(plan->module_count == 2 && is_module(0, "app") && is_module(1, "lib+x.so.1"),
	   "modules by name, in which there may be a plus");
	ok(plan->modules[0].build_id_size == 3 &&
	   !memcmp(plan->modules[0].build_id, "\x5f\x1c\x0a", 3) &&
	   !plan->modules[1].build_id_size, "build-ids");
	ok(plan->site_count == 3 && plan->sites[0].module == 0 && plan->sites[1].module == 1 &&
	   plan->sites[2].module == 0 && plan->sites[0].offset == 0x1234 &&
	   plan->sites[1].offset == 0xfedcba9876543210, "sites");
	ok(plan->sites[0].rule.least == 131072 && plan->sites[0].rule.most == UINT64_MAX &&
	   plan->sites[0].rule.step == 64 && !plan->sites[0].rule.align, "a rule without an end");
	ok(plan->sites[1].rule.least == 4096 && plan->sites[1].rule.most == 65536 &&
	   plan->sites[1].rule.step == 4032 && plan->sites[1].rule.align == 64 &&
	   plan->sites[1].rule.first == 4095 && !plan->sites[0].rule.first, "a whole rule");
	ok(plan->sites[2].rule.most == 2ull << 30, "hexadecimal numbers and suffixes");
	ok(plan->has_all && plan->all.least == 1 << 20 && plan->all.most == 1 << 20,
	   "all, on a line without an end");
	ok(pads_plan_least(plan) == 4096, "the smallest block that any rule takes");
}

static void test_nothing(void)
{
	ok(!parse("") && !plan->site_count && !plan->has_all &&
	   pads_plan_least(plan) == SIZE_MAX, "an empty plan shifts nothing");
	ok(!parse("\n\n  # only a comment\n"), "comments alone");
	ok(!parse("stacks stagger 128 # of threads\n") && plan->stack_step == 128 &&
	   pads_plan_least(plan) == SIZE_MAX, "stacks alone");
	ok(!parse("site a+0x1 size 2M-4G huge\nsite a+0x2 size 2M stagger 64 from 3 align 16 huge") &&
	   plan->sites[0].rule.huge && !plan->sites[0].rule.step && plan->sites[1].rule.huge &&
	   plan->sites[1].rule.step == 64 && plan->sites[1].rule.first == 3 &&
	   plan->sites[1].rule.align == 16 && pads_plan_least(plan) == PADS_HUGE,
	   "huge pages, with and without a stagger");
	ok(!parse("all size 4K stagger 64") && !plan->all.huge && !plan->stack_step, "... and none without the word");
	pads_plan_default(plan);
	ok(!plan->stack_step, "... nor by default");
	ok(pads_plan_least(plan) == 131072 && plan->has_all && plan->all.step == 64,
	   "without a plan all blocks from 128 KiB on");
}

/* Whatever a file's name holds, it is read as it was written; and as it was before escapes. */
static void test_names(void)
{
	char name[PADS_NAME_MOST + 1], text[8 * PADS_NAME_MOST + 1024];
	int size;

	for (int i = 0; i < 255; i++)
		name[i] = i == '/' - 1 ? '0' : i + 1;
	name[255] = '\0';
	size = sprintf(text, "module ");
	size += pads_name_escape(text + size, name);
	size += sprintf(text + size, " build-id 12\nsite ");
	size += pads_name_escape(text + size, name);
	sprintf(text + size, "+0x1 size 4K stagger 64\n");
	ok(!parse(text) && plan->module_count == 1 && is_module(0, name) &&
	   plan->site_count == 1 && plan->modules[0].build_id_size == 1,
	   "a name of all bytes, in a line of its module and one of a site");
	pads_name_escape(text, "my app\n#1\\040");
	ok(!strcmp(text, "my\\040app\\012\\0431\\134040"), "escapes, as in /proc/mounts: %s", text);
	pads_name_escape(text, "lib\"x\"-\xc3\xa4+.so");
	ok(!strcmp(text, "lib\"x\"-\xc3\xa4+.so"), "other bytes stay");
	ok(!parse("site a\\+0x1 size 4K stagger 64\nsite \\40b\\049\\400+0x1 size 4K stagger 64") &&
	   is_module(0, "a\\") && is_module(1, "\\40b\\049\\400"), "what is no escape stays");
	ok(!parse("site a\\142+0x1 size 4K stagger 64\nmodule ab build-id 12") &&
	   plan->module_count == 1, "names are compared as the files have them");
	size = sprintf(text, "module ");
	memset(text + size, 'a', PADS_NAME_MOST + 1);
	strcpy(text + size + PADS_NAME_MOST + 1, " build-id 12");
	ok(parse(text) && line == 1, "no file has a name of 256 bytes");
	memmove(text + size, text + size + 1, strlen(text + size));
	ok(!parse(text), "... but of 255");
}

static void test_wrong(void)
{
	static const struct {
		const char *text;
		uint32_t line;
	} wrong[] = {
		{ "pad everything", 1 },
		{ "site", 1 },
		{ "\nsite app size 128K stagger 64", 2 },
		{ "site +0x12 size 128K stagger 64", 1 },
		{ "site app+0x size 128K stagger 64", 1 },
		{ "site app+12 size 128K stagger 64", 1 },
		{ "site app+0x12z size 128K stagger 64", 1 },
		{ "site app+0x12345678123456789 size 128K stagger 64", 1 },
		{ "all size 128K", 1 },
		{ "all size 128K stagger", 1 },
		{ "all size 128K stagger 63", 1 },
		{ "all size 128K stagger 0", 1 },
		{ "all size 128K stagger 4096", 1 },
		{ "all size 128K stagger 18446744073709551680", 1 },
		{ "all size 1983 stagger 64", 1 },
		{ "all size 128K-64K stagger 64", 1 },
		{ "all size 128K- stagger 64", 1 },
		{ "all size 128Kx stagger 64", 1 },
		{ "all size 99999999999G stagger 64", 1 },
		{ "all size 128K stagger 64 from", 1 },
		{ "all size 128K stagger 64 from 4096", 1 },
		{ "all size 128K stagger 64 align 64 from 1", 1 },
		{ "all size 128K stagger 64 from 1 more", 1 },
		{ "all size 128K stagger 64 align", 1 },
		{ "all size 128K stagger 64 align 48", 1 },
		{ "all size 128K stagger 64 align 8192", 1 },
		{ "all size 128K stagger 64 align 64 more", 1 },
		{ "all size 2097151 huge", 1 },
		{ "all size 2M from 1 huge", 1 },
		{ "all size 2M huge align 16", 1 },
		{ "all size 2M huge stagger 64", 1 },
		{ "all size 2M huge huge", 1 },
		{ "stacks stagger 64 huge", 1 },
		{ "all size 128K stagger 64\n#\nall size 128K stagger 64", 3 },
		{ "stacks", 1 },
		{ "stacks 64", 1 },
		{ "stacks stagger 65", 1 },
		{ "stacks stagger 4096", 1 },
		{ "stacks stagger 64 from 1", 1 },
		{ "stacks stagger 64\nstacks stagger 64", 2 },
		{ "site a\\000+0x1 size 128K stagger 64", 1 },
		{ "module app", 1 },
		{ "module app build-id", 1 },
		{ "module app build-id 123", 1 },
		{ "module app build-id 12xx", 1 },
		{ "module app build-id 12 34", 1 },
		{ "module app build-id 12\nmodule app build-id 12", 2 },
	};
	bool said;

	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		said = parse(wrong[i].text) != NULL;
		ok(said && line == wrong[i].line, "refused in line %u: %s", wrong[i].line,
		   strrchr(wrong[i].text, '\n') ? strrchr(wrong[i].text, '\n') + 1 : wrong[i].text);
	}
}

static void test_too_many(void)
{
	size_t size = 0, room = 64 * (PADS_SITES_MOST + 2), i;
	char *text = malloc(room);

	for (i = 0; i <= PADS_SITES_MOST; i++) {
		if (i == PADS_SITES_MOST)
			ok(!parse(text), "as many sites as there may be");
		size += snprintf(text + size, room - size, "site a+0x%zx size 4K stagger 64\n", i);
	}
	ok(parse(text) && line == PADS_SITES_MOST + 1, "one site too many");
	for (i = size = 0; i <= PADS_MODULES_MOST; i++)
		size += snprintf(text + size, room - size, "site m%zu+0x1 size 4K stagger 64\n", i);
	ok(parse(text) && line == PADS_MODULES_MOST + 1, "one module too many");
	free(text);
}

/* Over all steps and alignments: the alignment is kept, the room is enough, all places are used. */
static void test_shifts(void)
{
	bool aligned = true, within = true, all = true;
	uint32_t step, align;
	uint64_t k;

	for (step = PADS_GRAIN; step < PADS_SPAN; step += PADS_GRAIN)
		for (align = PADS_GRAIN; align <= 2 * PADS_SPAN; align *= 2) {
			uint64_t places = 0, wanted = 0;

			for (k = 0; k < 64; k++) {
				uint32_t shift = pads_shift(k, step, align);

				aligned = aligned && shift % align == 0;
				within = within && shift <= pads_room(align);
				places |= 1ull << shift / PADS_GRAIN;
				if (align < PADS_SPAN)
					wanted |= 1ull << k * ((step + align - 1) / align * align) %
						  PADS_SPAN / PADS_GRAIN;
				else
					wanted = 1;
			}
			all = all && places == wanted;
		}
	ok(aligned, "shifts are multiples of the alignment");
	ok(within, "shifts are no larger than the room that is asked for");
	ok(all, "the shifts of a step");
	for (k = 0, all = true; k < 64; k++)
		all = all && pads_shift(k, 64, 64) == 64 * k;
	ok(all && !pads_shift(64, 64, 64), "64 blocks have a line each, and it begins again");
}

static void test_alignment(void)
{
	const struct pads_rule kept = { .least = 4096, .most = 8192, .step = 64 };
	const struct pads_rule given_up = { .least = 4096, .most = 8192, .step = 64, .align = 64 };

	ok(pads_kept_align(&kept, 16) == 64 && pads_kept_align(&kept, 1024) == 1024,
	   "what is promised is kept, and lines are not split");
	ok(pads_kept_align(&given_up, 4096) == 64 && pads_kept_align(&given_up, 32) == 64,
	   "unless the plan gives it up");
	ok(!pads_shift(5, 64, 4096) && !pads_room(4096), "blocks aligned to pages stay");
	ok(pads_rule_takes(&kept, 4096) && pads_rule_takes(&kept, 8192) &&
	   !pads_rule_takes(&kept, 4095) && !pads_rule_takes(&kept, 8193), "sizes of a rule");
}

int main(void)
{
	plan = malloc(sizeof(*plan));
	memset(plan, 0xaa, sizeof(*plan));
	test_whole();
	test_nothing();
	test_names();
	test_wrong();
	test_too_many();
	test_shifts();
	test_alignment();
	free(plan);
	return done();
}
