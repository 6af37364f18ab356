// SPDX-License-Identifier: GPL-2.0-only
/*
 * The knobs, in the order in which they are set; they are set back in the other
 * one. Interrupts come before the sibling: a CPU that is off takes none.
 * Paths: Documentation/admin-guide of the kernel (pm/cpufreq, pm/intel_pstate,
 * sysctl/kernel, mm/transhuge, kernel-parameters).
 */
#include "base/array.h"
#include "host/lab.h"

static const struct lab_word off_on[] = { { "0", "off" }, { "1", "on" }, { } };
static const struct lab_word on_off[] = { { "0", "on" }, { "1", "off" }, { } };
static const struct lab_word randomized[] = {
	{ "0", "off" }, { "1", "partial" }, { "2", "full" }, { }
};
/* The mode in brackets; each is written as it is. */
static const struct lab_word huge[] = {
	{ "always", "always" }, { "madvise", "madvise" }, { "never", "never" }, { }
};

const struct lab_knob lab_knobs[] = {
	{
		.name = "governor", .wanted = "performance", .usual = true, .per_cpu = true,
		.why = "the clock of the CPU follows the load",
		.places = { { "/sys/devices/system/cpu/cpu%u/cpufreq/scaling_governor" } },
	}, {
		.name = "turbo", .wanted = "off", .usual = true,
		.why = "the clock follows heat and neighbours",
		.places = {
			{ "/sys/devices/system/cpu/intel_pstate/no_turbo", on_off },
			{ "/sys/devices/system/cpu/cpufreq/boost", off_on },
		},
	}, {
		.name = "watchdog", .wanted = "off", .usual = true,
		.why = "the NMI watchdog takes a counter of each CPU, and interrupts",
		.places = { { "/proc/sys/kernel/nmi_watchdog", off_on } },
	}, {
		.name = "aslr", .wanted = "off", .usual = true,
		.why = "data lie elsewhere in each run",
		.places = { { "/proc/sys/kernel/randomize_va_space", randomized } },
	}, {
		.name = "irq", .usual = true,
		.why = "interrupts run on the CPU, and through its caches",
		.look = lab_look_interrupts, .accepts = lab_accepts_cpus,
	}, {
		.name = "sibling", .wanted = "none", .usual = true, .per_cpu = true,
		.why = "the other thread of the core shares its L1 and L2",
		.look = lab_look_sibling, .set = lab_set_sibling, .accepts = lab_accepts_cpus,
	}, {
		.name = "prefetch", .wanted = "off",
		.why = "prefetched lines do not miss; off, a program misses as under the engine",
		.look = lab_look_prefetchers, .set = lab_set_prefetcher,
		.per_cpu = true,
	}, {
		.name = "thp",
		.why = "where huge pages lie, the sets of L2 and L3 follow the virtual address",
		.places = { { "/sys/kernel/mm/transparent_hugepage/enabled", huge } },
	}, {
		.name = "hugepages", .number = true,
		.why = "huge pages set aside for programs that ask for them",
		.places = { { "/proc/sys/vm/nr_hugepages" } },
	}, {
		.name = "isolcpus", .shown = true,
		.why = "the scheduler does not use these CPUs; a boot option",
		.places = { { "/sys/devices/system/cpu/isolated" } }, .look = lab_look_isolated,
	}, {
		.name = "nohz_full", .shown = true,
		.why = "no timer tick on these while one task runs; a boot option",
		.places = { { "/sys/devices/system/cpu/nohz_full" } }, .look = lab_look_isolated,
	}, {
		.name = "rcu_nocbs", .shown = true,
		.why = "RCU's callbacks of these run elsewhere; a boot option",
		.look = lab_look_callbacks,
	}, {
		.name = "paranoid", .shown = true,
		.why = "what perf lets you measure; ccsample asks for CAP_PERFMON",
		.places = { { "/proc/sys/kernel/perf_event_paranoid" } },
	},
};

const size_t lab_knobs_nr = ARRAY_SIZE(lab_knobs);
