// SPDX-License-Identifier: GPL-2.0-only
/* What the doctor says of machines made of files. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "fake-root.h"
#include "kmod/models.h"
#include "kmod/refusals.h"
#include "host/doctor.h"
#include "tap.h"

#define SKYLAKE	"fpu tsc pti dts dtes64 pdcm constant_tsc nonstop_tsc"
#define ROOT	"CapInh:\t0000000000000000\nCapEff:\t000001ffffffffff\n"
#define NOBODY	"CapInh:\t0000000000000000\nCapEff:\t0000000000000000\n"
#define RELEASE	"6.1.0-test"
#define SECURE	"/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"

static void put_cpu(const char *vendor, unsigned int model, const char *microcode,
		    const char *flags)
{
	char *text = xasprintf("processor\t: 0\nvendor_id\t: %s\ncpu family\t: 6\nmodel\t\t: %u\n"
			       "model name\t: The Processor\nmicrocode\t: %s\nflags\t\t: %s\n\n"
			       "processor\t: 1\nvendor_id\t: Another\nflags\t\t: none\n",
			       vendor, model, microcode, flags);

	put("/proc/cpuinfo", text);
	free(text);
}

/* A bare Skylake-SP with everything but the module. */
static void put_skylake(const char *status)
{
	begin();
	put_cpu("GenuineIntel", 0x55, "0x2006e05", SKYLAKE);
	put("/proc/self/status", status);
	put("/proc/self/uid_map", "         0          0 4294967295\n");
	put("/proc/sys/kernel/osrelease", RELEASE "\n");
	put("/proc/sys/kernel/perf_event_paranoid", "2\n");
	put("/proc/sys/kernel/nmi_watchdog", "0\n");
	put("/sys/kernel/security/lockdown", "[none] integrity confidentiality\n");
	put("/sys/module/module/parameters/sig_enforce", "N\n");
}

static void put_module(void)
{
	put("/sys/module/ccsample/version", CCSAMPLE_VERSION "\n");
	put("/sys/module/ccsample/parameters/pebs_format", "3\n");
	put("/dev/ccsample", "");
}

static const struct doctor_finding *of(const struct doctor *doctor, const char *topic)
{
	static const struct doctor_finding none = { .state = DOCTOR_STATES, .found = "" };
	size_t i;

	for (i = 0; i < doctor->count; i++)
		if (!strcmp(doctor->findings[i].topic, topic))
			return &doctor->findings[i];
	return &none;
}

/* One finding of the machine as it stands; @found, @advice: parts of them, "" = there is none. */
static void expect(const char *topic, enum doctor_state state, const char *found,
		   const char *advice, const char *name)
{
	const struct doctor_finding *finding;
	struct doctor doctor;

	doctor_examine(&doctor, root);
	finding = of(&doctor, topic);
	ok(finding->state == state && strstr(finding->found, found) &&
	   (advice[0] ? finding->advice && strstr(finding->advice, advice) : !finding->advice),
	   "%s: %s", name, topic);
	if (finding->state != state)
		printf("# %s: state %d, %s\n", topic, finding->state, finding->found);
	doctor_free(&doctor);
}

static bool samples(void)
{
	struct doctor doctor;
	bool pebs;

	doctor_examine(&doctor, root);
	pebs = doctor.pebs;
	doctor_free(&doctor);
	return pebs;
}

static void refused(enum ccsample_refusal refusal, const char *advice, const char *name)
{
	expect("processor", DOCTOR_NO, ccsample_refusals[refusal], advice, name);
	ok(!samples(), "... record does not take PEBS");
}

static void put_msr(uint64_t number, uint64_t value)
{
	put_bytes("/dev/cpu/0/msr", number, &value, sizeof(value));
}

/* Every reason of the module's that shows in files. */
static void refusals(void)
{
	put_skylake(ROOT);
	put_module();
	put_cpu("AuthenticAMD", 1, "0x1", SKYLAKE);
	expect("processor", DOCTOR_NO, "PEBS needs an Intel processor", "engine", "AMD");
	ok(!samples(), "... record does not take PEBS");
	put_cpu("GenuineIntel", 0x55, "0x1", "fpu dtes64 pdcm");
	refused(CCSAMPLE_NO_DS, "engine", "no DS");
	put_cpu("GenuineIntel", 0x55, "0x1", "fpu pdcm hypervisor");
	refused(CCSAMPLE_NO_DS, "below this virtual one", "a virtual machine without DS");
	put_cpu("GenuineIntel", 0x55, "0x1", "fpu dts pdcm dtes64x");
	refused(CCSAMPLE_NO_DTES64, "engine", "no dtes64");
	put_cpu("GenuineIntel", 0x55, "0x1", "dts dtes64");
	refused(CCSAMPLE_NO_PDCM, "engine", "no pdcm");
	put_cpu("GenuineIntel", 0x2a, "0x27", SKYLAKE);
	refused(CCSAMPLE_OLD_MICROCODE, "intel-microcode", "old microcode");
	put_cpu("GenuineIntel", 0x55, "0x1", SKYLAKE);
	put("/sys/kernel/realtime", "1\n");
	refused(CCSAMPLE_REALTIME, "PREEMPT_RT", "a realtime kernel");
	put("/sys/kernel/realtime", "0\n");
	ok(samples(), "... and without all that it does");
	put("/sys/devices/cpu_core/type", "4\n");
	refused(CCSAMPLE_HYBRID, "engine", "a hybrid one");
	put("/sys/devices/cpu_core/cpus", "0-7\n");
	put("/sys/devices/cpu_atom/cpus", "8-15\n");
	put("/sys/devices/system/cpu/cpu8/cache/index0/type", "Data\n");
	put("/sys/devices/system/cpu/cpu8/cache/index0/level", "1\n");
	put("/sys/devices/system/cpu/cpu8/cache/index0/size", "32K\n");
	put("/sys/devices/system/cpu/cpu8/cache/index0/ways_of_associativity", "8\n");
	put("/sys/devices/system/cpu/cpu8/cache/index0/coherency_line_size", "64\n");
	expect("cores", DOCTOR_LIMITED, "cpu_atom, CPUs 8-15: L1 = 32K,8,64", "taskset",
	       "... its kinds of cores, with their caches");
}

/* How often a topic's findings have these words. */
static size_t count_of(const char *topic, const char *words)
{
	struct doctor doctor;
	size_t count = 0, i;

	doctor_examine(&doctor, root);
	for (i = 0; i < doctor.count; i++)
		count += !strcmp(doctor.findings[i].topic, topic) &&
			 strstr(doctor.findings[i].found, words);
	doctor_free(&doctor);
	return count;
}

/* Alder Lake: each kind of cores has its row in the table, and its events. */
static void hybrids(void)
{
	put_skylake(ROOT);
	put_module();
	put_cpu("GenuineIntel", 0x97, "0x1", SKYLAKE);
	put("/sys/devices/cpu_core/cpus", "0-7\n");
	put("/sys/devices/cpu_atom/cpus", "8-15\n");
	ok(samples(), "Alder Lake is sampled");
	ok(count_of("events", "Alder Lake P-core: l1-miss, l2-miss, l3-miss, l1-store-miss") == 1 &&
	   count_of("events", "Alder Lake E-core: l1-miss, l2-miss, l3-miss") == 1 &&
	   count_of("events", "E-core") == 1 && count_of("events", "store") == 1,
	   "... the events of each kind of cores");
	put_cpu("GenuineIntel", 0xaa, "0x1", SKYLAKE);
	ok(samples() && count_of("events", "Meteor Lake P-core: l1-miss") == 1 &&
	   count_of("events", "Meteor Lake E-core: no data address") == 1,
	   "Meteor Lake is sampled, but for its E-cores");
	put_cpu("GenuineIntel", 0xc6, "0x1", SKYLAKE);
	refused(CCSAMPLE_HYBRID, "engine", "Arrow Lake");
}

static void registers(void)
{
	put_skylake(ROOT);
	put_msr(0x1a0, 1ull << 12);
	refused(CCSAMPLE_SWITCHED_OFF, "firmware", "PEBS switched off");
	put_msr(0x1a0, 0);
	put_msr(0x345, 0);
	refused(CCSAMPLE_FORMAT_0, "engine", "format 0");
	put_msr(0x345, 0x700 | 1 << 14);
	refused(CCSAMPLE_FORMAT_NEWER, "engine", "format 7");
	put_msr(0x345, 0x400);
	refused(CCSAMPLE_NO_BASELINE, "engine", "no baseline");
	put_msr(0x345, 0x400 | 1 << 14);
	expect("PEBS", DOCTOR_OK, "format 4", "", "format 4");
	put_msr(0x345, 0x600 | 1 << 14);
	expect("PEBS", DOCTOR_OK, "format 6", "", "format 6");
}

/* No reason without words, and no two alike. */
static void all_told(void)
{
	bool told = true;

	for (int i = CCSAMPLE_FIT + 1; i < CCSAMPLE_REFUSALS_NR; i++)
		for (int j = CCSAMPLE_FIT + 1; j <= i; j++)
			told &= ccsample_refusals[i] &&
				(i == j || strcmp(ccsample_refusals[i], ccsample_refusals[j]));
	ok(told, "each of the module's %d refusals has words of its own", CCSAMPLE_REFUSALS_NR - 1);
	ok(ccsample_judge_features(&(struct ccsample_features){
		.intel = 1, .architectural = 1, .ds = 1, .dtes64 = 1, .pdcm = 1 }) ==
	   CCSAMPLE_ARCHITECTURAL, "architectural PEBS is refused where perf does not know it");
	ok(!ccsample_judge_features(&(struct ccsample_features){
		.intel = 1, .architectural = 1, .driven = 1, .pdcm = 1 }),
	   "... else not, and needs no Debug Store");
}

static void models(void)
{
	put_skylake(ROOT);
	put_module();
	expect("events", DOCTOR_OK, "Skylake-SP: l1-miss", "", "Skylake-SP");
	put_cpu("GenuineIntel", 0xff, "0x1", SKYLAKE);
	expect("events", DOCTOR_LIMITED, "not in the module's table", "r08d1", "an unknown model");
	put_cpu("GenuineIntel", 0x3e, "0x1", SKYLAKE);
	expect("events", DOCTOR_NO, "no data address", "engine", "Ivy Bridge");
	put_cpu("GenuineIntel", 0x2c, "0x1", SKYLAKE);
	expect("events", DOCTOR_NO, "no data address", "engine", "Westmere");
	ok(ccsample_models[ccsample_model_row(CCSAMPLE_MODEL_FAMILY, 0x1e, 0)].least_period == 32,
	   "Nehalem: periods of less than 32 are not safe");
	put_cpu("GenuineIntel", 0x3f, "0x1", SKYLAKE);
	expect("events", DOCTOR_LIMITED, "period of 32", "--burst 1", "Haswell");
	expect("errata", DOCTOR_LIMITED, "HSD29", "sibling", "Haswell");
	put_cpu("GenuineIntel", 0x4f, "0x1", SKYLAKE);
	expect("errata", DOCTOR_LIMITED, "BDE70", "", "Broadwell");
	expect("machine", DOCTOR_OK, "bare", "", "no hypervisor");
	expect("page tables", DOCTOR_OK, "no nopti", "", "PTI");
	put_cpu("GenuineIntel", 0x55, "0x1", "dts dtes64 pdcm hypervisor constant_tsc");
	expect("machine", DOCTOR_LIMITED, "virtual", "bare machine", "a hypervisor");
	expect("time stamps", DOCTOR_LIMITED, "may change", "taskset", "a TSC that stops");
	expect("processor", DOCTOR_OK, "The Processor", "", "a hypervisor that shows PEBS");
}

static void module(void)
{
	put_skylake(ROOT);
	expect("module", DOCTOR_NO, RELEASE, "linux-headers", "neither module nor headers");
	put("/lib/modules/" RELEASE "/build/Makefile", "");
	expect("module", DOCTOR_NO, "headers are here", "make kmod", "headers");
	put("/lib/modules/" RELEASE "/modules.dep", "kernel/a.ko:\nupdates/dkms/ccsample.ko:\n");
	expect("module", DOCTOR_NO, "not loaded", "modprobe", "installed");
	expect("device", DOCTOR_NO, "there is no", "", "not loaded");
	put("/sys/module/ccsample/version", CCSAMPLE_VERSION "\n");
	expect("module", DOCTOR_OK, "loaded", "", "loaded");
	expect("device", DOCTOR_NO, "there is no", "devtmpfs", "loaded, without a device");
	ok(!samples(), "without a device no PEBS");
	put_module();
	expect("device", DOCTOR_OK, "opens", "", "loaded");
	expect("PEBS", DOCTOR_OK, "format 3", "", "loaded");
	ok(samples(), "module, device, rights: PEBS");
	put("/sys/module/ccsample/version", "0.0.1\n");
	expect("module", DOCTOR_LIMITED, "0.0.1", "same sources", "another version");
}

static void rights(void)
{
	put_skylake(NOBODY);
	put_module();
	expect("rights", DOCTOR_NO, "no CAP_PERFMON", "setcap", "nobody");
	expect("pagemap", DOCTOR_LIMITED, "hidden", "CAP_SYS_ADMIN", "nobody");
	ok(!samples(), "nobody has no PEBS");
	put("/proc/self/status", "CapEff:\t0000004000000000\n");
	expect("rights", DOCTOR_OK, "CAP_PERFMON", "", "CAP_PERFMON alone");
	expect("pagemap", DOCTOR_LIMITED, "hidden", "CAP_SYS_ADMIN", "CAP_PERFMON alone");
	put("/proc/self/status", ROOT);
	expect("pagemap", DOCTOR_OK, "shown", "", "root");
	put("/proc/self/uid_map", "         0     100000      65536\n");
	expect("rights", DOCTOR_NO, "namespace", "outside", "a container's root");
}

static void locks(void)
{
	put_skylake(ROOT);
	expect("lockdown", DOCTOR_OK, "off", "", "no lockdown");
	put("/sys/kernel/security/lockdown", "none [integrity] confidentiality\n");
	expect("lockdown", DOCTOR_LIMITED, "integrity", "mokutil", "lockdown");
	put("/sys/kernel/security/lockdown", "none integrity [confidentiality]\n");
	expect("lockdown", DOCTOR_LIMITED, "confidentiality", "mokutil", "lockdown");
	put("/sys/kernel/security/lockdown", "something new\n");
	expect("lockdown", DOCTOR_UNKNOWN, "something new", "", "a lockdown of tomorrow");
	put_bytes(SECURE, 0, "\6\0\0\0\0", 5);
	expect("secure boot", DOCTOR_OK, "off", "", "secure boot off");
	put_bytes(SECURE, 0, "\6\0\0\0\1", 5);
	expect("secure boot", DOCTOR_LIMITED, "on", "mokutil", "secure boot");
	put("/sys/module/module/parameters/sig_enforce", "Y\n");
	expect("signatures", DOCTOR_LIMITED, "asks", "mokutil", "enforced signatures");
	put_module();
	expect("lockdown", DOCTOR_UNKNOWN, "something", "", "loaded all the same");
	put("/sys/kernel/security/lockdown", "none [integrity] confidentiality\n");
	expect("lockdown", DOCTOR_OK, "integrity", "", "loaded all the same");
	put("/sys/kernel/security/lockdown", "none integrity [confidentiality]\n");
	expect("lockdown", DOCTOR_NO, "no session", "bursts", "no sessions, though loaded");
	expect("secure boot", DOCTOR_OK, "on", "", "loaded all the same");
	expect("signatures", DOCTOR_OK, "asks", "", "loaded all the same");
}

static void beside(void)
{
	put_skylake(ROOT);
	expect("perf", DOCTOR_OK, "no measurement", "", "no other user");
	expect("KVM", DOCTOR_OK, "no virtual machine", "", "no other user");
	expect("watchdog", DOCTOR_OK, "off", "", "no other user");
	put("/proc/77/comm", "perf\n");
	put_link("/proc/77/fd/3", "anon_inode:[perf_event]");
	expect("perf", DOCTOR_LIMITED, "perf (77) measures", ":pp", "perf");
	put("/sys/module/kvm_intel/refcnt", "0\n");
	expect("KVM", DOCTOR_OK, "no virtual machine", "", "KVM without machines");
	put("/sys/module/kvm_intel/refcnt", "2\n");
	expect("KVM", DOCTOR_LIMITED, "virtual machines run", "taskset", "machines of others");
	put("/proc/88/comm", "qemu-system-x86\n");
	put_link("/proc/88/fd/9", "anon_inode:kvm-vcpu:0");
	expect("KVM", DOCTOR_LIMITED, "qemu-system-x86 (88)", "taskset", "a machine");
	put("/proc/sys/kernel/nmi_watchdog", "1\n");
	expect("watchdog", DOCTOR_LIMITED, "a counter", "nmi_watchdog=0", "the watchdog");
	expect("noise", DOCTOR_OK, "is quiet", "", "nothing but the watchdog");
	put("/proc/sys/kernel/randomize_va_space", "2\n");
	put("/sys/devices/system/cpu/intel_pstate/no_turbo", "0\n");
	expect("noise", DOCTOR_LIMITED, "not quiet: turbo, aslr", "lab show", "turbo and ASLR");
	put("/proc/sys/kernel/perf_event_paranoid", "3\n");
	expect("paranoid", DOCTOR_OK, "is 3", "", "paranoid, but root");
	put("/proc/self/status", NOBODY);
	expect("paranoid", DOCTOR_LIMITED, "is 3", "paranoid=2", "paranoid");
	expect("perf", DOCTOR_LIMITED, "perf (77)", ":pp", "nobody sees what shows");
}

/* Nothing at all, and nonsense, are told too. */
static void little(void)
{
	begin();
	expect("processor", DOCTOR_UNKNOWN, "does not list", "/proc", "an empty machine");
	expect("caches", DOCTOR_LIMITED, "neither", "--D1", "an empty machine");
	expect("paranoid", DOCTOR_NO, "no perf", "CONFIG_PERF_EVENTS", "an empty machine");
	ok(!samples(), "an empty machine has no PEBS");
	put("/proc/cpuinfo", "flags: \nmodel\nvendor_id :\n\377\376");
	expect("processor", DOCTOR_NO, "needs an Intel processor", "engine", "nonsense");
	put("/sys/devices/system/cpu/cpu0/cache/index0/size", "32K\n");
	expect("caches", DOCTOR_LIMITED, "neither", "--D1", "a cache without ways");
	put("/sys/devices/system/cpu/cpu0/cache/index0/type", "Data\n");
	put("/sys/devices/system/cpu/cpu0/cache/index0/level", "1\n");
	put("/sys/devices/system/cpu/cpu0/cache/index0/ways_of_associativity", "8\n");
	put("/sys/devices/system/cpu/cpu0/cache/index0/coherency_line_size", "64\n");
	expect("caches", DOCTOR_OK, "L1 = 32K,8,64", "", "caches");
}

/* What everybody needs comes first; the rest is the module's, in the text under a heading. */
static void order(void)
{
	char *text = NULL, *heading, *processor, *bursts;
	struct doctor doctor;
	size_t size, first = 0;
	FILE *out = open_memstream(&text, &size);

	put_skylake(NOBODY);
	doctor_examine(&doctor, root);
	while (first < doctor.count && !doctor.findings[first].optional)
		first++;
	doctor_program(&doctor, "/nonexistent");
	doctor_text(out, &doctor, false);
	fclose(out);
	heading = strstr(text, "\nOptional: ");
	processor = strstr(text, " processor  ");
	bursts = strstr(text, " bursts  ");
	ok(!of(&doctor, "bursts")->optional && !of(&doctor, "program")->optional &&
	   of(&doctor, "rights")->optional && of(&doctor, "processor") == &doctor.findings[first],
	   "what the module needs is optional, and comes last");
	ok(heading && bursts && processor && bursts < heading && processor > heading &&
	   strstr(text, "/nonexistent") < heading, "... in the text, too: %s", text);
	doctor_free(&doctor);
	free(text);
}

int main(void)
{
	all_told();
	order();
	refusals();
	hybrids();
	registers();
	models();
	module();
	rights();
	locks();
	beside();
	little();
	remove_root();
	return done();
}
