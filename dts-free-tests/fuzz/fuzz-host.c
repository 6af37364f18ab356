// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the kernel says of this machine and of processes, as if it said anything: each file of /sys and
 * /proc that is opened holds what the input's next bytes choose, words of such files or any bytes, or
 * is not there. By the first byte: the machine and its caches, the laboratory's knobs, who shares a
 * cache; or a process.
 */
#include <stdlib.h>

#include "base/array.h"
#include "cachesim/hierarchy.h"
#include "files.h"
#include "format/format.h"
#include "host/event-names.h"
#include "host/lab.h"
#include "host/machine.h"
#include "host/proc.h"
#include "recipe.h"
#include "require.h"
#include "sharing/co-run.h"

#define ROOT	"/memory/machine"
#define NOBODY	0x7ffffffe	/* no process: what is no text of ours is not there */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct recipe recipe;

static const char *const words[] = {
	"0", "1", "2", "3", "8", "12", "16", "64", "-1", "K", "M", "32K", "48K", "1024K", "18446744073709551615K", "\n",
	"\n", "\n", " ", "\t", ":", "Data\n", "Unified\n", "Instruction\n", "0-7", "0,2-3", "1023", "0-4294967295", ",", "-",
	"on", "off", "performance\n", "[always] madvise never\n", "model name\t: a processor\n", "vendor_id\t: GenuineIntel\n",
	"cpu family\t: 6\n", "model\t\t: 143\n", "stepping\t: 8\n", "vendor_id\t: AuthenticAMD\n", "isolcpus=1-3 ",
	"rcu_nocbs=all ", "nohz_full=", "State:\tS (sleeping)\n", "SigPnd:\tffffffffffffffff\n", "CapEff:\t0\n", "PPid:\t1\n",
	"400000-401000 r-xp 00000000 08:01 12 /bin/a\n", "401000-402000 rw-p 00001000 08:01 12 /bin/a\n",
	"7f0000000000-7f0000001000 r--p 00000000 08:01 13 /lib/ld.so\n", "ffffffffffffffff-0 rwxs ", "ffffffffffffffff ",
	" 08:01 12 ", "[stack]\n", "[heap]\n", "/a\\012b (deleted)\n", "1 (a) b) S 1 1\n", "1 (a) Z", ") X", "\033[31m", "\xff",
	"123456789012345678901234567890123456789012345678901234567890", "0x", ".",
};

/* As file_make. */
static bool make(const char *path, struct file *file)
{
	uint8_t how, count;

	if (strncmp(path, "/proc/", 6) && strncmp(path, "/sys/", 5) &&
	    strncmp(path, ROOT, sizeof(ROOT) - 1))
		return false;
	how = byte(&recipe);
	if (!how)
		return false;
	for (count = how / 2; count && recipe.at < recipe.end; count--) {
		uint8_t next = byte(&recipe);

		if (how & 1)
			file_add(file, words[next % ARRAY_SIZE(words)],
				 strlen(words[next % ARRAY_SIZE(words)]));
		else
			file_add(file, &next, 1);
	}
	return true;
}

static void require_level(const struct cache_geometry *cache)
{
	require(cache->ways && cache->sets && cache->line && !(cache->line & (cache->line - 1)));
}

static void write_out(void (*write)(FILE *out, const void *what), const void *what)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	write(out, what);
	fclose(out);
	require(size && strlen(text) == size);
	free(text);
}

static void write_machine(FILE *out, const void *machine)
{
	machine_text(out, machine);
	machine_json(out, machine);
}

static void try_machine(void)
{
	struct hierarchy_plan plan = { .levels = 0 };
	struct machine machine;
	struct event_cpu cpu;
	uint32_t i;

	machine_read(&machine);
	require(machine.cache_count <= MACHINE_CACHES && machine.kind_count <= MACHINE_KINDS);
	for (i = 0; i < machine.cache_count; i++) {
		require(machine.caches[i].level >= 1 && machine.caches[i].level <= CACHE_LEVELS);
		require_level(&machine.caches[i].geometry);
	}
	machine_levels(&machine, &plan);
	require(plan.levels <= CACHE_LEVELS);
	if (plan.levels)
		hierarchy_error(&plan);
	write_out(write_machine, &machine);
	event_cpu_find(NULL, &cpu);
}

static void write_lab(FILE *out, const void *lab)
{
	lab_text(out, lab, false);
	lab_json(out, lab);
}

static void try_lab(void)
{
	struct lab lab;
	size_t i;

	lab_look(&lab, ROOT, lab_choose_cpu(ROOT) % CPU_SETSIZE);
	for (i = 0; i < lab.count; i++)
		lab_accepts(&lab.items[i], lab.items[i].value ? lab.items[i].value : "1");
	write_out(write_lab, &lab);
	lab_free(&lab);
}

static void try_co_run(void)
{
	struct co_run_place place;

	if (!co_run_find(&place, 1 + byte(&recipe) % CACHE_LEVELS))
		require(!CPU_ISSET(place.stressmark, &place.program));
}

static void try_process(void)
{
	struct proc_maps maps;
	char **arguments;
	size_t i;

	if (!proc_read_maps(NOBODY, &maps)) {
		require(maps.count);
		for (i = 0; i < maps.count; i++)
			require(!strchr(maps.all[i].path, '\n') &&
				!(maps.all[i].protection &
				  ~(CCS_MAP_READ | CCS_MAP_WRITE | CCS_MAP_EXEC)));
		proc_runs_alone(&maps);
	}
	proc_free_maps(&maps);
	arguments = proc_arguments(NOBODY);
	for (i = 0; arguments && arguments[i]; i++)
		free(arguments[i]);
	free(arguments);
	proc_status(NOBODY, "PPid");
	proc_signals(NOBODY, "SigPnd");
	proc_is_gone(1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static void (*const kinds[])(void) = { try_machine, try_lab, try_co_run, try_process };

	recipe = (struct recipe){ data, data + size };
	if (!file_make) {
		setenv("CCSAMPLE_SYSROOT", ROOT, 1);
		file_make = make;
	}
	kinds[byte(&recipe) % ARRAY_SIZE(kinds)]();
	recipe = (struct recipe){ NULL, NULL };
	return 0;
}
