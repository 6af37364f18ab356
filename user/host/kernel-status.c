// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <string.h>

#include <netlink/genl/ctrl.h>
#include <netlink/genl/genl.h>
#include <netlink/netlink.h>

#include "base/fail.h"
#include "host/kernel-status.h"

struct listener {
	kernel_session_handler *handler;
	void *data;
	int result;
};

static uint32_t get_u32(struct nlattr **attributes, enum ccsample_nl_attribute which)
{
	return attributes[which] ? nla_get_u32(attributes[which]) : 0;
}

static uint64_t get_u64(struct nlattr **attributes, enum ccsample_nl_attribute which)
{
	return attributes[which] ? nla_get_u64(attributes[which]) : 0;
}

static struct kernel_session session_of(struct nlattr **attributes)
{
	struct kernel_session session = {
		.cpu = get_u32(attributes, CCSAMPLE_NL_CPU),
		.owner = get_u32(attributes, CCSAMPLE_NL_OWNER),
		.state = get_u32(attributes, CCSAMPLE_NL_STATE),
		.reason = get_u32(attributes, CCSAMPLE_NL_REASON),
		.events = get_u32(attributes, CCSAMPLE_NL_EVENTS),
		.burst = get_u32(attributes, CCSAMPLE_NL_BURST),
		.tsc_khz = get_u32(attributes, CCSAMPLE_NL_TSC_KHZ),
		.config = get_u64(attributes, CCSAMPLE_NL_CONFIG),
		.period = get_u64(attributes, CCSAMPLE_NL_PERIOD),
		.interrupts = get_u64(attributes, CCSAMPLE_NL_INTERRUPTS),
		.records = get_u64(attributes, CCSAMPLE_NL_RECORDS),
		.bursts = get_u64(attributes, CCSAMPLE_NL_HEAD),
		.overruns = get_u64(attributes, CCSAMPLE_NL_OVERRUNS),
		.overrun_records = get_u64(attributes, CCSAMPLE_NL_OVERRUN_RECORDS),
		.short_gaps = get_u64(attributes, CCSAMPLE_NL_SHORT_GAPS),
		.lost_marks = get_u64(attributes, CCSAMPLE_NL_LOST_MARKS),
		.rearmed = get_u64(attributes, CCSAMPLE_NL_REARMED_COUNTERS),
		.full_slots = get_u64(attributes, CCSAMPLE_NL_FULL_SLOTS),
		.full_records = get_u64(attributes, CCSAMPLE_NL_FULL_RECORDS),
		.handler_tsc = get_u64(attributes, CCSAMPLE_NL_HANDLER_TSC),
		.handler_tsc_max = get_u64(attributes, CCSAMPLE_NL_HANDLER_TSC_MAX),
	};

	if (attributes[CCSAMPLE_NL_DEVICE])
		nla_strlcpy(session.device, attributes[CCSAMPLE_NL_DEVICE], sizeof(session.device));
	return session;
}

static int take_message(struct nl_msg *message, void *data)
{
	struct nla_policy policy[CCSAMPLE_NL_ATTRIBUTE_MAX + 1] = {
		[CCSAMPLE_NL_CPU ... CCSAMPLE_NL_REASON] = { .type = NLA_U32 },
		[CCSAMPLE_NL_EVENTS] = { .type = NLA_U32 },
		[CCSAMPLE_NL_CONFIG ... CCSAMPLE_NL_PERIOD] = { .type = NLA_U64 },
		[CCSAMPLE_NL_BURST] = { .type = NLA_U32 },
		[CCSAMPLE_NL_INTERRUPTS ... CCSAMPLE_NL_HANDLER_TSC_MAX] = { .type = NLA_U64 },
		[CCSAMPLE_NL_TSC_KHZ] = { .type = NLA_U32 },
		[CCSAMPLE_NL_REARMED_COUNTERS ... CCSAMPLE_NL_FULL_RECORDS] = { .type = NLA_U64 },
		[CCSAMPLE_NL_DEVICE] = { .type = NLA_STRING },
	};
	struct nlattr *attributes[CCSAMPLE_NL_ATTRIBUTE_MAX + 1];
	struct nlmsghdr *header = nlmsg_hdr(message);
	struct listener *listener = data;
	struct kernel_session session;

	if (genlmsg_parse(header, 0, attributes, CCSAMPLE_NL_ATTRIBUTE_MAX, policy))
		return NL_SKIP;
	session = session_of(attributes);
	listener->result = listener->handler(genlmsg_hdr(header)->cmd, &session, listener->data);
	return listener->result ? NL_STOP : NL_OK;
}

/* Return: the family's number, or -1 after one line. */
static int connect_family(struct nl_sock *socket)
{
	int family;

	if (genl_connect(socket))
		return fail("cannot open a generic netlink socket: %s", strerror(errno));
	family = genl_ctrl_resolve(socket, CCSAMPLE_NL_FAMILY);
	if (family < 0)
		return fail("the kernel module is not loaded (modprobe ccsample; ccsample doctor "
			    "says whether it can run here)");
	return family;
}

static int ask_status(struct nl_sock *socket, struct listener *listener)
{
	int family = connect_family(socket), error;

	if (family < 0)
		return -1;
	error = genl_send_simple(socket, family, CCSAMPLE_NL_STATUS, CCSAMPLE_NL_VERSION,
				 NLM_F_DUMP);
	if (error >= 0)
		error = nl_recvmsgs_default(socket);
	if (error < 0)
		return fail("the kernel module did not answer: %s", nl_geterror(error));
	return listener->result;
}

static int with_socket(struct listener listener,
		       int (*run)(struct nl_sock *socket, struct listener *listener))
{
	struct nl_sock *socket = nl_socket_alloc();
	int result;

	if (!socket)
		return fail("no memory for a netlink socket");
	nl_socket_modify_cb(socket, NL_CB_VALID, NL_CB_CUSTOM, take_message, &listener);
	result = run(socket, &listener);
	nl_socket_free(socket);
	return result;
}

int kernel_sessions(kernel_session_handler *handler, void *data)
{
	return with_socket((struct listener){ .handler = handler, .data = data }, ask_status);
}

static int join_group(struct nl_sock *socket)
{
	int group, error;

	nl_socket_disable_seq_check(socket);
	if (connect_family(socket) < 0)
		return -1;
	group = genl_ctrl_resolve_grp(socket, CCSAMPLE_NL_FAMILY, CCSAMPLE_NL_GROUP);
	if (group < 0)
		return fail("the kernel module has no group \"%s\" (%s): it takes a kernel that "
			    "keeps groups for administrators (6.8; later releases of 6.1 and 6.6)",
			    CCSAMPLE_NL_GROUP, nl_geterror(group));
	error = nl_socket_add_membership(socket, group);
	if (error < 0)
		return fail("cannot listen to the kernel module: %s", nl_geterror(error));
	return 0;
}

static int listen_on(struct nl_sock *socket, struct listener *listener)
{
	int error;

	if (join_group(socket))
		return -1;
	while (!listener->result) {
		error = nl_recvmsgs_default(socket);
		if (error == -NLE_NOMEM)	/* ENOBUFS, netlink(7) */
			warning("messages were lost: they came too fast");
		else if (error < 0 && error != -NLE_INTR)
			return fail("the kernel module's messages ended: %s", nl_geterror(error));
	}
	return listener->result;
}

int kernel_monitor(kernel_session_handler *handler)
{
	return with_socket((struct listener){ .handler = handler }, listen_on);
}

double kernel_session_ns(const struct kernel_session *session, uint64_t ticks)
{
	return session->tsc_khz ? ticks * 1e6 / session->tsc_khz : 0;
}
