// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "record/listener.h"

void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

int listener_open(char *name)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	uint64_t chance[2];
	socklen_t size;
	int fd;

	if (getrandom(chance, sizeof(chance), 0) != sizeof(chance))
		return -1;
	snprintf(name, LISTENER_NAME, "ccsample-%016llx%016llx", (unsigned long long)chance[0],
		 (unsigned long long)chance[1]);
	memcpy(address.sun_path + 1, name, strlen(name));
	size = offsetof(struct sockaddr_un, sun_path) + 1 + strlen(name);
	fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd >= 0 && (bind(fd, (void *)&address, size) || listen(fd, SOMAXCONN)))
		close_fd(&fd);
	return fd;
}

int listener_accept(int listener, pid_t *pid, uid_t *uid)
{
	int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
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
