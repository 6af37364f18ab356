// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/array.h"
#include "base/temporary.h"
#include "record/listener.h"

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

	*listener = (struct listener){ .fd = -1 };
	for (i = 0; i < ARRAY_SIZE(dirs); i++)
		if (dirs[i] && !open_below(listener, dirs[i]))
			break;
	free(temporary);
	return listener->fd >= 0 ? 0 : -1;
}

void listener_close(struct listener *listener)
{
	close_fd(&listener->fd);
	if (!listener->directory[0])
		return;
	unlink(listener->name);
	rmdir(listener->directory);
	listener->directory[0] = '\0';
}

int listener_accept(const struct listener *listener, pid_t *pid, uid_t *uid)
{
	int fd = accept4(listener->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	struct ucred peer = { .uid = -1 };
	socklen_t size = sizeof(peer);

	if (fd < 0)
		return -1;
	getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size);
	*pid = peer.pid;
	*uid = peer.uid;
	return fd;
}

bool listener_is_empty(void)
{
	return errno == EAGAIN || errno == EINTR || errno == ECONNABORTED;
}
