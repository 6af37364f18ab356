// SPDX-License-Identifier: GPL-2.0-only
#include <linux/capability.h>
#include <stdlib.h>
#include <string.h>

#include "host/doctor.h"
#include "host/lab.h"
#include "output/prose.h"

static const char *as_seen(const struct doctor *doctor)
{
	return doctor_may(doctor, CAP_SYS_PTRACE) ? "" :
	       ", of the processes that this user may look at";
}

static void find_perf(struct doctor *doctor)
{
	char *holders = system_holders(&doctor->system, "anon_inode:[perf_event]");

	if (holders)
		doctor_find(doctor, "perf", DOCTOR_LIMITED,
			    "where its events are precise (:p, :pp), end it, or keep to other CPUs "
			    "(-C)",
			    "%s measures; precise events and ours exclude each other on a CPU",
			    holders);
	else
		doctor_find(doctor, "perf", DOCTOR_OK, NULL, "no measurement is running%s",
			    as_seen(doctor));
	free(holders);
}

static void find_paranoia(struct doctor *doctor)
{
	char *text = system_text(&doctor->system, "/proc/sys/kernel/perf_event_paranoid");
	bool may = doctor_may(doctor, CAP_PERFMON) || doctor_may(doctor, CAP_SYS_ADMIN);

	if (!text)
		doctor_find(doctor, "paranoid", DOCTOR_NO, "boot a kernel with CONFIG_PERF_EVENTS",
			    "this kernel has no perf, whose events the module holds");
	else if (atoi(text) <= 2 || may)
		doctor_find(doctor, "paranoid", DOCTOR_OK, NULL,
			    "perf_event_paranoid is %s%s", text, may ? ", and you may measure all" :
			    ": perf measures your own programs");
	else
		doctor_find(doctor, "paranoid", DOCTOR_LIMITED,
			    "sysctl kernel.perf_event_paranoid=2 (for perf; ccsample asks for "
			    "CAP_PERFMON)",
			    "perf_event_paranoid is %s: perf measures nothing for you", text);
	free(text);
}

static void find_watchdog(struct doctor *doctor)
{
	if (system_says(&doctor->system, "/proc/sys/kernel/nmi_watchdog", "1"))
		doctor_find(doctor, "watchdog", DOCTOR_LIMITED,
			    "sysctl kernel.nmi_watchdog=0 while you measure, =1 afterwards",
			    "the NMI watchdog holds a counter of each CPU, and interrupts now and "
			    "then");
	else
		doctor_find(doctor, "watchdog", DOCTOR_OK, NULL, "the NMI watchdog is off");
}

/* What `ccsample lab tune` would quiet, but for the watchdog, which is reported above. */
static void find_noise(struct doctor *doctor)
{
	unsigned int cpu = lab_choose_cpu(doctor->system.root);
	const struct lab_knob *last = NULL;
	char *noise = NULL;
	struct lab lab;

	lab_look(&lab, doctor->system.root, cpu);
	for (size_t i = 0; i < lab.count; i++) {
		const struct lab_knob *knob = lab.items[i].knob;

		if (!knob->usual || lab.items[i].state != LAB_NOISY || knob == last ||
		    !strcmp(knob->name, "watchdog"))
			continue;
		last = knob;
		prose_append(&noise, "%s%s", noise ? ", " : "", knob->name);
	}
	if (noise)
		doctor_find(doctor, "noise", DOCTOR_LIMITED,
			    "where times matter: ccsample lab show, tune, and reset afterwards",
			    "CPU %u is not quiet: %s", cpu, noise);
	else
		doctor_find(doctor, "noise", DOCTOR_OK, NULL, "CPU %u is quiet (ccsample lab show)",
			    cpu);
	lab_free(&lab);
	free(noise);
}

/* The count of users of KVM's module shows to everybody; the processes do not. */
static void find_machines(struct doctor *doctor)
{
	char *holders = system_holders(&doctor->system, "anon_inode:kvm-v");
	char *users = system_text(&doctor->system, "/sys/module/kvm_intel/refcnt");
	const char *advice = "end them, or keep them off the CPUs that you sample (taskset, -C)";

	if (holders)
		doctor_find(doctor, "KVM", DOCTOR_LIMITED, advice, "%s: a session is refused on "
			    "CPUs that a virtual machine may run on", holders);
	else if (users && atoi(users) > 0)
		doctor_find(doctor, "KVM", DOCTOR_LIMITED, advice, "virtual machines run: a "
			    "session is refused on CPUs that they may run on");
	else
		doctor_find(doctor, "KVM", DOCTOR_OK, NULL, "no virtual machine runs%s",
			    as_seen(doctor));
	free(holders);
	free(users);
}

void doctor_co_run(struct doctor *doctor)
{
	find_perf(doctor);
	find_paranoia(doctor);
	find_watchdog(doctor);
	find_noise(doctor);
	find_machines(doctor);
}
