// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/map.h"
#include "base/memory.h"
#include "native/ring.h"
#include "source/install.h"
#include "source/ring-reader.h"
#include "source/sideband.h"

#define ROUNDS	8	/* of sideband_take(), while new images keep coming */

/* A connection: an image, from its first message until its ring is empty and nobody fills it. */
struct client {
	int fd;				/* -1 = has hung up */
	int pidfd;			/* -1 = the process has ended, or cannot be watched */
	pid_t pid;
	uint32_t image;			/* 0 until its first record is written */
	struct ring_reader *ring;
	uint64_t time;			/* of its last record */
	uint64_t limit;			/* of what is taken this round */
	uint64_t exec_time;		/* when it called exec, 0 = it has not */
	uint64_t since;			/* when the image before it did */
	uint64_t reported;		/* when the library wrote its first record */
	bool fresh;			/* came during this round */
	bool leaving;			/* waits for sideband_release() */
	bool ended;			/* the process, or this image of it */
	bool execs;			/* its process called exec; the next image has not come yet */
	bool exited;			/* EXIT was written */
};

/* Images of a process: from when on it was which. */
struct life {
	uint64_t time;
	uint64_t reported;		/* by the library in it: later than it began */
	uint32_t image;
	uint32_t before;		/* index + 1 in the list of lives */
};

struct sideband {
	struct images *images;
	char *library;
	char name[64];			/* of the socket */
	int epoll, listener;
	struct client **clients;
	size_t count, room;
	struct life *lives;
	size_t lives_count, lives_room;
	struct map latest;		/* pid to index + 1 in lives */
	bool refusal_said;
};

static const struct installed library = {
	.what = "the library for native runs",
	.file = "libccsample-native.so",
	.built = "native",
	.variable = "CCSAMPLE_NATIVE",
};

/* --- open --- */

static int watch(struct sideband *sideband, int fd)
{
	struct epoll_event event = { .events = EPOLLIN };

	return epoll_ctl(sideband->epoll, EPOLL_CTL_ADD, fd, &event);
}

/* A name that nobody can guess and nobody has. */
static int listen_abstract(struct sideband *sideband)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	uint64_t chance[2];
	socklen_t size;

	if (getrandom(chance, sizeof(chance), 0) != sizeof(chance))
		return -1;
	snprintf(sideband->name, sizeof(sideband->name), "ccsample-%016llx%016llx",
		 (unsigned long long)chance[0], (unsigned long long)chance[1]);
	memcpy(address.sun_path + 1, sideband->name, strlen(sideband->name));
	size = offsetof(struct sockaddr_un, sun_path) + 1 + strlen(sideband->name);
	sideband->listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (sideband->listener < 0 || bind(sideband->listener, (void *)&address, size))
		return -1;
	return listen(sideband->listener, SOMAXCONN);
}

static void free_all(struct sideband *sideband)
{
	if (sideband->epoll >= 0)
		close(sideband->epoll);
	if (sideband->listener >= 0)
		close(sideband->listener);
	free(sideband->library);
	free(sideband->clients);
	free(sideband->lives);
	map_free(&sideband->latest);
	free(sideband);
}

struct sideband *sideband_open(struct images *images)
{
	struct sideband *sideband = xcalloc(1, sizeof(*sideband));
	char *dir = install_find(&library);

	sideband->images = images;
	sideband->epoll = sideband->listener = -1;
	if (!dir)
		goto failed;
	sideband->library = xasprintf("%s/%s", dir, library.file);
	free(dir);
	sideband->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (sideband->epoll >= 0 && !listen_abstract(sideband) &&
	    !watch(sideband, sideband->listener))
		return sideband;
	fail("cannot listen to the program: %s", strerror(errno));
failed:
	free_all(sideband);
	return NULL;
}

/* Ours comes first, so that it wraps an allocator that is preloaded too. */
void sideband_environment(const struct sideband *sideband)
{
	const char *others = getenv("LD_PRELOAD");
	char *all = xasprintf("%s%s%s", sideband->library, others && *others ? ":" : "",
			      others ? others : "");

	setenv("LD_PRELOAD", all, 1);
	setenv(RING_ENVIRONMENT, sideband->name, 1);
	free(all);
}

int sideband_descriptor(const struct sideband *sideband)
{
	return sideband->epoll;
}

/* --- which image a process was --- */

static void remember(struct sideband *sideband, const struct client *client)
{
	uint64_t *latest = map_at(&sideband->latest, client->pid);

	sideband->lives = grow(sideband->lives, sideband->lives_count, &sideband->lives_room,
			       sizeof(*sideband->lives));
	sideband->lives[sideband->lives_count] = (struct life){
		.time = client->time,
		.reported = client->reported,
		.image = client->image,
		.before = *latest,
	};
	*latest = ++sideband->lives_count;
}

uint32_t sideband_image(const struct sideband *sideband, pid_t pid, uint64_t time)
{
	uint64_t at = map_get(&sideband->latest, pid);

	while (at && sideband->lives[at - 1].time > time)
		at = sideband->lives[at - 1].before;
	return at ? sideband->lives[at - 1].image : 0;
}

/* --- connections --- */

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static void refuse(struct sideband *sideband, int fd, uid_t uid)
{
	close(fd);
	images_give_up(sideband->images, 0);
	if (!sideband->refusal_said)
		warning("a process of another user (uid %u) does not tell of its memory", uid);
	sideband->refusal_said = true;
}

static void look_for_exec(struct client *client)
{
	if (client->ring)
		client->exec_time = ring_reader_exec_time(client->ring);
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
		client->ended = true;
		client->execs = false;
	}
	return time;
}

static void add_client(struct sideband *sideband, int fd)
{
	struct ucred peer = { 0 };
	socklen_t size = sizeof(peer);
	struct client *client;
	uint64_t since;

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) || peer.uid != geteuid()) {
		refuse(sideband, fd, peer.uid);
		return;
	}
	since = end_before(sideband, peer.pid);
	client = xcalloc(1, sizeof(*client));
	client->fd = fd;
	client->pid = peer.pid;
	client->since = since;
	client->fresh = true;
	client->pidfd = syscall(SYS_pidfd_open, peer.pid, 0);
	if (watch(sideband, fd) || (client->pidfd >= 0 && watch(sideband, client->pidfd)))
		warning("process %d is not watched: %s", (int)peer.pid, strerror(errno));
	sideband->clients = grow(sideband->clients, sideband->count, &sideband->room,
				 sizeof(*sideband->clients));
	sideband->clients[sideband->count++] = client;
}

static void accept_all(struct sideband *sideband)
{
	int fd;

	while ((fd = accept4(sideband->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK)) >= 0)
		add_client(sideband, fd);
	if (errno == EAGAIN || errno == EINTR || errno == ECONNABORTED || sideband->listener < 0)
		return;
	warning("processes that start from now on do not tell of their memory: %s",
		strerror(errno));
	images_give_up(sideband->images, 0);
	close_fd(&sideband->listener);
}

/* It is not recorded any further; the program goes on. */
static void give_up(struct sideband *sideband, struct client *client, const char *wrong)
{
	warning("process %d sent a record that is %s: is its library of another version? What it "
		"does with memory is not recorded any further", (int)client->pid, wrong);
	images_give_up(sideband->images, client->image);
	client->ended = client->exited = true;
	ring_reader_close(client->ring);
	client->ring = NULL;
}

static void hello(struct sideband *sideband, struct client *client, int memory)
{
	const char *wrong = "a ring that was not sent";

	if (client->ring)
		return;
	if (memory >= 0)
		client->ring = ring_reader_open(memory, &wrong);
	if (client->ring)
		return;
	warning("process %d sent a ring that is %s; what it does with memory is not recorded",
		(int)client->pid, wrong);
	images_give_up(sideband->images, 0);
	client->ended = client->exited = true;
}

static int passed_fd(struct msghdr *message)
{
	struct cmsghdr *header = CMSG_FIRSTHDR(message);
	int fd;

	if (!header || header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS ||
	    header->cmsg_len != CMSG_LEN(sizeof(fd)))
		return -1;
	memcpy(&fd, CMSG_DATA(header), sizeof(fd));
	return fd;
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
	ssize_t got = recvmsg(client->fd, &message, MSG_CMSG_CLOEXEC);
	int memory;

	if (got < 0 && (errno == EAGAIN || errno == EINTR))
		return false;
	if (got <= 0) {
		close_fd(&client->fd);
		return false;
	}
	memory = passed_fd(&message);
	if (what == RING_HELLO)
		hello(sideband, client, memory);
	else if (what == RING_LEAVING)
		client->leaving = true;
	close_fd(&memory);
	return true;
}

static bool is_readable(int fd)
{
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN };

	return poll(&poll_fd, 1, 0) > 0;
}

/*
 * A socket closes with exec and with the process; or the program closed it,
 * among all its descriptors, and goes on with the ring.
 */
static void look_at(struct sideband *sideband, struct client *client)
{
	while (client->fd >= 0 && receive(sideband, client))
		;
	if (client->fd < 0)
		client->leaving = false;
	if (client->fd < 0)
		look_for_exec(client);
	if (client->fd < 0 && client->exec_time && !client->ended)
		client->execs = true;
	if (client->pidfd >= 0 ? is_readable(client->pidfd) : client->fd < 0)
		client->ended = true;
	if (client->ended && client->ring)
		ring_reader_ended(client->ring);
}

void sideband_poll(struct sideband *sideband)
{
	size_t i;

	if (sideband->listener >= 0)
		accept_all(sideband);
	for (i = 0; i < sideband->count; i++)
		look_at(sideband, sideband->clients[i]);
}

/* --- records --- */

static uint64_t *time_at(struct ccs_record *record)
{
	return record->type == CCS_STACK ? NULL : &((struct ccs_free *)record)->time;
}

/* When its next record is due; UINT64_MAX if there is none. */
static uint64_t next_time(struct sideband *sideband, struct client *client)
{
	struct ccs_record *record;
	const uint64_t *time;

	if (!client->ring)
		return UINT64_MAX;
	record = ring_reader_peek(client->ring, client->limit);
	if (ring_reader_broken(client->ring)) {
		give_up(sideband, client, ring_reader_broken(client->ring));
		return UINT64_MAX;
	}
	if (!record)
		return UINT64_MAX;
	time = time_at(record);
	return time && *time > client->time ? *time : client->time;
}

/* The one whose next record is due first; of two, the one that begins. */
static struct client *next_client(struct sideband *sideband, uint64_t until)
{
	struct client *first = NULL;
	uint64_t time, first_time = until;
	size_t i;

	for (i = 0; i < sideband->count; i++) {
		struct client *client = sideband->clients[i];

		time = next_time(sideband, client);
		if (time == UINT64_MAX || time > until)
			continue;
		if (first && (time > first_time || (time == first_time && client->image)))
			continue;
		first = client;
		first_time = time;
	}
	return first;
}

/* Where exec began is where the next image does: what came before was the old one's. */
static void complete_process(struct sideband *sideband, struct client *client,
			     struct ccs_process *process)
{
	if (process->pid != client->pid)
		process->ppid = 0;	/* of another pid namespace */
	process->pid = client->pid;
	if (process->cause == CCS_PROCESS_FORK)
		return;
	process->cause = sideband->lives_count ? CCS_PROCESS_EXEC : CCS_PROCESS_START;
	if (client->since)
		process->time = client->since;
}

uint64_t sideband_next(struct sideband *sideband)
{
	uint64_t next = CCS_UNKNOWN, time;
	size_t i;

	for (i = 0; i < sideband->count; i++) {
		struct client *client = sideband->clients[i];

		if (client->ring)
			client->limit = ring_reader_head(client->ring);
		time = next_time(sideband, client);
		if (time < next)
			next = time;
	}
	return next;
}

uint64_t sideband_began(struct sideband *sideband, pid_t pid, uint64_t after)
{
	uint64_t at = map_get(&sideband->latest, pid), found = CCS_UNKNOWN, time;
	size_t i;

	for (i = 0; i < sideband->count; i++) {
		struct client *client = sideband->clients[i];

		if (client->pid != pid || client->image || !client->ring)
			continue;
		client->limit = ring_reader_head(client->ring);
		time = next_time(sideband, client);
		if (time >= after && time < found)
			found = time;
	}
	for (; at; at = sideband->lives[at - 1].before) {
		time = sideband->lives[at - 1].reported;
		if (time >= after && time < found)
			found = time;
	}
	return found;
}

void sideband_left(struct sideband *sideband, pid_t pid)
{
	size_t i;

	for (i = 0; i < sideband->count; i++) {
		if (sideband->clients[i]->pid != pid || !sideband->clients[i]->execs)
			continue;
		sideband->clients[i]->execs = false;
		sideband->clients[i]->ended = true;
	}
}

static void take_record(struct sideband *sideband, struct client *client)
{
	struct ccs_record *record = ring_reader_peek(client->ring, client->limit);
	uint64_t *time = time_at(record);
	bool begins = !client->image;

	if (begins && time)
		client->reported = *time;
	if (begins && record->type == CCS_PROCESS)
		complete_process(sideband, client, (struct ccs_process *)record);
	/* Two threads' clocks may differ by the little that one core's lags behind another's. */
	if (time && *time < client->time)
		*time = client->time;
	if (time)
		client->time = *time;
	client->exited |= record->type == CCS_EXIT;
	if (images_message(sideband->images, &client->image, client->pid, record, record->size)) {
		give_up(sideband, client, "not in its place");
		return;
	}
	if (begins)
		remember(sideband, client);
	ring_reader_drop(client->ring);
}

static void send_record(struct sideband *sideband, struct client *client, void *record, size_t size)
{
	struct ccs_record *head = record;

	head->size = size;
	images_message(sideband->images, &client->image, client->pid, record, size);
}

static void tell_lost(struct sideband *sideband, struct client *client)
{
	struct ccs_lost lost = { .record.type = CCS_LOST, .kind = CCS_LOST_EVENTS };

	if (!client->ring || !client->image)
		return;
	lost.count = ring_reader_lost(client->ring);
	if (lost.count)
		send_record(sideband, client, &lost, sizeof(lost));
}

/* Takes all there was when this round began. */
static void take_round(struct sideband *sideband, uint64_t until)
{
	struct client *client;
	size_t i;

	while ((client = next_client(sideband, until)))
		take_record(sideband, client);
	for (i = 0; i < sideband->count; i++) {
		client = sideband->clients[i];
		tell_lost(sideband, client);
		if (client->ring)
			ring_reader_give_back(client->ring);
	}
}

/*
 * Whoever connects after we looked how far the others have written was there
 * before anything that its parent writes later: a new one's first record, at
 * least, is taken with this round, the rest with another.
 */
static bool begin_round(struct sideband *sideband)
{
	bool fresh = false;
	size_t i;

	for (i = 0; i < sideband->count; i++) {
		struct client *client = sideband->clients[i];

		client->fresh = false;
		client->limit = client->ring ? ring_reader_head(client->ring) : 0;
	}
	sideband_poll(sideband);
	for (i = 0; i < sideband->count; i++) {
		if (!sideband->clients[i]->fresh)
			continue;
		sideband->clients[i]->limit = 1;
		fresh = true;
	}
	return fresh;
}

/* --- where an image ends --- */

/*
 * How it ended is not known where it did not say: killed, or it called the
 * kernel itself. What it had written was read all the same.
 */
static void end_image(struct sideband *sideband, struct client *client)
{
	struct ccs_exit end = { .record.type = CCS_EXIT, .time = client->time, .status = ~0u };

	if (client->image && !client->exited)
		send_record(sideband, client, &end, sizeof(end));
	client->exited = true;
	if (client->image)
		images_closed(sideband->images, client->image);
	ring_reader_close(client->ring);
	client->ring = NULL;
}

/* Return: nothing more can come of it. */
static bool is_over(struct sideband *sideband, struct client *client)
{
	if (client->ring && (client->ended || client->execs)) {
		if (ring_reader_left(client->ring))
			return false;
		end_image(sideband, client);
	}
	return client->ended && !client->ring;
}

static void drop_client(struct sideband *sideband, struct client *client)
{
	/* Exec, and the next image never came: static, or without our variables. */
	if (client->execs || (!client->image && !client->exited))
		images_give_up(sideband->images, 0);
	close_fd(&client->fd);
	close_fd(&client->pidfd);
	free(client);
}

static void sweep(struct sideband *sideband)
{
	size_t i, kept = 0;

	for (i = 0; i < sideband->count; i++) {
		if (is_over(sideband, sideband->clients[i]))
			drop_client(sideband, sideband->clients[i]);
		else
			sideband->clients[kept++] = sideband->clients[i];
	}
	sideband->count = kept;
}

void sideband_take(struct sideband *sideband, uint64_t until)
{
	bool fresh = true;
	int i;

	for (i = 0; i < ROUNDS && fresh; i++) {
		fresh = begin_round(sideband);
		take_round(sideband, until);
	}
	sweep(sideband);
}

/* --- goodbyes --- */

pid_t sideband_leaving(struct sideband *sideband)
{
	size_t i;

	for (i = 0; i < sideband->count; i++)
		if (sideband->clients[i]->leaving)
			return sideband->clients[i]->pid;
	return 0;
}

void sideband_release(struct sideband *sideband, pid_t pid)
{
	const uint32_t answer = RING_LEAVING;
	size_t i;

	for (i = 0; i < sideband->count; i++) {
		struct client *client = sideband->clients[i];

		if (client->pid != pid || !client->leaving)
			continue;
		client->leaving = false;
		if (client->fd >= 0 && send(client->fd, &answer, sizeof(answer),
					    MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
			close_fd(&client->fd);
	}
}

bool sideband_done(const struct sideband *sideband)
{
	return !sideband->count;
}

/* What still goes on is left alone: it notices, and goes on unrecorded. */
void sideband_close(struct sideband *sideband)
{
	size_t i;

	sideband_take(sideband, UINT64_MAX - 1);
	for (i = 0; i < sideband->count; i++) {
		struct client *client = sideband->clients[i];

		if (client->image && !client->exited)
			images_give_up(sideband->images, client->image);
		client->exited = true;
		client->execs = false;
		ring_reader_close(client->ring);
		drop_client(sideband, client);
	}
	free_all(sideband);
}
