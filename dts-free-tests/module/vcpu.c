// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread that looks to others like a virtual CPU of KVM's: it has a preemption
 * notifier (virt/kvm/kvm_main.c) while it reads /dev/vcpu, until a signal comes.
 */
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>

static void nothing_in(struct preempt_notifier *notifier, int cpu)
{
}

static void nothing_out(struct preempt_notifier *notifier, struct task_struct *next)
{
}

static struct preempt_ops nothing = { .sched_in = nothing_in, .sched_out = nothing_out };

static ssize_t run(struct file *file, char __user *to, size_t size, loff_t *at)
{
	struct preempt_notifier notifier;

	preempt_notifier_init(&notifier, &nothing);
	preempt_notifier_inc();
	preempt_notifier_register(&notifier);
	while (!signal_pending(current))
		schedule_timeout_interruptible(HZ);
	preempt_notifier_unregister(&notifier);
	preempt_notifier_dec();
	return -EINTR;
}

static const struct file_operations operations = { .owner = THIS_MODULE, .read = run };
static struct miscdevice device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "vcpu",
	.fops = &operations,
};
module_misc_device(device);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("A proxy for a virtual CPU");
