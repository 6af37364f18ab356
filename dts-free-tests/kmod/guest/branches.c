// SPDX-License-Identifier: GPL-2.0-only
/*
 * Branch trace store as the processor has it (SDM volume 3, "Setting Up the BTS Buffer", "DS Save
 * Area"), for a core without one: records of a thousand branches go to the DS area of the CPU that
 * loads this, into the buffer that stands there. It loads where the buffer lies in the page of the
 * DS area, behind all that PEBS has there, and no interrupt was asked for.
 *
 *	taskset 2 insmod branches.ko	(and rmmod)
 */
#include <linux/irqflags.h>
#include <linux/module.h>
#include <asm/msr.h>

#define BRANCHES	1000
#define RECORD		24
#define RESETS_END	(64 + 48 * 8)	/* of the 64-bit DS area, fixed counters' included */

enum { BASE, INDEX, MAXIMUM, THRESHOLD };

static bool is_right(u64 area, const u64 *ds)
{
	return ds[BASE] >= area + RESETS_END && ds[MAXIMUM] > ds[BASE] + RECORD &&
	       ds[MAXIMUM] <= area + PAGE_SIZE && ds[INDEX] == ds[BASE] &&
	       !((ds[MAXIMUM] - ds[BASE]) % RECORD);
}

static unsigned int trace(u64 *ds)
{
	unsigned int interrupts = 0;

	for (u64 i = 0; i < BRANCHES; i++) {
		u64 *record = (u64 *)ds[INDEX];

		record[0] = i;
		record[1] = i + 1;
		record[2] = 0x10;
		ds[INDEX] += RECORD;
		interrupts += ds[INDEX] >= ds[THRESHOLD];
		if (ds[INDEX] >= ds[MAXIMUM])
			ds[INDEX] = ds[BASE];
	}
	return interrupts;
}

static int __init branches_init(void)
{
	unsigned int interrupts = 0;
	unsigned long flags;
	bool right;
	u64 area;

	local_irq_save(flags);
	area = __rdmsr(MSR_IA32_DS_AREA);
	right = area && is_right(area, (const u64 *)area);
	if (right)
		interrupts = trace((u64 *)area);
	local_irq_restore(flags);
	return right && !interrupts ? 0 : -EINVAL;
}

static void __exit branches_exit(void)
{
}

module_init(branches_init);
module_exit(branches_exit);
MODULE_DESCRIPTION("Branch trace store, by hand");
MODULE_LICENSE("GPL");
