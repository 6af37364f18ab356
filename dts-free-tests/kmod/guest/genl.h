/* SPDX-License-Identifier: GPL-2.0-only */
/* Generic netlink without a library, as far as the tests of the family "ccsample" need it. */
#ifndef CCSAMPLE_TEST_GENL_H
#define CCSAMPLE_TEST_GENL_H

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>

#include "ccsample-netlink.h"

#define GENL_ROOM	32768

struct genl_request {
	struct nlmsghdr header;
	struct genlmsghdr genl;
	struct nlattr attribute;
	char name[16];
};

static inline int genl_socket(void)
{
	struct timeval patience = { .tv_sec = 5 };
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC);

	if (fd >= 0)
		setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	return fd;
}

static inline int genl_send(int fd, int family, int command, int flags, const char *name)
{
	struct genl_request ask = {
		.header = { .nlmsg_len = NLMSG_LENGTH(GENL_HDRLEN), .nlmsg_type = family,
			    .nlmsg_flags = NLM_F_REQUEST | flags },
		.genl = { .cmd = command, .version = 1 },
	};

	if (name) {
		ask.attribute.nla_type = CTRL_ATTR_FAMILY_NAME;
		ask.attribute.nla_len = NLA_HDRLEN + strlen(name) + 1;
		strncpy(ask.name, name, sizeof(ask.name) - 1);
		ask.header.nlmsg_len += NLA_ALIGN(ask.attribute.nla_len);
	}
	return send(fd, &ask, ask.header.nlmsg_len, 0) < 0 ? -errno : 0;
}

/* The number of the family, or a negative errno. */
static inline int genl_family(int fd)
{
	char answer[GENL_ROOM];
	struct nlmsghdr *header = (struct nlmsghdr *)answer;
	int error = genl_send(fd, GENL_ID_CTRL, CTRL_CMD_GETFAMILY, 0, CCSAMPLE_NL_FAMILY);
	ssize_t got = error ? -1 : recv(fd, answer, sizeof(answer), 0);
	size_t at = NLMSG_LENGTH(GENL_HDRLEN);

	if (got < (ssize_t)at || header->nlmsg_type == NLMSG_ERROR)
		return -ENOENT;
	while (at + NLA_HDRLEN < (size_t)got) {
		const struct nlattr *a = (const struct nlattr *)(answer + at);

		if (a->nla_type == CTRL_ATTR_FAMILY_ID)
			return *(const unsigned short *)(answer + at + NLA_HDRLEN);
		at += NLA_ALIGN(a->nla_len);
	}
	return -ENOENT;
}

/* All sessions asked for: 0 when the answer has ended, or a negative errno. */
static inline int genl_dump(int fd, int family)
{
	char answer[GENL_ROOM];
	int error = genl_send(fd, family, CCSAMPLE_NL_STATUS, NLM_F_DUMP, NULL);

	while (!error) {
		const struct nlmsghdr *header = (const struct nlmsghdr *)answer;
		ssize_t left = recv(fd, answer, sizeof(answer), 0);

		if (left < 0)
			return -errno;
		for (; NLMSG_OK(header, left); header = NLMSG_NEXT(header, left)) {
			if (header->nlmsg_type == NLMSG_DONE || header->nlmsg_type == NLMSG_ERROR)
				return *(const int *)NLMSG_DATA(header);
		}
	}
	return error;
}

#endif /* CCSAMPLE_TEST_GENL_H */
