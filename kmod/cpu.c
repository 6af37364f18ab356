// SPDX-License-Identifier: GPL-2.0-only
#include <linux/bitfield.h>
#include <linux/bits.h>
#include <asm/cpufeature.h>
#include <asm/msr.h>
#include <asm/processor.h>

#include "cpu.h"

/* IA32_PERF_CAPABILITIES, SDM volume 4, table 2-2. */
#define CAPABILITIES_PEBS_FORMAT	GENMASK_ULL(11, 8)
#define CAPABILITIES_PEBS_BASELINE	BIT_ULL(14)

#define FORMAT_OLDEST	1	/* the first one with a data address (Nehalem) */
#define FORMAT_ADAPTIVE	4	/* records made of groups (Ice Lake) */
#define FORMAT_NEWEST	5

/* Features without which there is no PEBS through a Debug Store. */
static const char *missing_feature(void)
{
	u64 misc;

	if (boot_cpu_data.x86_vendor != X86_VENDOR_INTEL)
		return "it is not an Intel one, and PEBS is";
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

const char *ccsample_cpu_probe(struct ccsample_cpu *cpu)
{
	const char *missing = missing_feature();
	unsigned int format;
	u64 capabilities;

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
	cpu->pebs_format = format;
	cpu->baseline = capabilities & CAPABILITIES_PEBS_BASELINE;
	cpu->counters = cpuid_eax(0xa) >> 8 & 0xff;
	return NULL;
}
