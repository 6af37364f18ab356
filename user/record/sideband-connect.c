// SPDX-License-Identifier: GPL-2.0-only
/* Connections of programs: who comes, what rings they bring, who has gone. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <x86intrin.h>

#include "base/fail.h"
#include "base/memory.h"
#include "host/proc.h"
#include "tracee/preload/ring.h"
#include "record/sideband-inside.h"

#define EVENTS		32	/* taken at once */
#define PASSED_MOST	2	/* descriptors that there is room for with a message */
#define UNOPENED_MOST	16	/* that count as losses: a flood of them is no program's */

static void look_for_exec(struct client *client)
{
	if (client->ring)
		client->exec_time = ring_reader_exec_time(client->ring);
}

/* What it did until now is still to be written: bursts, too. */
static void set_ended(struct client *client)
{
	client->ended = true;
	if (!client->end)
		client->end = client->exec_time ? client->exec_time : __rdtsc();
}

/* The same process begins another image: exec. Return: when it was called, 0 = unknown. */
static uint64_t end_before(struct sideband *sideband, pid_t pid)
{
	uint64_t time = 0;
	size_t i;

	for (i = 0; i < sideband->count; i++) {
		struct client *client = sideband->clients[i];

		if (client->pid != pid)
			continue;
		look_for_exec(client);
		time = client->exec_time;
		set_ended(client);
		client->execs = false;
	}
	return time;
}

void sideband_give_up(struct sideband *sideband, struct client *client, const char *wrong)
{
	warning("process %d sent a record that is %s: is its library of another version? What it "
		"does with memory is not recorded any further", (int)client->pid, wrong);
	images_give_up(sideband->images, client->image);
	client->ended = client->exited = true;
	ring_reader_close(client->ring);
	client->ring = NULL;
}

/* @full: we may open no more files */
static void hello(struct sideband *sideband, struct client *client, int memory, bool full)
{
	const char *wrong = full ? "one file more than ccsample may open (ulimit -Hn)" :
				   "not there: a filter of system calls denies it, or its "
				   "limit of file sizes (ulimit -f)";

	if (client->ring)
		return;
	if (memory >= 0)
		client->ring = ring_reader_open(memory, &wrong);
	client->fresh = client->ring;
	if (client->ring)
		return;
	if (!full || !sideband->unopened++)
		warning("process %d sent a ring that is %s; what it does with memory is not "
			"recorded", (int)client->pid, wrong);
	images_give_up(sideband->images, 0);
	client->ended = client->exited = true;
}

/* One is expected. Room for it is room for two: if more came, all are closed. */
static int passed_fd(struct msghdr *message)
{
	struct cmsghdr *header = CMSG_FIRSTHDR(message);
	int fds[PASSED_MOST];
	size_t count;

	if (!header || header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS)
		return -1;
	count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(*fds);
	if (count > PASSED_MOST)
		return -1;
	memcpy(fds, CMSG_DATA(header), count * sizeof(*fds));
	if (count == 1)
		return fds[0];
	while (count)
		close(fds[--count]);
	return -1;
}

static void add_client(struct sideband *sideband, int fd, pid_t pid);

/* @fd: one end of the connection of a client's child that has no way to the socket, -1 = none */
static void adopt(struct sideband *sideband, const struct client *parent, int fd)
{
	struct ucred peer = { 0 };
	socklen_t size = sizeof(peer);

	if (fd >= 0 && !getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) && peer.pid > 0) {
		add_client(sideband, fd, peer.pid);
		return;
	}
	if (sideband->unopened < UNOPENED_MOST)
		images_give_up(sideband->images, 0);
	if (!sideband->unopened++)
		warning("a child of process %d does not report: ccsample may open no more files "
			"(ulimit -Hn)", (int)parent->pid);
	close_fd(&fd);
}

/* Return: there may be more. */
static bool receive(struct sideband *sideband, struct client *client)
{
	char space[CMSG_SPACE(sizeof(int))] __attribute__((aligned(8)));
	uint32_t what = 0;
	struct iovec text = { &what, sizeof(what) };
	struct msghdr message = {
		.msg_iov = &text,
		.msg_iovlen = 1,
		.msg_control = space,
		.msg_controllen = sizeof(space),
	};
	ssize_t got = recvmsg(client->fd, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
	int passed;

	if (got < 0 && (errno == EAGAIN || errno == EINTR))
		return false;
	if (got <= 0) {
		close_fd(&client->fd);
		return false;
	}
	passed = passed_fd(&message);
	if (what == RING_CHILD) {
		adopt(sideband, client, passed);
		return true;
	}
	if (what == RING_HELLO)
		hello(sideband, client, passed, message.msg_flags & MSG_CTRUNC);
	else if (what == RING_LEAVING)
		client->leaving = true;
	close_fd(&passed);
	return true;
}

static void receive_all(struct sideband *sideband, struct client *client)
{
	while (client->fd >= 0 && receive(sideband, client))
		;
}

/* Its end would not be seen. */
static void drop_unwatched(struct sideband *sideband, struct client *client)
{
	listener_unwatched(&sideband->listener, sideband->images, client->pid);
	close_fd(&client->fd);
	close_fd(&client->pidfd);
	free(client);
}

static void add_client(struct sideband *sideband, int fd, pid_t pid)
{
	struct client *client = xcalloc(1, sizeof(*client));

	client->since = end_before(sideband, pid);
	client->fd = fd;
	client->pid = pid;
	client->pidfd = syscall(SYS_pidfd_open, pid, 0);
	if (sideband_watch(sideband, fd) ||
	    (client->pidfd >= 0 && sideband_watch(sideband, client->pidfd))) {
		drop_unwatched(sideband, client);
		return;
	}
	sideband->clients = grow(sideband->clients, sideband->count, &sideband->room,
				 sizeof(*sideband->clients));
	sideband->clients[sideband->count++] = client;
	/* Before the next is taken: that may be its process after exec. */
	receive_all(sideband, client);
}

static void accept_all(struct sideband *sideband)
{
	pid_t pid;
	int fd;

	while ((fd = listener_accept(&sideband->listener, sideband->images, &pid)) >= 0)
		add_client(sideband, fd, pid);
}

static bool is_readable(int fd)
{
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN };

	return poll(&poll_fd, 1, 0) > 0;
}

/*
 * A socket closes with exec and with the process; or the program closed it, among all its
 * descriptors, and goes on with the ring: that alone tells then when it calls exec.
 */
static void look_at_hung_up(struct client *client)
{
	client->leaving = false;
	look_for_exec(client);
	if (client->exec_time && !client->ended && !client->execs) {
		client->execs = true;
		client->end = client->exec_time;
		client->user = proc_status(client->pid, "Uid");
	}
	if (client->pidfd < 0)
		set_ended(client);
}

static struct client *client_of(const struct sideband *sideband, int fd)
{
	size_t i;

	for (i = sideband->count; i--; )
		if (sideband->clients[i]->fd == fd || sideband->clients[i]->pidfd == fd)
			return sideband->clients[i];
	return NULL;
}

static void take_event(struct sideband *sideband, int fd)
{
	struct client *client;

	if (fd == sideband->listener.fd) {
		accept_all(sideband);
		return;
	}
	client = client_of(sideband, fd);
	if (!client)
		return;
	if (client->fd == fd) {
		receive_all(sideband, client);
	} else if (is_readable(fd)) {
		receive_all(sideband, client);
		if (client->fd < 0)
			look_at_hung_up(client);
		set_ended(client);
		/* It stays readable, and whoever waits for it awake */
		close_fd(&client->pidfd);
	}
}

void sideband_poll(struct sideband *sideband)
{
	struct epoll_event events[EVENTS];
	struct client *client;
	int count, i;
	size_t at;

	do {
		count = epoll_wait(sideband->epoll, events, EVENTS, 0);
		for (i = 0; i < count; i++)
			take_event(sideband, events[i].data.fd);
	} while (count == EVENTS);
	for (at = 0; at < sideband->count; at++) {
		client = sideband->clients[at];
		if (client->fd < 0)
			look_at_hung_up(client);
		if (client->ended && client->ring)
			ring_reader_ended(client->ring);
	}
}
