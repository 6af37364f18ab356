// SPDX-License-Identifier: GPL-2.0-only
#include <linux/bitfield.h>
#include <linux/bits.h>
#include <linux/kernel.h>
#include <asm/cpufeature.h>
#include <asm/msr.h>
#include <asm/processor.h>

#include "ccsample.h"
#include "cpu.h"

/* IA32_PERF_CAPABILITIES, SDM volume 4, table 2-2. */
#define CAPABILITIES_PEBS_FORMAT	GENMASK_ULL(11, 8)
#define CAPABILITIES_PEBS_BASELINE	BIT_ULL(14)

#define FORMAT_OLDEST	1	/* the first one with a data address (Nehalem) */
#define FORMAT_STATUS	3	/* from here on `status` tells one counter from another */
#define FORMAT_ADAPTIVE	4	/* records made of groups (Ice Lake) */
#define FORMAT_NEWEST	5

/* CPUID: performance monitoring; its extension, where PEBS without a DS area is told. */
#define LEAF_PERFMON		0x0a
#define LEAF_FEATURES		7
#define PERFMON_EXTENDED	BIT(8)		/* leaf 7, subleaf 1, EAX */
#define LEAF_PERFMON_EXTENDED	0x23
#define ARCHITECTURAL_PEBS	GENMASK(5, 4)	/* leaf 0x23, EAX: subleaves 4 and 5 */

/* Memory events count on the first four counters, on parts with eight as well. */
#define MEMORY_CARRIERS		4
#define PERIOD_LEAST_EVER	2	/* "certain CPUs don't like it if just 1 is left" (perf) */

static const struct ccsample_named_event load_misses[] = {
	{ "l1-miss", 0x08d1, 1 },
	{ "l2-miss", 0x10d1, 2 },
	{ "l3-miss", 0x20d1, 3 },
};

#define NAMED(list)	.events = (list), .nr_events = ARRAY_SIZE(list)

/* Intel SDM volume 4, table 2-1; errata as in the parts' specification updates. */
static const struct ccsample_model models[] = {
	{ .first = 0x2a, .last = 0x2a, .name = "Sandy Bridge", .microcode = 0x28,
	  .warning = "no data address in records of cache misses" },
	{ .first = 0x2d, .last = 0x2d, .name = "Sandy Bridge-EP", .microcode = 0x618,
	  .warning = "no data address in records of cache misses" },
	{ .first = 0x3a, .last = 0x3a, .name = "Ivy Bridge",
	  .warning = "no data address in records of cache misses; BV98: counts leak to the sibling" },
	{ .first = 0x3e, .last = 0x3e, .name = "Ivy Bridge-EP",
	  .warning = "no data address in records of cache misses; counts leak to the sibling" },
	{ .first = 0x3c, .last = 0x3c, .name = "Haswell", NAMED(load_misses), .least_period = 32,
	  .warning = "HSD29: events leak to the sibling thread; HSD25, HSD74: L3 misses undercount" },
	{ .first = 0x3f, .last = 0x3f, .name = "Haswell-EP", NAMED(load_misses), .least_period = 32,
	  .warning = "HSE29: events leak to the sibling thread; L3 misses undercount" },
	{ .first = 0x45, .last = 0x46, .name = "Haswell", NAMED(load_misses), .least_period = 32,
	  .warning = "HSM30: events leak to the sibling thread; HSM26: L3 misses undercount" },
	{ .first = 0x3d, .last = 0x3d, .name = "Broadwell", NAMED(load_misses), .bursts = true,
	  .warning = "BDM100: L3 misses may undercount" },
	{ .first = 0x47, .last = 0x47, .name = "Broadwell", NAMED(load_misses), .bursts = true,
	  .warning = "BDM100: L3 misses may undercount" },
	{ .first = 0x4f, .last = 0x4f, .name = "Broadwell-EP", NAMED(load_misses), .bursts = true,
	  .warning = "BDE70: L3 misses may undercount" },
	{ .first = 0x56, .last = 0x56, .name = "Broadwell-DE", NAMED(load_misses), .bursts = true,
	  .warning = "BDE70: L3 misses may undercount" },
	{ .first = 0x4e, .last = 0x4e, .name = "Skylake", NAMED(load_misses), .bursts = true },
	{ .first = 0x5e, .last = 0x5e, .name = "Skylake", NAMED(load_misses), .bursts = true },
	{ .first = 0x55, .last = 0x55, .name = "Skylake-SP", NAMED(load_misses), .bursts = true },
	{ .first = 0x8e, .last = 0x8e, .name = "Kaby Lake", NAMED(load_misses), .bursts = true },
	{ .first = 0x9e, .last = 0x9e, .name = "Kaby Lake", NAMED(load_misses), .bursts = true },
	{ .first = 0xa5, .last = 0xa6, .name = "Comet Lake", NAMED(load_misses), .bursts = true },
	{ .first = 0x7d, .last = 0x7e, .name = "Ice Lake", NAMED(load_misses), .bursts = true },
	{ .first = 0x6a, .last = 0x6a, .name = "Ice Lake-SP", NAMED(load_misses), .bursts = true },
	{ .first = 0x6c, .last = 0x6c, .name = "Ice Lake-D", NAMED(load_misses), .bursts = true },
	{ .first = 0x8c, .last = 0x8d, .name = "Tiger Lake", NAMED(load_misses), .bursts = true },
	{ .first = 0xa7, .last = 0xa7, .name = "Rocket Lake", NAMED(load_misses), .bursts = true },
	{ .first = 0x8f, .last = 0x8f, .name = "Sapphire Rapids", NAMED(load_misses),
	  .bursts = true },
	{ .first = 0xcf, .last = 0xcf, .name = "Emerald Rapids", NAMED(load_misses),
	  .bursts = true },
};

struct ccsample_cpu ccsample_cpu __ro_after_init;

static const struct ccsample_model *find_model(void)
{
	if (boot_cpu_data.x86 != 6)
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(models); i++) {
		if (boot_cpu_data.x86_model >= models[i].first &&
		    boot_cpu_data.x86_model <= models[i].last)
			return &models[i];
	}
	return NULL;
}

static bool architectural_pebs(void)
{
	u32 a, b, c, d;

	if (boot_cpu_data.cpuid_level < LEAF_PERFMON_EXTENDED)
		return false;
	cpuid_count(LEAF_FEATURES, 1, &a, &b, &c, &d);
	return a & PERFMON_EXTENDED && cpuid_eax(LEAF_PERFMON_EXTENDED) & ARCHITECTURAL_PEBS;
}

/* Features without which there is no PEBS through a Debug Store. */
static const char *missing_feature(void)
{
	u64 misc;

	if (boot_cpu_data.x86_vendor != X86_VENDOR_INTEL)
		return "it is not an Intel one, and PEBS is";
	if (boot_cpu_has(X86_FEATURE_HYBRID_CPU))
		return "it has cores of more than one kind (hybrid)";
	if (architectural_pebs())
		return "its PEBS is the architectural one, without a Debug Store";
	if (!boot_cpu_has(X86_FEATURE_DS))
		return "it has no Debug Store (CPUID flag ds; most virtual machines hide it)";
	if (!boot_cpu_has(X86_FEATURE_DTES64))
		return "its Debug Store is not a 64-bit one (CPUID flag dtes64)";
	if (!boot_cpu_has(X86_FEATURE_PDCM))
		return "it does not tell its PEBS format (CPUID flag pdcm)";
	if (rdmsrl_safe(MSR_IA32_MISC_ENABLE, &misc) || misc & MSR_IA32_MISC_ENABLE_PEBS_UNAVAIL)
		return "PEBS is unavailable (MISC_ENABLE bit 12)";
	return NULL;
}

/* Record sizes and the place of the time stamp: SDM volume 3, tables 20-3 and following. */
static void describe_records(struct ccsample_cpu *cpu)
{
	static const u32 bytes[] = { 0, 176, 192, 200, 64, 64 };
	static const u32 tsc[] = { 0, 0, 0, 0xc0, 0x18, 0x18 };

	cpu->record_bytes = bytes[cpu->pebs_format];
	cpu->tsc_at = tsc[cpu->pebs_format];
}

static u32 features_of(const struct ccsample_cpu *cpu)
{
	u32 features = 0;

	if (cpu->pebs_format >= FORMAT_ADAPTIVE)
		features |= CCSAMPLE_ADAPTIVE;
	if (cpu->pebs_format >= FORMAT_STATUS)
		features |= CCSAMPLE_TELLS_EVENTS;
	if (cpu->tsc_at)
		features |= CCSAMPLE_HAS_TSC;
	if (cpu->model)
		features |= CCSAMPLE_KNOWN_MODEL;
	if (cpu->model && cpu->model->bursts)
		features |= CCSAMPLE_BURSTS;
	if (boot_cpu_has(X86_FEATURE_PTI))
		features |= CCSAMPLE_ISOLATED;
	return features;
}

const char *ccsample_cpu_probe(struct ccsample_cpu *cpu)
{
	const char *missing = missing_feature();
	unsigned int format;
	u64 capabilities;
	u32 perfmon;

	if (missing)
		return missing;
	if (rdmsrl_safe(MSR_IA32_PERF_CAPABILITIES, &capabilities))
		return "its PERF_CAPABILITIES cannot be read";
	format = FIELD_GET(CAPABILITIES_PEBS_FORMAT, capabilities);
	if (format < FORMAT_OLDEST)
		return "its PEBS records (format 0) hold no data address";
	if (format > FORMAT_NEWEST)
		return "its PEBS format is newer than this module";
	if (format >= FORMAT_ADAPTIVE && !(capabilities & CAPABILITIES_PEBS_BASELINE))
		return "its PEBS records cannot be asked for a data address (no PEBS baseline)";
	cpu->model = find_model();
	if (cpu->model && boot_cpu_data.microcode < cpu->model->microcode)
		return "its microcode is too old for PEBS";
	perfmon = cpuid_eax(LEAF_PERFMON);
	cpu->pebs_format = format;
	cpu->baseline = capabilities & CAPABILITIES_PEBS_BASELINE;
	cpu->counters = perfmon >> 8 & 0xff;
	cpu->counter_bits = perfmon >> 16 & 0xff;
	cpu->carriers = min_t(unsigned int, cpu->counters, MEMORY_CARRIERS);
	cpu->least_period = max_t(u32, cpu->model ? cpu->model->least_period : 0,
				  PERIOD_LEAST_EVER);
	describe_records(cpu);
	cpu->features = features_of(cpu);
	return NULL;
}
