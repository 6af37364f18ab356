// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/array.h"
#include "base/fail.h"
#include "base/temporary.h"
#include "record/listener.h"

#define REFUSALS	16	/* that count as losses: a flood of them is no program's */

void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* Return: a descriptor bound to the address, or -1. */
static int bind_to(const struct sockaddr_un *address)
{
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (fd >= 0 && (bind(fd, (const void *)address, sizeof(*address)) ||
			chmod(address->sun_path, 0600) || listen(fd, SOMAXCONN)))
		close_fd(&fd);
	return fd;
}

/* In a new directory below this one, which is ours alone. Sets errno. */
static int open_below(struct listener *listener, const char *dir)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int error;

	if (snprintf(listener->directory, sizeof(listener->directory), "%s/ccsample-XXXXXX", dir) >=
	    (int)sizeof(listener->directory)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	if (!mkdtemp(listener->directory)) {
		listener->directory[0] = '\0';
		return -1;
	}
	snprintf(listener->name, sizeof(listener->name), "%s/socket", listener->directory);
	memcpy(address.sun_path, listener->name, strlen(listener->name) + 1);
	listener->fd = bind_to(&address);
	if (listener->fd >= 0)
		return 0;
	error = errno;
	listener_close(listener);
	errno = error;
	return -1;
}

int listener_open(struct listener *listener)
{
	char *temporary = realpath(temporary_place(), NULL);
	const char *dirs[] = { temporary, "/tmp", "/dev/shm" };
	size_t i;

	*listener = LISTENER_CLOSED;
	for (i = 0; i < ARRAY_SIZE(dirs); i++)
		if (dirs[i] && !open_below(listener, dirs[i]))
			break;
	free(temporary);
	if (listener->fd < 0)
		return -1;
	listener->spare = fcntl(listener->fd, F_DUPFD_CLOEXEC, 0);
	return 0;
}

void listener_close(struct listener *listener)
{
	close_fd(&listener->fd);
	close_fd(&listener->spare);
	if (!listener->directory[0])
		return;
	unlink(listener->name);
	rmdir(listener->directory);
	listener->directory[0] = '\0';
}

static void refuse(struct listener *listener, struct images *images, int fd, uid_t uid)
{
	close(fd);
	if (listener->refusals < REFUSALS)
		images_give_up(images, 0);
	if (!listener->refusals++)
		warning("a process of another user (uid %u) may not report", uid);
}

/*
 * Whoever waits is let go, unrecorded. accept4() says that no more files may be opened also where
 * nobody waits.
 *
 * Return: somebody did.
 */
static bool let_go(struct listener *listener, struct images *images)
{
	struct rlimit limit = { 0 };
	int fd, error;

	if ((errno != EMFILE && errno != ENFILE) || listener->spare < 0)
		return false;
	close_fd(&listener->spare);
	fd = accept4(listener->fd, NULL, NULL, SOCK_CLOEXEC);
	error = errno;
	if (fd >= 0)
		close(fd);
	listener->spare = fcntl(listener->fd, F_DUPFD_CLOEXEC, 0);
	errno = error;
	if (fd < 0)
		return false;
	images_give_up(images, 0);
	getrlimit(RLIMIT_NOFILE, &limit);
	if (!listener->full++)
		warning("more processes at once than ccsample may open files for (%" PRIu64
			", ulimit -Hn): some do not report", (uint64_t)limit.rlim_cur);
	return true;
}

static void give_up(struct listener *listener, struct images *images)
{
	if (errno == EAGAIN || errno == EINTR || errno == ECONNABORTED)
		return;
	warning("processes that start from now on do not report: %s", strerror(errno));
	images_give_up(images, 0);
	listener_close(listener);
}

int listener_accept(struct listener *listener, struct images *images, pid_t *pid)
{
	struct ucred peer = { .uid = -1 };
	socklen_t size = sizeof(peer);
	int fd;

	for (;;) {
		fd = accept4(listener->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
		if (fd < 0 && let_go(listener, images))
			continue;
		if (fd < 0)
			break;
		getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size);
		*pid = peer.pid;
		if (peer.uid == geteuid())
			return fd;
		refuse(listener, images, fd, peer.uid);
	}
	give_up(listener, images);
	return -1;
}

void listener_unwatched(struct listener *listener, struct images *images, pid_t pid)
{
	if (!listener->unwatched++)
		warning("process %d, and maybe others, does not report: %s", (int)pid,
			strerror(errno));
	images_give_up(images, 0);
}
