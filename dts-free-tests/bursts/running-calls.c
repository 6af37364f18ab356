// SPDX-License-Identifier: GPL-2.0-only
/*
 * running-calls calls MS: as running.c, with a thread in each of some system calls that end with
 * EINTR when a thread is stopped, though no signal comes. None of them ends here.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#define FALLOCATE	(16 << 20)

/* Two ends, whose waits end by themselves, but much later. */
static void with_timeouts(int ends[2])
{
	const struct timeval late = { .tv_sec = 1000 };

	socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
	for (int i = 0; i < 2; i++) {
		setsockopt(ends[i], SOL_SOCKET, SO_RCVTIMEO, &late, sizeof(late));
		setsockopt(ends[i], SOL_SOCKET, SO_SNDTIMEO, &late, sizeof(late));
	}
}

static int full(void)
{
	static char bytes[4096];
	int ends[2];

	with_timeouts(ends);
	while (send(ends[0], bytes, sizeof(bytes), MSG_DONTWAIT) > 0)
		;
	return ends[0];
}

static int empty(void)
{
	int ends[2];

	with_timeouts(ends);
	return ends[0];
}

static int in_ring(void)
{
	struct io_uring_params params = { 0 };
	int fd = syscall(SYS_io_uring_setup, 4, &params);

	if (fd < 0)		/* it may be forbidden: no thread of this kind */
		return pause();
	return syscall(SYS_io_uring_enter, fd, 0, 1, IORING_ENTER_GETEVENTS, NULL, 0);
}

static int in_splice(void)
{
	int ends[2];

	if (pipe(ends))
		return -1;
	return splice(empty(), NULL, ends[1], NULL, 4096, 0);
}

static int in_splice_of_pipe(void)
{
	int ends[2], others[2];

	if (pipe(ends) || pipe(others))
		return -1;
	return splice(ends[0], NULL, others[1], NULL, 4096, 0);
}

static int in_splice_to_socket(void)
{
	int ends[2];

	if (pipe(ends) || write(ends[1], "x", 1) != 1)
		return -1;
	return splice(ends[0], NULL, full(), NULL, 1, 0);
}

static int in_sendfile(void)
{
	return sendfile(full(), open("/proc/self/exe", O_RDONLY), NULL, 4096);
}

static int in_tee(void)
{
	int ends[2], others[2];

	if (pipe(ends) || pipe(others))
		return -1;
	return tee(ends[0], others[1], 4096, 0);
}

static int in_read(void)
{
	char byte;
	const struct iovec at = { &byte, 1 };

	return preadv2(empty(), &at, 1, -1, 0);
}

static int in_write(void)
{
	char byte = 0;
	const struct iovec at = { &byte, 1 };

	return pwritev2(full(), &at, 1, -1, 0);
}

/* As often as there is room for those that were not accepted. */
static int connects(int family, struct sockaddr *name, socklen_t size)
{
	const struct timeval late = { .tv_sec = 1000 };
	int listens = socket(family, SOCK_STREAM, 0), fd;

	if (bind(listens, name, size) || listen(listens, 0) || getsockname(listens, name, &size))
		return -1;
	for (;;) {
		fd = socket(family, SOCK_STREAM, 0);
		setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &late, sizeof(late));
		if (connect(fd, name, size))
			return -1;
	}
}

/* The kernel chooses a name. */
static int in_connect(void)
{
	struct sockaddr_un name = { .sun_family = AF_UNIX };
	socklen_t size = offsetof(struct sockaddr_un, sun_path);
	const int listens = socket(AF_UNIX, SOCK_STREAM, 0);

	if (bind(listens, (struct sockaddr *)&name, size))
		return -1;
	size = sizeof(name);
	getsockname(listens, (struct sockaddr *)&name, &size);
	close(listens);
	return connects(AF_UNIX, (struct sockaddr *)&name, size);
}

static int in_connect_by_tcp(void)
{
	struct sockaddr_in name = { .sin_family = AF_INET };

	name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	return connects(AF_INET, (struct sockaddr *)&name, sizeof(name));
}

static int in_allocation(void)
{
	int fd = memfd_create("running", 0);

	while (!fallocate(fd, 0, 0, FALLOCATE))
		if (ftruncate(fd, 0))
			return -1;
	return -1;
}

static const struct kind {
	const char *name;
	int (*run)(void);
} kinds[] = {
	{ "io_uring_enter", in_ring }, { "splice", in_splice }, { "splice of a pipe", in_splice_of_pipe },
	{ "splice to a socket", in_splice_to_socket }, { "sendfile", in_sendfile }, { "tee", in_tee },
	{ "preadv2", in_read }, { "pwritev2", in_write }, { "connect", in_connect },
	{ "connect by TCP", in_connect_by_tcp },
	{ "fallocate", in_allocation },
};

static int wrong;

static void *wait_in(void *argument)
{
	const struct kind *kind = argument;

	kind->run();
	fprintf(stderr, "%s: %m\n", kind->name);
	__atomic_store_n(&wrong, 1, __ATOMIC_RELAXED);
	return NULL;
}

int main(int argc, char **argv)
{
	struct pollfd input = { .fd = 0, .events = POLLIN };
	pthread_t thread;

	if (argc != 3)
		return 2;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		pthread_create(&thread, NULL, wait_in, (void *)&kinds[i]);
	poll(&input, 1, atoi(argv[2]));
	printf("calls: %s\n", __atomic_load_n(&wrong, __ATOMIC_RELAXED) ? "wrong" : "right");
	fflush(stdout);
	_exit(wrong ? 1 : 3);
}
