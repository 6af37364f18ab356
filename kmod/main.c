// SPDX-License-Identifier: GPL-2.0-only
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/module.h>

#include "ccsample.h"
#include "cpu.h"

static unsigned int pebs_format;
module_param(pebs_format, uint, 0444);
MODULE_PARM_DESC(pebs_format, "PEBS record format of this processor (read-only)");

static unsigned int pebs_counters;
module_param(pebs_counters, uint, 0444);
MODULE_PARM_DESC(pebs_counters, "general-purpose counters of this processor (read-only)");

static int __init ccsample_init(void)
{
	struct ccsample_cpu cpu;
	const char *refusal = ccsample_cpu_probe(&cpu);

	if (refusal) {
		pr_err(CCSAMPLE_REFUSAL "%s\n", refusal);
		return -ENODEV;
	}
	pebs_format = cpu.pebs_format;
	pebs_counters = cpu.counters;
	pr_info("PEBS format %u%s, %u counters; this version looks, it does not sample\n",
		cpu.pebs_format, cpu.baseline ? " (adaptive)" : "", cpu.counters);
	return 0;
}
module_init(ccsample_init);

static void __exit ccsample_exit(void)
{
}
module_exit(ccsample_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Cache-conflict sampling through Intel PEBS");
MODULE_VERSION("0.1");
