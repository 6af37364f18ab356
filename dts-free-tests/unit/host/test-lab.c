// SPDX-License-Identifier: GPL-2.0-only
/*
 * The lab's knobs on machines made of files: each read, set, set back; missing,
 * not permitted, and holding what nobody expects. What recordings keep of them.
 * The jitter meter's arithmetic.
 */
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "findings/findings.h"
#include "base/memory.h"
#include "format/recording.h"
#include "fake-root.h"
#include "base/cpu-list.h"
#include "host/jitter.h"
#include "host/lab-record.h"
#include "host/lab-state.h"
#include "host/lab.h"
#include "tap.h"
#include "diff/views.h"

#define CPU	"/sys/devices/system/cpu"
#define MSR	"/dev/cpu/1/msr"
#define NOBODY	65534

/* Where each knob lies, and what its files hold: as tuned, otherwise, and nonsense. */
static const struct knob_case {
	const char *name, *path, *quiet, *quiet_value, *noisy, *noisy_value, *odd;
} cases[] = {
	{ "governor", CPU "/cpu1/cpufreq/scaling_governor", "performance\n", "performance",
	  "powersave\n", "powersave", "two\nlines\n" },
	{ "turbo", CPU "/intel_pstate/no_turbo", "1\n", "off", "0\n", "on", "2\n" },
	{ "turbo", CPU "/cpufreq/boost", "0\n", "off", "1\n", "on", "" },
	{ "watchdog", "/proc/sys/kernel/nmi_watchdog", "0\n", "off", "1\n", "on", "-1\n" },
	{ "aslr", "/proc/sys/kernel/randomize_va_space", "0\n", "off", "2\n", "full", "3\n" },
	{ "aslr", "/proc/sys/kernel/randomize_va_space", "0\n", "off", "1\n", "partial", "x" },
	{ "irq.24", "/proc/irq/24/smp_affinity_list", "0\n", "0", "0-3\n", "0-3", "all\n" },
	{ "sibling", CPU "/cpu1/topology/thread_siblings_list", "1\n", "none", "1,3\n", "3",
	  "1-\n" },
};

/* Two cores of two threads: 0 and 2, 1 and 3. CPU 1 is measured on. */
static void put_machine(void)
{
	begin();
	put("/proc/cpuinfo", "vendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 85\n");
	put(CPU "/online", "0-3\n");
	put(CPU "/cpu3/online", "1\n");
}

static char *get(const char *path)
{
	struct system system = { .root = root };
	char *text = system_text(&system, path);

	return text ? text : xstrdup("(nothing)");
}

static bool holds(const char *path, const char *wanted)
{
	char *text = get(path);
	bool right = !strncmp(text, wanted, strcspn(wanted, "\n")) &&
		     strlen(text) == strcspn(wanted, "\n");

	if (!right)
		printf("# %s holds '%s', not '%s'\n", path, text, wanted);
	free(text);
	return right;
}

static bool is(const char *name, enum lab_state state, const char *value)
{
	const struct lab_item *item;
	struct lab lab;
	bool right;

	lab_look(&lab, root, 1);
	item = lab_item(&lab, name);
	right = item && item->state == state &&
		(value ? item->value && !strcmp(item->value, value) : !item->value);
	if (!right)
		printf("# %s is %s, '%s'\n", name, item ? lab_state_name(item->state) : "nowhere",
		       item && item->value ? item->value : "(null)");
	lab_free(&lab);
	return right;
}

static enum lab_state state_of(const char *name)
{
	const struct lab_item *item;
	enum lab_state state;
	struct lab lab;

	lab_look(&lab, root, 1);
	item = lab_item(&lab, name);
	state = item ? item->state : LAB_ABSENT;
	lab_free(&lab);
	return state;
}

static int set(const char *name, const char *value)
{
	const struct lab_item *item;
	struct lab lab;
	int result;

	lab_look(&lab, root, 1);
	item = lab_item(&lab, name);
	result = item ? lab_set(&lab, item, value) : -2;
	lab_free(&lab);
	return result;
}

static void one_knob(const struct knob_case *knob)
{
	bool sibling = !strcmp(knob->name, "sibling");
	const char *path = sibling ? CPU "/cpu3/online" : knob->path;

	put_machine();
	ok(state_of(knob->name) == LAB_ABSENT, "%s: absent", knob->name);
	put(knob->path, knob->quiet);
	ok(is(knob->name, LAB_QUIET, knob->quiet_value), "%s: %s is quiet", knob->name,
	   knob->quiet_value);
	put(knob->path, knob->noisy);
	ok(is(knob->name, LAB_NOISY, knob->noisy_value), "%s: %s is noisy", knob->name,
	   knob->noisy_value);
	ok(!set(knob->name, knob->quiet_value) && holds(path, sibling ? "0" : knob->quiet) &&
	   is(knob->name, LAB_QUIET, knob->quiet_value), "%s: is set", knob->name);
	ok(!set(knob->name, knob->noisy_value) && holds(path, sibling ? "1" : knob->noisy) &&
	   is(knob->name, LAB_NOISY, knob->noisy_value), "%s: is set back", knob->name);
	ok(set(knob->name, "") == EINVAL && set(knob->name, "a\nb") == EINVAL,
	   "%s: nothing and two lines are refused", knob->name);
	put(knob->path, knob->odd);
	ok(state_of(knob->name) == LAB_ODD, "%s: nonsense is odd", knob->name);
}

/* As a user who may not: root sees and writes all. */
static void not_permitted(const struct knob_case *knob)
{
	bool sibling = !strcmp(knob->name, "sibling"), as_root = !getuid();
	char *whole;

	put_machine();
	put(knob->path, knob->noisy);
	chmod(root, 0755);
	if (as_root && seteuid(NOBODY)) {
		skip("cannot become another user", "%s", knob->name);
		return;
	}
	whole = below(sibling ? CPU "/cpu3/online" : knob->path);
	if (!as_root)
		chmod(whole, 0444);
	ok(set(knob->name, knob->quiet_value) == EACCES &&
	   is(knob->name, LAB_NOISY, knob->noisy_value), "%s: may not be set", knob->name);
	if (as_root && seteuid(0))
		abort();
	free(whole);
	whole = below(knob->path);
	chmod(whole, 0);
	if (as_root && seteuid(NOBODY))
		abort();
	ok(is(knob->name, LAB_DENIED, NULL), "%s: may not be read", knob->name);
	if (as_root && seteuid(0))
		abort();
	free(whole);
}

/* Files that take what is written and lose it, or refuse it. */
static void refused(void)
{
	put_machine();
	put_link("/proc/sys/kernel/nmi_watchdog", "/dev/full");
	put_link("/proc/irq/24/smp_affinity_list", "/dev/null");
	ok(set("irq.24", "0") == LAB_IGNORED, "what a file does not keep is seen");
	ok(set("watchdog", "off") == ENOSPC, "... and what it refuses");
	put_link("/proc/irq/25/smp_affinity_list", "nowhere");
	ok(set("irq.25", "0") == -2, "an interrupt that went away is none");
	put(CPU "/cpu1/topology/thread_siblings_list", "1,3\n");
	remove(strcat(strcpy((char[PATH_MAX]){ }, root), CPU "/cpu3/online"));
	ok(set("sibling", "none") == EBUSY, "a sibling that cannot be switched off");
}

static void interrupts(void)
{
	put_machine();
	put(CPU "/cpu1/topology/thread_siblings_list", "1,3\n");
	put("/proc/irq/9/smp_affinity_list", "3\n");
	put("/proc/irq/10/smp_affinity_list", "1,3\n");
	put("/proc/irq/11/smp_affinity_list", "2\n");
	put("/proc/irq/default_smp_affinity", "f\n");
	ok(is("irq.9", LAB_NOISY, "3"), "an interrupt of the sibling is one of the core");
	ok(is("irq.11", LAB_QUIET, "2"), "... of another core is not");
	ok(!set("irq.10", "0,2") && is("irq.10", LAB_QUIET, "0,2"), "it is moved");
	put("/sys/kernel/irq/10/actions", "\n");
	put("/sys/kernel/irq/11/actions", "nvme0q1\n");
	ok(state_of("irq.10") == LAB_ABSENT && is("irq.11", LAB_QUIET, "2"),
	   "a number that nobody asks for is no interrupt");
	put(CPU "/online", "1,3\n");
	ok(is("irq.9", LAB_SHOWN, "3"), "where there is no other core it stays");
}

static void prefetchers(void)
{
	uint64_t bits = 0xabcd0, now;
	struct system system = { .root = root };

	put_machine();
	ok(is("prefetch.l2", LAB_ABSENT, NULL), "no register, no prefetchers");
	put_bytes(MSR, 0x1a4, &bits, sizeof(bits));
	ok(is("prefetch.l2", LAB_NOISY, "on") && is("prefetch.l1-ip", LAB_NOISY, "on"),
	   "bits of 0 are prefetchers that are on");
	ok(!set("prefetch.l2-adjacent", "off") && !set("prefetch.l1-ip", "off") &&
	   system_bytes(&system, MSR, 0x1a4, &now, sizeof(now)) && now == (bits | 2 | 8),
	   "each is a bit of its own, and the others stay");
	ok(is("prefetch.l2", LAB_NOISY, "on") && is("prefetch.l2-adjacent", LAB_QUIET, "off"),
	   "... and reads as it was set");
	ok(!set("prefetch.l2-adjacent", "on") && !set("prefetch.l1-ip", "on") &&
	   system_bytes(&system, MSR, 0x1a4, &now, sizeof(now)) && now == bits, "set back");
	ok(set("prefetch.l2", "half") == EINVAL, "on, off, nothing else");
	put("/proc/cpuinfo", "vendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 92\n");
	ok(is("prefetch.l2", LAB_ABSENT, NULL), "an unknown model's register is left alone");
	put("/proc/cpuinfo", "vendor_id\t: AuthenticAMD\ncpu family\t: 6\nmodel\t\t: 85\n");
	ok(is("prefetch.l2", LAB_ABSENT, NULL) && set("prefetch.l2", "off") == ENOENT,
	   "and another maker's");
	put("/proc/cpuinfo", "vendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 85\n");
	remove(strcat(strcpy((char[PATH_MAX]){ }, root), MSR));
	put(MSR, "short");
	ok(is("prefetch.l2", LAB_DENIED, NULL), "a register that does not read");
}

static void shown(void)
{
	put_machine();
	put("/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
	ok(is("thp", LAB_SHOWN, "madvise"), "huge pages: the word in brackets");
	ok(!set("thp", "never") && is("thp", LAB_SHOWN, "never"), "... is set");
	ok(set("thp", "sometimes") == EINVAL, "... to one of three");
	put("/proc/sys/vm/nr_hugepages", "12\n");
	ok(is("hugepages", LAB_SHOWN, "12") && !set("hugepages", "0") &&
	   is("hugepages", LAB_SHOWN, "0") && set("hugepages", "-1") == EINVAL,
	   "how many are set aside");
	put(CPU "/isolated", "\n");
	put(CPU "/nohz_full", "  (null)\n" + 2);
	put("/proc/cmdline", "quiet rcu_nocbs=1-3 rcu_nocb_poll\n");
	ok(is("isolcpus", LAB_SHOWN, "none") && is("nohz_full", LAB_SHOWN, "none"),
	   "no isolated CPUs, in two spellings");
	ok(is("rcu_nocbs", LAB_SHOWN, "1-3"), "a boot option");
	ok(set("isolcpus", "1") == EINVAL && set("rcu_nocbs", "1") == EINVAL,
	   "what the kernel was booted with is only shown");
	put(CPU "/isolated", "2-3\n");
	ok(is("isolcpus", LAB_SHOWN, "2-3") && lab_choose_cpu(root) == 2, "an isolated one is "
									  "chosen");
	put(CPU "/isolated", "??\n");
	ok(is("isolcpus", LAB_ODD, "??") && lab_choose_cpu(root) == 3, "else the last");
	put("/proc/sys/kernel/perf_event_paranoid", "-1\n");
	ok(is("paranoid", LAB_SHOWN, "-1"), "perf_event_paranoid");
}

static void states(void)
{
	struct lab_item items[] = {
		{ .name = "governor", .value = "powersave" }, { .name = "irq.24", .value = "0-3" },
	};
	const struct lab_item *both[] = { &items[0], &items[1] };
	struct lab_saved_state state;
	char *path;

	put_machine();
	path = below("/run/state");
	ok(!lab_state_save(path, 1, both, 2) && !lab_state_load(path, &state) && state.cpu == 1 &&
	   state.count == 2 && !strcmp(state.items[0].name, "governor") &&
	   !strcmp(state.items[1].value, "0-3"), "a state reads as it was written");
	ok(lab_state_save(path, 2, both, 1) < 0, "an older state is not overwritten");
	lab_state_drop(&state, 0);
	ok(!lab_state_keep(path, &state), "what was restored is dropped");
	lab_state_free(&state);
	ok(!lab_state_load(path, &state) && state.count == 1 &&
	   !strcmp(state.items[0].name, "irq.24"), "... and the rest is kept");
	lab_state_drop(&state, 0);
	ok(!lab_state_keep(path, &state) && access(path, F_OK), "with the last one the file goes");
	lab_state_free(&state);
	ok(lab_state_load(path, &state) < 0, "no state, no reset");
	for (size_t cut = 0; cut < strlen("ccsample lab 1\ncpu 1\na b\nend"); cut++) {
		char text[] = "ccsample lab 1\ncpu 1\na b\nend";

		text[cut] = 0;
		put("/run/state", text);
		if (lab_state_load(path, &state) >= 0)
			ok(false, "a state cut at byte %zu is refused", cut);
	}
	put("/run/state", "ccsample lab 1\ncpu x\nend\n");
	ok(lab_state_load(path, &state) < 0, "a state cut anywhere is refused, and one with "
					     "nonsense");
	free(path);
}

static void in_recordings(void)
{
	struct recording_writer *writer;
	struct findings *findings;
	cpu_set_t cpus;
	char *path;

	put_machine();
	put(CPU "/cpu1/cpufreq/scaling_governor", "performance\n");
	put(CPU "/cpu2/cpufreq/scaling_governor", "powersave\n");
	put(CPU "/cpu1/topology/thread_siblings_list", "1,3\n");
	put("/proc/irq/5/smp_affinity_list", "0\n");
	put("/proc/irq/6/smp_affinity_list", "0-3\n");
	cpus_parse("1-2", &cpus);
	path = below("/a.ccs");
	writer = recording_create(path);
	lab_record(writer, root, &cpus, true);
	recording_finish(writer, 1);
	findings = analyze_recording(path, NULL);
	ok(!strcmp(findings_lab(findings, "governor"), "performance, powersave"),
	   "a recording keeps what its CPUs have");
	ok(!strcmp(findings_lab(findings, "irq"), "1 of 2 come here") &&
	   !strcmp(findings_lab(findings, "sibling"), "online"), "... interrupts and siblings");
	ok(!findings_lab(findings, "turbo"), "... and not what nobody knows");
	findings_free(findings);
	free(path);
}

/* Of CPU 1 alone, with a governor. */
static struct findings *recorded(const char *path, const char *governor)
{
	struct recording_writer *writer;
	struct findings *findings;
	char *whole = below(path);
	cpu_set_t cpus;

	put(CPU "/cpu1/cpufreq/scaling_governor", governor);
	cpus_parse("1", &cpus);
	writer = recording_create(whole);
	lab_record(writer, root, &cpus, false);
	recording_finish(writer, 1);
	findings = analyze_recording(whole, NULL);
	free(whole);
	return findings;
}

/* What `diff` says of two recordings. */
static char *difference(const struct findings *before, const struct findings *after)
{
	struct diff_view view = { .before = before, .after = after };
	size_t size;
	char *text;
	FILE *out = open_memstream(&text, &size);

	diff_text(out, &view);
	fclose(out);
	return text;
}

static void between_recordings(void)
{
	struct findings *slow, *fast, *bare;
	char *text;

	put_machine();
	put("/proc/irq/5/smp_affinity_list", "0\n");
	slow = recorded("/a.ccs", "powersave\n");
	fast = recorded("/b.ccs", "performance\n");
	begin();
	bare = recorded("/c.ccs", "");
	text = difference(slow, fast);
	ok(strstr(text, "set differently: governor powersave -> performance (ccsample"),
	   "diff shows what was set differently");
	ok(!findings_lab(slow, "irq"), "interrupts are kept only where that was asked for");
	free(text);
	text = difference(slow, slow);
	ok(!strstr(text, "otherwise"), "... nothing where nothing was");
	free(text);
	text = difference(slow, bare);
	ok(!strstr(text, "otherwise") && !bare->lab_count, "... nor where one does not tell");
	free(text);
	findings_free(slow);
	findings_free(fast);
	findings_free(bare);
}

static void meter(void)
{
	struct jitter jitter = { .khz = 2000000, .least_ns = 100 };
	uint64_t classes = 0;

	for (int i = 0; i < 1000; i++)
		jitter_step(&jitter, 40);
	ok(!jitter.gaps && jitter.ticks == 40000 && jitter_noise(&jitter) == 0,
	   "steps below the least gap are none");
	jitter_step(&jitter, 199);
	ok(!jitter.gaps, "... 99.5 ns of 100");
	jitter_step(&jitter, 200);
	jitter_step(&jitter, 2000000);
	ok(jitter.gaps == 2 && jitter.gap_ticks == 2000200 && jitter.longest_ticks == 2000000,
	   "gaps are counted, with the longest");
	ok(jitter.classes[6] == 1 && jitter.classes[19] == 1,
	   "100 ns lie in 64 .. 127, 1 ms in 2^19 ..");
	ok(fabs(jitter_noise(&jitter) - 2000200.0 / (40000 + 199 + 2000200)) < 1e-12,
	   "the noise is their share of the time");
	jitter_step(&jitter, UINT64_MAX / 4000000);
	for (int i = 0; i < JITTER_CLASSES; i++)
		classes += jitter.classes[i];
	ok(classes == jitter.gaps && jitter.classes[JITTER_CLASSES - 1] == 1,
	   "each gap is in a class, the longest in the last");
}

static void sets(void)
{
	static const char *const good[] = { "0", "0,2-3", "5-7,9", "0-1023" };
	static const char *const bad[] = { "", "1-", "-1", "3-2", "1024", "1,,2", "a", "1 2",
					   "1," };
	bool right = true;
	cpu_set_t cpus;

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		char *text = cpus_parse(good[i], &cpus) ? xstrdup("?") : cpus_text(&cpus);

		right &= !strcmp(text, good[i]);
		free(text);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		right &= cpus_parse(bad[i], &cpus) < 0;
	ok(right, "sets of CPUs read and are written as the kernel's");
}

int main(void)
{
	sets();
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		one_knob(&cases[i]);
		not_permitted(&cases[i]);
	}
	refused();
	interrupts();
	prefetchers();
	shown();
	states();
	in_recordings();
	between_recordings();
	meter();
	remove_root();
	return done();
}
