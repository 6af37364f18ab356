// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/error-text.h"
#include "base/fail.h"
#include "base/memory.h"
#include "format/record-types.h"
#include "tracee/preload/ring.h"
#include "host/install.h"
#include "host/proc.h"
#include "record/sideband-inside.h"

#define ROUNDS	8	/* of looking for new images, while they keep coming */

/* --- open --- */

int sideband_watch(struct sideband *sideband, int fd)
{
	struct epoll_event event = { .events = EPOLLIN, .data.fd = fd };

	return epoll_ctl(sideband->epoll, EPOLL_CTL_ADD, fd, &event);
}

static void free_all(struct sideband *sideband)
{
	close_fd(&sideband->epoll);
	listener_close(&sideband->listener);
	free(sideband->library);
	free(sideband->clients);
	timeline_free(&sideband->reports);
	free(sideband);
}

struct sideband *sideband_open(struct images *images, uint32_t least_block, bool leaving)
{
	struct sideband *sideband = xcalloc(1, sizeof(*sideband));
	char *dir = install_find(&install_library);

	sideband->images = images;
	sideband->least_block = least_block;
	sideband->leaving = leaving;
	sideband->epoll = -1;
	sideband->listener = LISTENER_CLOSED;
	if (!dir)
		goto failed;
	sideband->library = xasprintf("%s/%s", dir, install_library.file);
	free(dir);
	sideband->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (sideband->epoll >= 0 && !listener_open(&sideband->listener) &&
	    !sideband_watch(sideband, sideband->listener.fd))
		return sideband;
	fail("cannot listen to the program: %s%s", error_text(errno),
	     sideband->epoll < 0 || sideband->listener.fd >= 0 || errno == EMFILE ? "" :
	     ": name a directory for a socket in TMPDIR");
failed:
	free_all(sideband);
	return NULL;
}

/* AddressSanitizer's library refuses to run behind ours. What the user asks of it counts. */
static void let_sanitizer_follow(void)
{
	const char *others = getenv("ASAN_OPTIONS");
	char *all = xasprintf("verify_asan_link_order=0%s%s", others && *others ? ":" : "",
			      others ? others : "");

	setenv("ASAN_OPTIONS", all, 1);
	free(all);
}

/* Ours comes first, so that it wraps an allocator that is preloaded too. */
void sideband_environment(const struct sideband *sideband)
{
	const char *others = getenv("LD_PRELOAD");
	char *all = xasprintf("%s%s%s", sideband->library, others && *others ? ":" : "",
			      others ? others : "");
	char least[16], filters[16];

	setenv("LD_PRELOAD", all, 1);
	setenv(RING_ENVIRONMENT, sideband->listener.name, 1);
	snprintf(least, sizeof(least), "%u", sideband->least_block);
	setenv(RING_LEAST_ENVIRONMENT, least, 1);
	setenv(RING_LEAVING_ENVIRONMENT, sideband->leaving ? "1" : "0", 1);
	snprintf(filters, sizeof(filters), "%u",
		 (unsigned int)proc_status(getpid(), "Seccomp_filters"));
	setenv(RING_FILTERS_ENVIRONMENT, filters, 1);
	let_sanitizer_follow();
	free(all);
}

int sideband_descriptor(const struct sideband *sideband)
{
	return sideband->epoll;
}

/* --- records --- */

static uint64_t *time_at(struct ccs_record *record)
{
	return record_type_find(record->type)->timed ? &((struct ccs_free *)record)->time : NULL;
}

/* Of an image that no record comes of any more; UINT64_MAX where one may, or the end is unknown. */
static uint64_t end_time(const struct client *client)
{
	if (!client->end || ring_reader_left(client->ring))
		return UINT64_MAX;
	return client->exited || client->end < client->time ? client->time : client->end;
}

/* When its next record is due, or its end; UINT64_MAX if there is none. */
static uint64_t next_time(struct sideband *sideband, struct client *client)
{
	struct ccs_record *record;
	const uint64_t *time;

	if (!client->ring)
		return UINT64_MAX;
	if (held_ends_first(&client->held))
		return record_time(held_ends_first(&client->held));
	record = ring_reader_peek(client->ring, client->limit);
	if (ring_reader_broken(client->ring)) {
		sideband_give_up(sideband, client, ring_reader_broken(client->ring));
		return UINT64_MAX;
	}
	if (!record)
		return end_time(client);
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
	uint64_t found = timeline_next(&sideband->reports, pid, after), time;
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

/* Where exec began is where the next image does: what came before was the old one's. */
static void complete_process(struct sideband *sideband, struct client *client,
			     struct ccs_process *process)
{
	if (process->pid != client->pid)
		process->ppid = proc_status(client->pid, "PPid"); /* of another namespace */
	process->pid = client->pid;
	if (process->cause == CCS_PROCESS_FORK)
		return;
	process->cause = sideband->reports.count ? CCS_PROCESS_EXEC : CCS_PROCESS_START;
	if (client->since)
		process->time = client->since;
}

static void write_record(struct sideband *sideband, struct client *client,
			 struct ccs_record *record)
{
	uint64_t *time = time_at(record);
	uint64_t reported = time ? *time : 0;
	bool begins = !client->image;

	if (begins && record->type == CCS_PROCESS)
		complete_process(sideband, client, (struct ccs_process *)record);
	/* Two threads' clocks may differ by the little that one core's lags behind another's. */
	if (time && *time < client->time)
		*time = client->time;
	if (time)
		client->time = *time;
	client->exited |= record->type == CCS_EXIT;
	if (images_message(sideband->images, &client->image, client->pid, record, record->size)) {
		sideband_give_up(sideband, client, "not in its place");
		return;
	}
	if (begins)
		timeline_add(&sideband->reports, client->pid, reported, client->image);
}

static void write_next(struct sideband *sideband, struct client *client)
{
	write_record(sideband, client, ring_reader_peek(client->ring, client->limit));
	if (client->ring)
		ring_reader_drop(client->ring);
}

static void count_lost(struct sideband *sideband, struct client *client)
{
	uint64_t count = client->ring && client->image ? ring_reader_lost(client->ring) : 0;

	if (count)
		images_lost(sideband->images, client->image, CCS_LOST_EVENTS, count);
}

static void count_orphans(struct sideband *sideband, const struct client *client)
{
	uint64_t count = client->ring ? ring_reader_orphans(client->ring) : 0;

	if (!count)
		return;
	images_lost(sideband->images, 0, CCS_LOST_UNRECORDED, count);
	if (!sideband->orphans++)
		warning("a child of process %d cannot report, and is not recorded: it became "
			"another user's, or has another root, and the program had closed "
			"ccsample's files, or it may open no more (ulimit -n); record -p PID "
			"records it", (int)client->pid);
}

/*
 * How it ended is not known where it did not say: killed, or it called the
 * kernel itself. What it had written was read all the same.
 */
static void end_image(struct sideband *sideband, struct client *client)
{
	count_lost(sideband, client);
	count_orphans(sideband, client);
	if (client->image)
		images_ended(sideband->images, client->image, end_time(client));
	client->exited = true;
	ring_reader_close(client->ring);
	client->ring = NULL;
}

/* That which next_time() is of. */
static void take_next(struct sideband *sideband, struct client *client)
{
	union held_end end;

	if (held_ends_first(&client->held)) {
		end = held_ends_take(&client->held);
		write_record(sideband, client, &end.record);
	} else if (ring_reader_peek(client->ring, client->limit)) {
		write_next(sideband, client);
	} else {
		end_image(sideband, client);
	}
}

/* Up to its end, or where it calls exec. */
static void take_begun(struct sideband *sideband, struct client *client, uint64_t until)
{
	struct ccs_record *record;
	union held_end end;

	client->limit = ring_reader_head(client->ring);
	while (client->ring && (record = ring_reader_peek(client->ring, client->limit)) &&
	       record->type != CCS_EXIT && record_time(record) <= until) {
		if (client->held.count == HELD_ENDS_MOST) {
			take_next(sideband, client);
			continue;
		}
		if (held_ends_add(&client->held, record)) {
			ring_reader_drop(client->ring);
			continue;
		}
		while (client->ring && held_ends_take_below(&client->held, record, &end))
			write_record(sideband, client, &end.record);
		if (client->ring)
			write_next(sideband, client);
	}
}

static void take_all(struct sideband *sideband, uint64_t until)
{
	struct client *client;
	size_t i;

	while ((client = next_client(sideband, until)))
		take_next(sideband, client);
	for (i = 0; i < sideband->count; i++) {
		client = sideband->clients[i];
		count_lost(sideband, client);
		count_orphans(sideband, client);
		if (client->ring)
			ring_reader_give_back(client->ring);
	}
}

/* Sets how far those that came since are read. Return: there were any. */
static bool limit_fresh(struct sideband *sideband)
{
	bool any = false;
	size_t i;

	for (i = 0; i < sideband->count; i++) {
		struct client *client = sideband->clients[i];

		if (!client->fresh)
			continue;
		client->limit = ring_reader_head(client->ring);
		client->fresh = false;
		any = true;
	}
	return any;
}

/*
 * A parent goes on when its child has connected. So whoever is not there when
 * we look for connections after we looked how far the others had written is no
 * child of anybody at that point.
 */
static void set_limits(struct sideband *sideband)
{
	size_t i;

	for (i = 0; i < sideband->count; i++) {
		struct client *client = sideband->clients[i];

		client->limit = client->ring ? ring_reader_head(client->ring) : 0;
	}
	for (i = 0; i < ROUNDS; i++) {
		sideband_poll(sideband);
		if (!limit_fresh(sideband))
			return;
	}
}

/* --- where an image ends --- */

/* It called exec, and no library has reported since. */
static void say_unseen(const struct client *client)
{
	if (client->user && client->user != geteuid())
		warning("process %d became a program of another user (uid %u), which may not reach "
			"ccsample's socket: it is not recorded; record it as that user, or by "
			"-p PID", (int)client->pid, client->user);
	else
		warning("process %d became a program that is static, or began without LD_PRELOAD: "
			"nothing of its memory is recorded", (int)client->pid);
}

static void drop_client(struct sideband *sideband, struct client *client)
{
	if (client->execs || (!client->image && !client->exited))
		images_give_up(sideband->images, 0);
	if (client->execs && !sideband->listener.full && !sideband->unseen++)
		say_unseen(client);
	close_fd(&client->fd);
	close_fd(&client->pidfd);
	held_ends_free(&client->held);
	free(client);
}

static void sweep(struct sideband *sideband)
{
	size_t i, kept = 0;

	for (i = 0; i < sideband->count; i++) {
		if (sideband->clients[i]->ended && !sideband->clients[i]->ring)
			drop_client(sideband, sideband->clients[i]);
		else
			sideband->clients[kept++] = sideband->clients[i];
	}
	sideband->count = kept;
}

void sideband_take(struct sideband *sideband, uint64_t until)
{
	set_limits(sideband);
	take_all(sideband, until);
	sweep(sideband);
}

void sideband_take_begun(struct sideband *sideband, pid_t pid, uint64_t until)
{
	size_t i;

	for (i = 0; i < sideband->count; i++) {
		struct client *client = sideband->clients[i];

		if (client->pid == pid && client->image && client->ring)
			take_begun(sideband, client, until);
	}
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
