// SPDX-License-Identifier: GPL-2.0-only
/* Caches and processors of machines made of files, which CCSAMPLE_SYSROOT names. */
#include "base/cpu-list.h"
#include "fake-root.h"
#include "host/event-names.h"
#include "host/machine.h"
#include "record/cores.h"
#include "tap.h"

static unsigned int caches_of;	/* the CPU whose caches are put */

static void put_cache(unsigned int index, const char *type, const char *level, const char *size,
		      const char *ways)
{
	const char *const files[][2] = {
		{ "type", type }, { "level", level }, { "size", size },
		{ "ways_of_associativity", ways }, { "coherency_line_size", "64\n" },
	};

	for (int i = 0; i < 5; i++) {
		char *path = xasprintf("/sys/devices/system/cpu/cpu%u/cache/index%u/%s", caches_of,
				       index, files[i][0]);

		put(path, files[i][1]);
		free(path);
	}
}

static void begin_machine(struct machine *machine)
{
	begin();
	setenv("CCSAMPLE_SYSROOT", root, 1);
	machine_read(machine);
}

static bool is(const struct machine_cache *cache, uint32_t level, uint32_t sets, uint32_t ways)
{
	return cache->level == level && cache->geometry.sets == sets &&
	       cache->geometry.ways == ways && cache->geometry.line == 64;
}

static void whole_machine(void)
{
	struct hierarchy_plan plan = { 0 };
	struct machine machine;

	begin_machine(&machine);
	ok(!machine.cache_count && !strcmp(machine.cpu, "unknown"), "nothing is told: nothing is "
								    "known");
	put("/proc/cpuinfo", "processor\t: 0\nmodel name\t: Core: 2\nmodel name\t: another\n");
	put_cache(0, "Data\n", "1\n", "48K\n", "12\n");
	put_cache(1, "Instruction\n", "1\n", "32K\n", "8\n");
	put_cache(2, "Unified\n", "2\n", "2M\n", "16\n");
	put_cache(3, "Unified\n", "3\n", "36864K\n", "12\n");
	machine_read(&machine);
	ok(!strcmp(machine.cpu, "Core: 2"), "the first processor's name, whole");
	/* Sets = size / (ways x line). */
	ok(machine.cache_count == 3 && is(&machine.caches[0], 1, 64, 12) &&
	   is(&machine.caches[1], 2, 2048, 16) && is(&machine.caches[2], 3, 49152, 12) &&
	   machine.caches[1].size == 2 << 20, "three caches, that of instructions left out");
	machine_levels(&machine, &plan);
	ok(plan.levels == 3 && plan.level[2].geometry.sets == 49152, "they make a hierarchy");
	ok(!machine.kind_count, "of cores of one kind");
}

/* Whose caches are taken for CPUs of a list? @cores: how they are called */
static void choose(struct machine machine, const char *list, uint32_t ways, const char *cores)
{
	cpu_set_t cpus;
	char *text;

	ok(!cpus_parse(list, &cpus), "CPUs %s", list);
	cores_choose(&machine, &cpus);
	text = cores_text(&machine, &cpus);
	ok(machine.caches[0].geometry.ways == ways && text && !strcmp(text, cores),
	   "... L1 of %u ways, %s", machine.caches[0].geometry.ways, text ? text : "alike");
	free(text);
}

static void chosen(const struct machine *machine)
{
	choose(*machine, "3-5", 12, "cpu_core 3-5");
	choose(*machine, "8,15", 8, "cpu_atom 8,15");
	choose(*machine, "7-8", 12,
	       "cpu_core 7, cpu_atom 8 (caches that are not given: CPU 0's for all)");
}

/* Golden Cove and Gracemont, as Alder Lake has them. */
static void hybrid(void)
{
	struct machine machine;
	char *text;

	begin_machine(&machine);
	put("/sys/devices/cpu_core/cpus", "0-7\n");
	put("/sys/devices/cpu_atom/cpus", "8-15\n");
	put_cache(0, "Data\n", "1\n", "48K\n", "12\n");
	caches_of = 8;
	put_cache(0, "Data\n", "1\n", "32K\n", "8\n");
	put_cache(1, "Instruction\n", "1\n", "64K\n", "8\n");
	put_cache(2, "Unified\n", "2\n", "2M\n", "16\n");
	caches_of = 0;
	machine_read(&machine);
	ok(machine.kind_count == 2 && is(&machine.caches[0], 1, 64, 12) &&
	   machine.kinds[0].cache_count == 1 && is(&machine.kinds[0].caches[0], 1, 64, 12) &&
	   !strcmp(machine.kinds[0].cpus, "0-7"), "a hybrid processor: its first kind of cores");
	ok(!strcmp(machine.kinds[1].name, "cpu_atom") && !strcmp(machine.kinds[1].cpus, "8-15") &&
	   machine.kinds[1].cache_count == 2 && is(&machine.kinds[1].caches[0], 1, 64, 8),
	   "and the other, with its own caches");
	text = machine_caches_text(machine.kinds[1].caches, 2, "; ");
	ok(!strcmp(text, "L1 = 32K,8,64; L2 = 2048K,16,64"), "as in a machine file: %s", text);
	free(text);
	chosen(&machine);
}

static void broken_machines(void)
{
	struct hierarchy_plan plan = { 0 };
	struct machine machine;

	begin_machine(&machine);
	put_cache(0, "Data\n", "1\n", "33K\n", "7\n");
	put_cache(1, "Unified\n", "2\n", "1M\n", "16\n");
	put_cache(2, "Unified\n", "4\n", "64M\n", "16\n");
	put_cache(3, "Unified\n", "3\n", "", "");
	machine_read(&machine);
	ok(machine.cache_count == 1 && is(&machine.caches[0], 2, 1024, 16),
	   "a size that is no multiple, a fourth level, empty files: left out");
	machine_levels(&machine, &plan);
	ok(!plan.levels, "without L1 there is no hierarchy");
	begin_machine(&machine);
	for (unsigned int i = 0; i < 10; i++)
		put_cache(i, "Data\n", "1\n", "32K\n", "8\n");
	machine_read(&machine);
	ok(machine.cache_count == 4, "no more caches than there is room for");
}

static void processors(void)
{
	static const struct {
		const char *text, *name, *proxy_for;
	} cases[] = {
		/* Models: SDM volume 4, table 2-1. */
		{ "vendor_id : GenuineIntel\ncpu family : 6\nmodel : 94\n", "skl", NULL },
		{ "vendor_id : GenuineIntel\ncpu family : 6\nmodel : 207\n", "spr",
		  "Emerald Rapids" },
		{ "vendor_id : GenuineIntel\ncpu family : 6\nmodel : 140\n", "icl", "Tiger Lake" },
		{ "vendor_id : AuthenticAMD\ncpu family : 6\nmodel : 94\n", "unknown", NULL },
		{ "vendor_id : GenuineIntel\ncpu family : 15\nmodel : 94\n", "unknown", NULL },
		{ "", "unknown", NULL },
	};
	struct event_name event;
	struct event_cpu cpu;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *name = cases[i].name, *other = cases[i].proxy_for;
		bool known = strcmp(name, "unknown");

		begin();
		setenv("CCSAMPLE_SYSROOT", root, 1);
		put("/proc/cpuinfo", cases[i].text);
		ok(!event_cpu_find(NULL, &cpu) && !strcmp(cpu.name, name) && cpu.here,
		   "case %zu: %s", i, name);
		ok(other ? cpu.proxy_for && !strcmp(cpu.proxy_for, other) : !cpu.proxy_for,
		   "case %zu: for %s", i, other ? other : "itself");
		ok(event_name_resolve(&cpu, "MEM_LOAD_RETIRED.L1_MISS", &event) == known &&
		   (!known || (event.code == 0x08d1 && event.level == 1)),
		   "case %zu: events by name", i);
	}
}

int main(void)
{
	whole_machine();
	hybrid();
	broken_machines();
	processors();
	remove_root();
	return done();
}
