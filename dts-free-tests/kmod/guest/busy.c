// SPDX-License-Identifier: GPL-2.0-only
/*
 * Keeps the CPU that loads it in the kernel, preemption off, with loads and stores. With pauses=1
 * others may run every millisecond; with closed=1 interrupts are off as well, and nobody seems to
 * wait for the CPU.
 *
 *	insmod busy.ko seconds=N [pauses=1] [closed=1]	(and rmmod)
 */
#include <linux/irqflags.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/sched.h>

static unsigned int seconds, pauses, closed;
module_param(seconds, uint, 0);
module_param(pauses, uint, 0);
module_param(closed, uint, 0);

static unsigned int table[1024];

static void load_and_store(ktime_t until)
{
	preempt_disable();
	if (closed)
		local_irq_disable();
	while (ktime_before(ktime_get(), until)) {
		for (unsigned int i = 0; i < ARRAY_SIZE(table); i++)
			WRITE_ONCE(table[i], READ_ONCE(table[i]) + 1);
		if (closed)
			clear_tsk_need_resched(current);
	}
	if (closed) {
		set_tsk_need_resched(current);
		local_irq_enable();
	}
	preempt_enable();
}

static int __init busy_init(void)
{
	ktime_t end = ktime_add_ms(ktime_get(), MSEC_PER_SEC * seconds);

	while (ktime_before(ktime_get(), end)) {
		load_and_store(pauses ? ktime_add_ms(ktime_get(), 1) : end);
		cond_resched();
	}
	return 0;
}

static void __exit busy_exit(void)
{
}

module_init(busy_init);
module_exit(busy_exit);
MODULE_DESCRIPTION("A CPU that stays in the kernel");
MODULE_LICENSE("GPL");
