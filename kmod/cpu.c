// SPDX-License-Identifier: GPL-2.0-only
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bits.h>
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <linux/nospec.h>
#include <linux/percpu.h>
#include <linux/smp.h>
#include <linux/spinlock.h>
#include <asm/cpufeature.h>
#include <asm/msr.h>
#include <asm/processor.h>

#include "compat/archpebs.h"
#include "compat/cpuid.h"
#include "archpebs.h"
#include "ccsample.h"
#include "cpu.h"
#include "gaps.h"
#include "models.h"
#include "refusals.h"

/* CPUID: performance monitoring; its extension, where PEBS without a DS area is reported. */
#define LEAF_PERFMON		0x0a
#define LEAF_FEATURES		7
#define PERFMON_EXTENDED	BIT(8)		/* leaf 7, subleaf 1, EAX */
#define LEAF_PERFMON_EXTENDED	0x23
#define ARCHITECTURAL_PEBS	GENMASK(5, 4)	/* leaf 0x23, EAX: subleaves 4 and 5 */
#define LEAF_HYBRID		0x1a

/* Memory events count on the first four counters, on parts with eight as well. */
#define MEMORY_CARRIERS		4
#define PERIOD_LEAST_EVER	2	/* "certain CPUs don't like it if just 1 is left" (perf) */
#define PERIOD_BITS		41	/* CCSAMPLE_PERIOD_MAX and a spread */
#define PERIOD_BITS_RELOAD	32
#define PERIOD_BITS_SHORT	31	/* counters written by 32 bits, whose highest is extended */

#define KINDS			4

static DEFINE_RAW_SPINLOCK(kinds_lock);
static struct ccsample_cpu kinds[KINDS];
static unsigned int kinds_nr;
static DEFINE_PER_CPU(const struct ccsample_cpu *, kind);

static enum ccsample_core core_here(void)
{
	if (!boot_cpu_has(X86_FEATURE_HYBRID_CPU))
		return CCSAMPLE_CORE_ALIKE;
	return cpuid_eax(LEAF_HYBRID) >> 24;
}

static const struct ccsample_model *find_model(enum ccsample_core core)
{
	unsigned int row = ccsample_model_row(boot_cpu_data.x86, boot_cpu_data.x86_model, core);

	return row < ccsample_models_nr ? &ccsample_models[row] : NULL;
}

static bool architectural_pebs(void)
{
	u32 a, b, c, d;

	if (boot_cpu_data.cpuid_level < LEAF_PERFMON_EXTENDED)
		return false;
	cpuid_count(LEAF_FEATURES, 1, &a, &b, &c, &d);
	return a & PERFMON_EXTENDED &&
	       (cpuid_eax(LEAF_PERFMON_EXTENDED) & ARCHITECTURAL_PEBS) == ARCHITECTURAL_PEBS;
}

static int read_safe(u32 msr, u64 *value)
{
	u32 low = 0, high = 0;
	int error = rdmsr_safe(msr, &low, &high);

	*value = low | (u64)high << 32;
	return error;
}

static struct ccsample_features features(const struct ccsample_model *model)
{
	struct ccsample_features has = {
		.intel = boot_cpu_data.x86_vendor == X86_VENDOR_INTEL,
		.ds = boot_cpu_has(X86_FEATURE_DS),
		.dtes64 = boot_cpu_has(X86_FEATURE_DTES64),
		.pdcm = boot_cpu_has(X86_FEATURE_PDCM),
	};
	u64 misc;

	if (!has.intel)
		return has;
	has.hybrid = boot_cpu_has(X86_FEATURE_HYBRID_CPU) && !model;
	has.architectural = architectural_pebs();
	has.driven = PERF_DRIVES_ARCHITECTURAL_PEBS;
	has.switched_off = read_safe(MSR_IA32_MISC_ENABLE, &misc) ||
			   misc & MSR_IA32_MISC_ENABLE_PEBS_UNAVAIL;
	return has;
}

/* Record sizes and the place of the time stamp: SDM volume 3, tables 20-3 and following. */
static void describe_records(struct ccsample_cpu *cpu)
{
	static const u32 bytes[] = { 0, 176, 192, 200, 64, 64, 64, CCSAMPLE_ARCH_RECORD };
	static const u32 tsc[] = { 0, 0, 0, 0xc0, 0x18, 0x18, 0x18, CCSAMPLE_ARCH_TSC };

	cpu->record_bytes = bytes[cpu->pebs_format];
	cpu->tsc_at = tsc[cpu->pebs_format];
}

static u32 features_of(const struct ccsample_cpu *cpu)
{
	u32 features = 0;

	if (cpu->pebs_format >= CCSAMPLE_FORMAT_ADAPTIVE)
		features |= CCSAMPLE_ADAPTIVE;
	if (cpu->pebs_format >= CCSAMPLE_FORMAT_STATUS)
		features |= CCSAMPLE_HAS_COUNTER;
	if (cpu->tsc_at)
		features |= CCSAMPLE_HAS_TSC;
	if (cpu->model)
		features |= CCSAMPLE_KNOWN_MODEL;
	if (cpu->model && cpu->model->bursts)
		features |= CCSAMPLE_BURSTS;
	if (boot_cpu_has(X86_FEATURE_PTI))
		features |= CCSAMPLE_ISOLATED;
	if (cpu->pebs_format == CCSAMPLE_FORMAT_VALUES)
		features |= CCSAMPLE_HAS_VALUES;
	/* Formats after the first of groups are of later models, known or not. */
	if (cpu->pebs_format > CCSAMPLE_FORMAT_ADAPTIVE ||
	    (cpu->model && cpu->model->split_latency))
		features |= CCSAMPLE_SPLIT_LATENCY;
	return features;
}

static enum ccsample_refusal judge(u64 *capabilities, const struct ccsample_model *model)
{
	const struct ccsample_features has = features(model);
	enum ccsample_refusal refusal = ccsample_judge_features(&has);

	if (refusal)
		return refusal;
	if (read_safe(MSR_IA32_PERF_CAPABILITIES, capabilities))
		return CCSAMPLE_UNREADABLE;
	refusal = ccsample_judge_format(&has, *capabilities);
	if (!refusal && model && boot_cpu_data.microcode < model->microcode)
		refusal = CCSAMPLE_OLD_MICROCODE;
	/* The task filter allocates in a tracepoint, where preemption is off. */
	if (!refusal && IS_ENABLED(CONFIG_PREEMPT_RT))
		refusal = CCSAMPLE_REALTIME;
	return refusal;
}

/*
 * A counter's reload has 32 bits. A slot that the records in flight can fill would reach its
 * threshold behind our back, and perf would drain its own buffer by the position in ours.
 */
static void describe_architectural(struct ccsample_cpu *cpu)
{
	cpu->period_bits = PERIOD_BITS_RELOAD;
	cpu->least_burst = CCSAMPLE_LATE_MAX + 1;
}

/* The CPU that runs this. @cpu: filled on success only */
static enum ccsample_refusal probe(struct ccsample_cpu *cpu, enum ccsample_core core)
{
	const struct ccsample_model *model = find_model(core);
	enum ccsample_refusal refusal;
	u64 capabilities;
	u32 perfmon;

	refusal = judge(&capabilities, model);
	if (refusal)
		return refusal;
	perfmon = cpuid_eax(LEAF_PERFMON);
	cpu->core = core;
	cpu->model = model;
	cpu->pebs_format = architectural_pebs() ? CCSAMPLE_FORMAT_ARCHITECTURAL :
						  CCSAMPLE_CAPABILITIES_FORMAT(capabilities);
	cpu->fixed = cpuid_edx(LEAF_PERFMON) & 0x1f;
	cpu->baseline = capabilities & CCSAMPLE_CAPABILITIES_BASELINE;
	cpu->counters = model && model->counters ? model->counters : perfmon >> 8 & 0xff;
	cpu->counter_bits = perfmon >> 16 & 0xff;
	cpu->carriers = min_t(unsigned int, cpu->counters, MEMORY_CARRIERS);
	cpu->period_bits = capabilities & CCSAMPLE_CAPABILITIES_FULL_WIDTH ? PERIOD_BITS :
									     PERIOD_BITS_SHORT;
	cpu->least_burst = 1;
	if (cpu->pebs_format == CCSAMPLE_FORMAT_ARCHITECTURAL)
		describe_architectural(cpu);
	cpu->least_period = max_t(u32, model ? model->least_period : 0, PERIOD_LEAST_EVER);
	describe_records(cpu);
	cpu->features = features_of(cpu);
	return CCSAMPLE_FIT;
}

static void announce(const struct ccsample_cpu *cpu)
{
	pr_info("%s, PEBS format %u%s, %u counters\n",
		cpu->model ? cpu->model->name : "unknown model", cpu->pebs_format,
		cpu->baseline ? " (adaptive)" : "", cpu->counters);
	if (cpu->model && cpu->model->warning)
		pr_info("%s\n", cpu->model->warning);
}

/* Finds the kind of the CPU that runs this, or makes it; under the lock. */
static enum ccsample_refusal find_kind(void)
{
	enum ccsample_core core = core_here();
	enum ccsample_refusal refusal;
	unsigned int i;

	for (i = 0; i < kinds_nr && kinds[i].core != core; i++)
		;
	if (i == KINDS)
		return CCSAMPLE_HYBRID;
	if (i == kinds_nr) {
		refusal = probe(&kinds[i], core);
		if (refusal)
			return refusal;
		kinds_nr++;
		announce(&kinds[i]);
	}
	/* Pairs with ccsample_cpu_of(), on any CPU. */
	smp_store_release(this_cpu_ptr(&kind), &kinds[i]);
	return CCSAMPLE_FIT;
}

static void find_kind_here(void *refusal)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&kinds_lock, flags);
	*(enum ccsample_refusal *)refusal = find_kind();
	raw_spin_unlock_irqrestore(&kinds_lock, flags);
}

const char *ccsample_cpu_init(void)
{
	enum ccsample_refusal refusal = CCSAMPLE_FIT;
	int cpu;

	cpus_read_lock();
	for_each_online_cpu(cpu) {
		smp_call_function_single(cpu, find_kind_here, &refusal, 1);
		if (refusal)
			break;
	}
	cpus_read_unlock();
	return refusal ? ccsample_refusals[refusal] : NULL;
}

void ccsample_cpu_online(void)
{
	enum ccsample_refusal refusal;

	find_kind_here(&refusal);
	if (refusal)
		pr_warn("CPU %d cannot be sampled: %s\n", raw_smp_processor_id(),
			ccsample_refusals[refusal]);
}

const struct ccsample_cpu *ccsample_cpu_of(int cpu)
{
	if (!boot_cpu_has(X86_FEATURE_HYBRID_CPU))
		return &kinds[0];
	/* A caller's number; pairs with find_kind(), on that CPU. */
	return smp_load_acquire(per_cpu_ptr(&kind, array_index_nospec(cpu, nr_cpu_ids)));
}
