// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <time.h>

#include "tracee/preload/connection.h"
#include "tracee/preload/ring.h"
#include "tracee/preload/sys.h"

#define GOODBYE_MS	1000
#define CONNECT_SECONDS	1
#define HIGH_FD		1000		/* out of the way of those that programs count on */
#define NAME_SIZE	100		/* of the socket */

static char name[NAME_SIZE];
static int socket_fd = -1;
static struct stat socket_status;	/* to know whether the descriptor is still ours */

bool connection_name(const char *value)
{
	if (!*value || strlen(value) >= sizeof(name))
		return false;
	strcpy(name, value);
	return true;
}

static bool socket_is_ours(void)
{
	struct stat status;

	return socket_fd >= 0 && !sys2(fstat, socket_fd, &status) &&
	       status.st_ino == socket_status.st_ino && status.st_dev == socket_status.st_dev;
}

void connection_close(void)
{
	if (socket_is_ours())
		sys1(close, socket_fd);
	socket_fd = -1;
}

static int move_up(int fd)
{
	int high = sys3(fcntl, fd, F_DUPFD_CLOEXEC, HIGH_FD);

	if (high < 0)
		return fd;
	sys1(close, fd);
	return high;
}

/* The program does not wait for a recorder that does not read. */
static void limit_sends(int fd)
{
	const struct timeval limit = { .tv_sec = CONNECT_SECONDS };

	sys5(setsockopt, fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
}

static bool connect_to(int fd)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	size_t size = strlen(name);

	memcpy(address.sun_path, name, size);
	limit_sends(fd);
	return !sys3(connect, fd, &address, offsetof(struct sockaddr_un, sun_path) + size + 1);
}

/* Whoever listens now may not be who began: what we would send is for our own user. */
static bool is_ours(int fd)
{
	struct ucred peer;
	socklen_t size = sizeof(peer);

	return !sys5(getsockopt, fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) &&
	       peer.uid == (uid_t)sys0(geteuid);
}

static bool send_message(uint32_t what, int passed)
{
	union {
		struct cmsghdr header;
		char space[CMSG_SPACE(sizeof(int))];
	} control = { .header = {
		.cmsg_len = CMSG_LEN(sizeof(int)),
		.cmsg_level = SOL_SOCKET,
		.cmsg_type = SCM_RIGHTS,
	} };
	struct iovec text = { &what, sizeof(what) };
	struct msghdr message = { .msg_iov = &text, .msg_iovlen = 1 };

	if (passed >= 0) {
		memcpy(CMSG_DATA(&control.header), &passed, sizeof(passed));
		message.msg_control = &control;
		message.msg_controllen = sizeof(control.space);
	}
	return sys3(sendmsg, socket_fd, &message, MSG_NOSIGNAL) == sizeof(what);
}

static int connect_by_name(void)
{
	int fd = sys3(socket, AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	if (fd >= 0 && connect_to(fd) && is_ours(fd))
		return fd;
	sys1(close, fd);
	return -1;
}

/*
 * Since its parent connected, a child may have become another user, or have got another root: the
 * socket is out of its reach. What it has of its parent takes one end of a new connection there.
 */
static int connect_by_parent(void)
{
	int ends[2];
	bool sent;

	if (!socket_is_ours() || sys4(socketpair, AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
		return -1;
	limit_sends(ends[0]);
	sent = send_message(RING_CHILD, ends[1]);
	sys1(close, ends[1]);
	if (sent)
		return ends[0];
	sys1(close, ends[0]);
	return -1;
}

bool connection_open(int ring_fd)
{
	int fd = connect_by_name();

	if (fd < 0)
		fd = connect_by_parent();
	connection_close();
	/* The parent's connection may have been the last file that could be opened. */
	if (fd < 0)
		fd = connect_by_name();
	if (fd < 0)
		return false;
	socket_fd = move_up(fd);
	if (!sys2(fstat, socket_fd, &socket_status) && send_message(RING_HELLO, ring_fd))
		return true;
	sys1(close, socket_fd);
	socket_fd = -1;
	return false;
}

static void forget_replies(void)
{
	char reply[8];

	while (sys6(recvfrom, socket_fd, reply, sizeof(reply), MSG_DONTWAIT, NULL, NULL) > 0)
		;
}

void connection_goodbye(void)
{
	struct pollfd answer = { .events = POLLIN };
	struct timespec limit = { .tv_sec = GOODBYE_MS / 1000 };

	if (!socket_is_ours())
		return;
	forget_replies();
	answer.fd = socket_fd;
	if (!send_message(RING_LEAVING, -1))
		return;
	while (sys5(ppoll, &answer, 1, &limit, NULL, 0) == -EINTR)
		;
}
