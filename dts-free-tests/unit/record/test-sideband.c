// SPDX-License-Identifier: GPL-2.0-only
/* Descriptors that come to the recorder's socket: it keeps none that it does not expect. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "record/images.h"
#include "record/sideband.h"
#include "tap.h"
#include "tracee/preload/ring.h"

static int open_files(void)
{
	DIR *dir = opendir("/proc/self/fd");
	int count = 0;

	while (readdir(dir))
		count++;
	closedir(dir);
	return count;
}

static int connection(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	strncpy(address.sun_path, getenv(RING_ENVIRONMENT), sizeof(address.sun_path) - 1);
	if (connect(fd, (void *)&address, sizeof(address)))
		abort();
	return fd;
}

/* The recorder takes a message with copies of a descriptor. */
static void pass(struct sideband *sideband, int connection, unsigned int copies)
{
	char space[CMSG_SPACE(4 * sizeof(int))] __attribute__((aligned(8))) = { 0 };
	uint32_t what = RING_LEAVING;
	struct iovec text = { &what, sizeof(what) };
	struct msghdr message = {
		.msg_iov = &text,
		.msg_iovlen = 1,
		.msg_control = space,
		.msg_controllen = CMSG_SPACE(copies * sizeof(int)),
	};
	struct cmsghdr *header = CMSG_FIRSTHDR(&message);

	header->cmsg_level = SOL_SOCKET;
	header->cmsg_type = SCM_RIGHTS;
	header->cmsg_len = CMSG_LEN(copies * sizeof(int));
	for (unsigned int i = 0; i < copies; i++)
		memcpy(CMSG_DATA(header) + i * sizeof(int), &(int){ STDERR_FILENO }, sizeof(int));
	if (sendmsg(connection, &message, 0) != sizeof(what))
		abort();
	for (int i = 0; i < 3; i++)
		sideband_poll(sideband);
}

int main(int argc, char **argv)
{
	struct images *images = images_new(NULL, NULL);
	struct sideband *sideband;
	unsigned int copies;
	int fd, before;
	char dir[4096];

	snprintf(dir, sizeof(dir), "%s/native", argc > 1 ? argv[1] : "build");
	setenv("CCSAMPLE_NATIVE", dir, 1);
	sideband = sideband_open(images, 1, false);
	if (!sideband)
		return 1;
	sideband_environment(sideband);
	fd = connection();
	for (int i = 0; i < 3; i++)
		sideband_poll(sideband);
	before = open_files();
	for (copies = 1; copies <= 3; copies++) {
		pass(sideband, fd, copies);
		ok(open_files() == before, "a message with %u descriptors: none is kept", copies);
	}
	close(fd);
	sideband_close(sideband);
	images_free(images);
	return done();
}
