// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sends a CPU interrupts that are nobody's: NMIs as short as they can be, with
 * whatever other handlers the kernel has at the time. For measuring only.
 *
 *	insmod empty-nmi.ko cpu=N count=N	(and rmmod)
 */
#include <linux/delay.h>
#include <linux/module.h>
#include <asm/apic.h>
#include <asm/nmi.h>

static unsigned int cpu, count;
module_param(cpu, uint, 0);
module_param(count, uint, 0);

static unsigned int due, seen;

/* Registered last: perf's handler has looked before. */
static int interrupt(unsigned int command, struct pt_regs *regs)
{
	if (!READ_ONCE(due))
		return NMI_DONE;
	WRITE_ONCE(due, 0);
	seen++;
	return NMI_HANDLED;
}

static int __init empty_nmi_init(void)
{
	int error = register_nmi_handler(NMI_LOCAL, interrupt, 0, "empty-nmi");

	if (error)
		return error;
	for (unsigned int i = 0; i < count; i++) {
		WRITE_ONCE(due, 1);
		apic->send_IPI(cpu, NMI_VECTOR);
		while (READ_ONCE(due))
			usleep_range(5, 10);
	}
	pr_info("empty-nmi: %u\n", seen);
	return 0;
}

static void __exit empty_nmi_exit(void)
{
	unregister_nmi_handler(NMI_LOCAL, "empty-nmi");
}

module_init(empty_nmi_init);
module_exit(empty_nmi_exit);
MODULE_DESCRIPTION("NMIs that are nobody's");
MODULE_LICENSE("GPL");
