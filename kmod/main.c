// SPDX-License-Identifier: GPL-2.0-only
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpumask.h>
#include <linux/module.h>

#include "ccsample.h"
#include "chardev.h"
#include "cpu.h"
#include "guard.h"
#include "netlink.h"
#include "pmi.h"
#include "sched.h"
#include "window.h"

static unsigned int pebs_format;
module_param(pebs_format, uint, 0444);
MODULE_PARM_DESC(pebs_format, "PEBS record format of the first CPU (read-only)");

static unsigned int pebs_counters;
module_param(pebs_counters, uint, 0444);
MODULE_PARM_DESC(pebs_counters, "general-purpose counters of the first CPU (read-only)");

static int refuse(const char *reason)
{
	pr_err(CCSAMPLE_REFUSAL "%s\n", reason);
	return -ENODEV;
}

static int __init ccsample_init(void)
{
	const char *refusal = ccsample_cpu_init();
	const struct ccsample_cpu *cpu;
	int error;

	if (refusal)
		return refuse(refusal);
	cpu = ccsample_cpu_of(cpumask_first(cpu_online_mask));
	/* A hybrid's, of a kind that has just come online, may not be known yet. */
	if (cpu) {
		pebs_format = cpu->pebs_format;
		pebs_counters = cpu->counters;
	}
	error = ccsample_sched_init();
	if (error)
		return refuse("the kernel has no tracepoints of the scheduler");
	refusal = ccsample_window_init();
	if (refusal)
		return refuse(refusal);
	error = ccsample_pmi_init();
	if (error)
		goto window;
	error = ccsample_guard_init();
	if (error)
		goto pmi;
	error = ccsample_netlink_init();
	if (error)
		goto guard;
	error = ccsample_chardev_init();
	if (error)
		goto netlink;
	return 0;
netlink:
	ccsample_netlink_exit();
guard:
	ccsample_guard_exit();
pmi:
	ccsample_pmi_exit();
window:
	ccsample_window_exit();
	return error;
}
module_init(ccsample_init);

/* No session is left: each holds the module. */
static void __exit ccsample_exit(void)
{
	ccsample_chardev_exit();
	ccsample_netlink_exit();
	ccsample_guard_exit();
	ccsample_pmi_exit();
	ccsample_window_exit();
	/* Members of filters are freed after a grace period. */
	rcu_barrier();
}
module_exit(ccsample_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Cache-conflict sampling through Intel PEBS");
MODULE_VERSION("0.1");
