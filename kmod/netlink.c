// SPDX-License-Identifier: GPL-2.0-only
#include <linux/capability.h>
#include <linux/cpumask.h>
#include <linux/module.h>
#include <net/net_namespace.h>
#include <asm/tsc.h>

#include "compat/genetlink.h"
#include "netlink.h"
#include "registry.h"
#include "session.h"

/* Counters of misses are a look at what other people's programs do. */
static const struct genl_multicast_group groups[] = {
	ADMIN_GROUP(CCSAMPLE_NL_GROUP),
};

static int may_look(struct netlink_callback *callback);
static int dump_status(struct sk_buff *skb, struct netlink_callback *callback);

static const struct genl_ops operations[] = {
	{
		.cmd = CCSAMPLE_NL_STATUS,
		.start = may_look,
		.dumpit = dump_status,
	},
};

static struct genl_family family __ro_after_init = {
	.name = CCSAMPLE_NL_FAMILY,
	.version = CCSAMPLE_NL_VERSION,
	.maxattr = CCSAMPLE_NL_ATTRIBUTE_MAX,
	.module = THIS_MODULE,
	.ops = operations,
	.n_ops = ARRAY_SIZE(operations),
	.resv_start_op = CCSAMPLE_NL_REARMED + 1,
	.mcgrps = groups,
	.n_mcgrps = HAS_ADMIN_GROUPS ? ARRAY_SIZE(groups) : 0,
};

static int put_u64(struct sk_buff *skb, enum ccsample_nl_attribute attribute, u64 value)
{
	return nla_put_u64_64bit(skb, attribute, value, CCSAMPLE_NL_UNSPEC);
}

static int put_settings(struct sk_buff *skb, const struct ccsample_status *status)
{
	return nla_put_u32(skb, CCSAMPLE_NL_CPU, status->cpu) ?:
	       nla_put_u32(skb, CCSAMPLE_NL_OWNER, status->owner) ?:
	       nla_put_u32(skb, CCSAMPLE_NL_STATE, status->control.state) ?:
	       nla_put_u32(skb, CCSAMPLE_NL_REASON, status->control.reason) ?:
	       nla_put_u32(skb, CCSAMPLE_NL_EVENTS, status->events) ?:
	       put_u64(skb, CCSAMPLE_NL_CONFIG, status->config) ?:
	       put_u64(skb, CCSAMPLE_NL_PERIOD, status->period) ?:
	       nla_put_u32(skb, CCSAMPLE_NL_BURST, status->burst) ?:
	       nla_put_u32(skb, CCSAMPLE_NL_TSC_KHZ, tsc_khz) ?:
	       (status->device ? nla_put_string(skb, CCSAMPLE_NL_DEVICE, status->device) : 0);
}

static int put_counters(struct sk_buff *skb, const struct ccsample_control *control)
{
	return put_u64(skb, CCSAMPLE_NL_INTERRUPTS, control->interrupts) ?:
	       put_u64(skb, CCSAMPLE_NL_RECORDS, control->records) ?:
	       put_u64(skb, CCSAMPLE_NL_HEAD, control->head) ?:
	       put_u64(skb, CCSAMPLE_NL_OVERRUNS, control->overruns) ?:
	       put_u64(skb, CCSAMPLE_NL_OVERRUN_RECORDS, control->overrun_records) ?:
	       put_u64(skb, CCSAMPLE_NL_SHORT_GAPS, control->short_gaps) ?:
	       put_u64(skb, CCSAMPLE_NL_LOST_MARKS, control->lost_marks) ?:
	       put_u64(skb, CCSAMPLE_NL_REARMED_COUNTERS, control->rearmed) ?:
	       put_u64(skb, CCSAMPLE_NL_FULL_SLOTS, control->full_slots) ?:
	       put_u64(skb, CCSAMPLE_NL_FULL_RECORDS, control->full_records) ?:
	       put_u64(skb, CCSAMPLE_NL_HANDLER_TSC, control->handler_tsc) ?:
	       put_u64(skb, CCSAMPLE_NL_HANDLER_TSC_MAX, control->handler_tsc_max);
}

/* Return: 0, or -EMSGSIZE with nothing added. */
static int put_status(struct sk_buff *skb, u32 portid, u32 sequence, int flags,
		      enum ccsample_nl_command command, const struct ccsample_status *status)
{
	void *header = genlmsg_put(skb, portid, sequence, &family, flags, command);

	if (!header)
		return -EMSGSIZE;
	if (put_settings(skb, status) || put_counters(skb, &status->control)) {
		genlmsg_cancel(skb, header);
		return -EMSGSIZE;
	}
	genlmsg_end(skb, header);
	return 0;
}

/* Who asks has the right, and had it when the socket was opened: it may have been handed on. */
static int may_look(struct netlink_callback *callback)
{
	return netlink_capable(callback->skb, CAP_PERFMON) ||
	       netlink_capable(callback->skb, CAP_SYS_ADMIN) ? 0 : -EPERM;
}

/* callback->args[0]: the CPU to go on with. */
static int dump_status(struct sk_buff *skb, struct netlink_callback *callback)
{
	struct ccsample_status status;
	unsigned long cpu;

	for (cpu = callback->args[0]; cpu < nr_cpu_ids; cpu++) {
		if (!cpu_possible(cpu) || !ccsample_registry_status(cpu, &status))
			continue;
		if (put_status(skb, NETLINK_CB(callback->skb).portid, callback->nlh->nlmsg_seq,
			       NLM_F_MULTI, CCSAMPLE_NL_STATUS, &status))
			break;
	}
	callback->args[0] = cpu;
	return skb->len;
}

void ccsample_netlink_notify(enum ccsample_nl_command command,
			     const struct ccsample_status *status)
{
	struct sk_buff *skb;

	if (!HAS_ADMIN_GROUPS || !genl_has_listeners(&family, &init_net, 0))
		return;
	skb = genlmsg_new(NLMSG_DEFAULT_SIZE, GFP_KERNEL);
	if (!skb)
		return;
	if (put_status(skb, 0, 0, 0, command, status))
		nlmsg_free(skb);
	else
		genlmsg_multicast(&family, skb, 0, 0, GFP_KERNEL);
}

int ccsample_netlink_init(void)
{
	return genl_register_family(&family);
}

void ccsample_netlink_exit(void)
{
	genl_unregister_family(&family);
}
