// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/progress.h"
#include "record/engine.h"
#include "record/launch.h"
#include "record/signals.h"

#define MESSAGE_MAX	CCS_RECORD_MAX
#define TICK_NS		200000000	/* progress, and a look at images that have ended */
#define FLUSH_SECONDS	1		/* most that a kill -9 of the recorder may lose */
#define GRACE_SECONDS	0.1		/* for a child just forked when the program ends */
#define DRAIN_MAX	1024		/* messages; a socket's buffer holds fewer */

struct connection {
	int fd;
	uint32_t image;			/* 0 until it has sent its first record */
	pid_t peer;
};

struct engine {
	const struct record_request *request;
	struct launch launch;
	struct recording_writer *writer;
	struct images *images;
	int epoll, listener, timer, signals;
	char name[64];			/* of the socket */
	struct signals_before inherited;
	pid_t program;
	bool running;
	bool interrupted;		/* the wait for children in the background */
	bool refusal_said;
	int status;
	double begun, ended, flushed;	/* seconds */
	struct connection **connections;	/* open ones, in the order in which they came */
	size_t count, room;
	uint8_t *message;
};

struct engine *engine_open(const struct record_request *request)
{
	struct engine *engine = xcalloc(1, sizeof(*engine));

	engine->request = request;
	engine->epoll = engine->listener = engine->timer = engine->signals = -1;
	if (!launch_find(&engine->launch, request->argv[0]))
		return engine;
	free(engine);
	return NULL;
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

void engine_close(struct engine *engine)
{
	launch_free(&engine->launch);
	free(engine->connections);
	free(engine->message);
	free(engine);
}

/* --- what is watched --- */

static int watch(struct engine *engine, int fd, void *data)
{
	struct epoll_event event = { .events = EPOLLIN, .data.ptr = data };

	return epoll_ctl(engine->epoll, EPOLL_CTL_ADD, fd, &event);
}

/* A name that nobody can guess and nobody has. */
static int open_listener(struct engine *engine)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	uint64_t chance[2];
	socklen_t size;

	if (getrandom(chance, sizeof(chance), 0) != sizeof(chance))
		return -1;
	snprintf(engine->name, sizeof(engine->name), "ccsample-%016llx%016llx",
		 (unsigned long long)chance[0], (unsigned long long)chance[1]);
	memcpy(address.sun_path + 1, engine->name, strlen(engine->name));
	size = offsetof(struct sockaddr_un, sun_path) + 1 + strlen(engine->name);
	engine->listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (engine->listener < 0 || bind(engine->listener, (void *)&address, size))
		return -1;
	return listen(engine->listener, SOMAXCONN);
}

static int open_timer(struct engine *engine)
{
	struct itimerspec tick = { { 0, TICK_NS }, { 0, TICK_NS } };

	engine->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	return engine->timer < 0 ? -1 : timerfd_settime(engine->timer, 0, &tick, NULL);
}

static int open_all(struct engine *engine)
{
	engine->epoll = epoll_create1(EPOLL_CLOEXEC);
	engine->signals = signals_open(&engine->inherited);
	if (engine->signals < 0 || engine->epoll < 0 || open_listener(engine) ||
	    open_timer(engine) || watch(engine, engine->listener, &engine->listener) ||
	    watch(engine, engine->timer, &engine->timer) ||
	    watch(engine, engine->signals, &engine->signals))
		return fail("cannot listen to the engine: %s", strerror(errno));
	return 0;
}

static void close_all(struct engine *engine)
{
	signals_close(engine->signals, &engine->inherited);
	close_fd(&engine->listener);
	close_fd(&engine->timer);
	close_fd(&engine->epoll);
}

/* A connection for each process of the program: as many as we may. */
static void raise_file_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

/* --- connections --- */

static void refuse(struct engine *engine, int fd, uid_t uid)
{
	close(fd);
	images_give_up(engine->images, 0);
	if (!engine->refusal_said)
		warning("a process of another user (uid %u) is not recorded", uid);
	engine->refusal_said = true;
}

/* Its place in the list stays, empty, until sweep(): events may still name it. */
static void drop_connection(struct engine *engine, struct connection *connection)
{
	close_fd(&connection->fd);
	if (connection->image)
		images_closed(engine->images, connection->image);
}

static void add_connection(struct engine *engine, int fd)
{
	struct ucred peer = { 0 };
	socklen_t size = sizeof(peer);
	struct connection *connection;

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) || peer.uid != geteuid()) {
		refuse(engine, fd, peer.uid);
		return;
	}
	connection = xcalloc(1, sizeof(*connection));
	connection->fd = fd;
	connection->peer = peer.pid;
	engine->connections = grow(engine->connections, engine->count, &engine->room,
				   sizeof(*engine->connections));
	engine->connections[engine->count++] = connection;
	if (!watch(engine, fd, connection))
		return;
	warning("process %d is not recorded: %s", (int)peer.pid, strerror(errno));
	images_give_up(engine->images, 0);
	drop_connection(engine, connection);
}

/* Without a listener, programs find nobody and go on at once; left unheard they would hang. */
static void accept_all(struct engine *engine)
{
	int fd;

	while ((fd = accept4(engine->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK)) >= 0)
		add_connection(engine, fd);
	if (errno == EAGAIN || errno == EINTR || errno == ECONNABORTED)
		return;
	warning("processes that start from now on are not recorded: %s", strerror(errno));
	images_give_up(engine->images, 0);
	close_fd(&engine->listener);
}

static void sweep(struct engine *engine)
{
	size_t i, kept = 0;

	for (i = 0; i < engine->count; i++) {
		if (engine->connections[i]->fd < 0)
			free(engine->connections[i]);
		else
			engine->connections[kept++] = engine->connections[i];
	}
	engine->count = kept;
}

static struct connection *connection_of(struct engine *engine, uint32_t image)
{
	size_t i;

	for (i = 0; i < engine->count && image; i++)
		if (engine->connections[i]->image == image && engine->connections[i]->fd >= 0)
			return engine->connections[i];
	return NULL;
}

/* Return: bytes of a message; 0 with the connection dropped, or if there is none now. */
static size_t receive(struct engine *engine, struct connection *connection, void *message)
{
	ssize_t got = recv(connection->fd, message, MESSAGE_MAX, MSG_TRUNC);

	if (got > 0 && got <= MESSAGE_MAX)
		return got;
	if (got < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	if (got > 0) {
		warning("process %d sent a message that is too long; it is not recorded any further",
			(int)connection->peer);
		images_give_up(engine->images, connection->image);
	}
	drop_connection(engine, connection);
	return 0;
}

/* An engine that asked waits for this; one that does not has gone. */
static void answer(struct engine *engine, struct connection *connection)
{
	const struct ccs_sim_answer *answer = images_answer(engine->images);

	if (answer && send(connection->fd, answer, sizeof(*answer), MSG_NOSIGNAL) < 0)
		warning("process %d cannot be answered: %s", (int)connection->peer,
			strerror(errno));
}

static void take(struct engine *engine, struct connection *connection, void *message, size_t size)
{
	if (!images_message(engine->images, &connection->image, connection->peer, message, size)) {
		answer(engine, connection);
		return;
	}
	images_give_up(engine->images, connection->image);
	drop_connection(engine, connection);
}

/* Takes what an image has sent so far. */
static void drain(struct engine *engine, struct connection *connection)
{
	void *message = xmalloc(MESSAGE_MAX);
	size_t size;
	int i;

	for (i = 0; i < DRAIN_MAX && connection->fd >= 0; i++) {
		size = receive(engine, connection, message);
		if (!size)
			break;
		take(engine, connection, message, size);
	}
	free(message);
}

static void take_next(struct engine *engine, struct connection *connection)
{
	struct connection *origin;
	size_t size;

	if (connection->fd < 0)
		return;
	size = receive(engine, connection, engine->message);
	if (!size)
		return;
	if (!connection->image) {
		origin = connection_of(engine, images_origin(engine->images, engine->message,
							     size));
		if (origin)
			drain(engine, origin);
	}
	take(engine, connection, engine->message, size);
}

/* A child's connection comes after its parent's: those that came before must be known first. */
static void serve(struct engine *engine, struct connection *connection)
{
	size_t i;

	for (i = 0; !connection->image && engine->connections[i] != connection; i++)
		if (!engine->connections[i]->image)
			take_next(engine, engine->connections[i]);
	take_next(engine, connection);
}

/* --- the program --- */

static void reap(struct engine *engine)
{
	if (engine->running && waitpid(engine->program, &engine->status, WNOHANG) > 0) {
		engine->running = false;
		engine->ended = now_seconds();
	}
}

static void take_signals(struct engine *engine)
{
	struct signalfd_siginfo info;

	while (read(engine->signals, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo == SIGCHLD)
			reap(engine);
		else if (!engine->running)
			engine->interrupted = true;
		else if (info.ssi_signo == SIGTERM)
			kill(engine->program, SIGTERM);
	}
}

static void show_progress(struct engine *engine)
{
	struct images_totals totals;

	if (engine->request->quiet || !progress_due())
		return;
	if (!engine->writer) {
		progress("%.0f s%s", now_seconds() - engine->begun, engine->running ? "" :
			 "; the program has ended, its children go on (Ctrl-C stops waiting)");
		return;
	}
	totals = images_totals(engine->images);
	progress("%.0f s, %llu samples, %.1f MB%s", now_seconds() - engine->begun,
		 (unsigned long long)totals.samples, recording_written(engine->writer) / 1e6,
		 engine->running ? "" :
		 "; the program has ended, its children go on (Ctrl-C stops recording them)");
}

static void tick(struct engine *engine)
{
	uint64_t ticks;

	if (read(engine->timer, &ticks, sizeof(ticks)) < 0)
		return;
	images_settle(engine->images, false);
	show_progress(engine);
	if (!engine->writer || now_seconds() - engine->flushed < FLUSH_SECONDS - TICK_NS * 1e-9)
		return;
	recording_flush(engine->writer);
	engine->flushed = now_seconds();
}

static void dispatch(struct engine *engine, void *what)
{
	if (what == &engine->listener)
		accept_all(engine);
	else if (what == &engine->timer)
		tick(engine);
	else if (what == &engine->signals)
		take_signals(engine);
	else
		serve(engine, what);
}

/* All is over: the program, its children, and those between two images. */
static bool is_over(struct engine *engine)
{
	if (engine->interrupted)
		return true;
	return !engine->running && !engine->count &&
	       now_seconds() - engine->ended > GRACE_SECONDS && !images_settle(engine->images, false);
}

static void loop(struct engine *engine)
{
	struct epoll_event events[64];
	int i, ready;

	while (!is_over(engine)) {
		ready = epoll_wait(engine->epoll, events, 64, engine->running ? -1 : 20);
		for (i = 0; i < ready; i++)
			dispatch(engine, events[i].data.ptr);
		sweep(engine);
	}
}

/* What was still going on is left alone: it notices, and goes on unrecorded. */
static void finish(struct engine *engine)
{
	size_t i;

	for (i = 0; i < engine->count; i++) {
		struct connection *connection = engine->connections[i];

		drain(engine, connection);
		if (connection->fd >= 0)
			drop_connection(engine, connection);
	}
	sweep(engine);
	images_settle(engine->images, true);
	progress_clear();
}

static int start(struct engine *engine)
{
	if (open_all(engine))
		return -1;
	engine->program = launch_start(&engine->launch, engine->request, engine->name,
				       &engine->inherited);
	if (engine->program < 0)
		return -1;
	engine->running = true;
	raise_file_limit();
	return 0;
}

int engine_run(struct engine *engine, struct recording_writer *writer,
	       struct record_result *result)
{
	int failed;

	engine->writer = writer;
	engine->images = images_new(writer, engine->request->listener);
	engine->message = xmalloc(MESSAGE_MAX);
	engine->begun = engine->flushed = now_seconds();
	progress_start();
	failed = start(engine);
	if (!failed) {
		loop(engine);
		finish(engine);
	}
	close_all(engine);
	*result = (struct record_result){
		.status = engine->status,
		.duration_ns = (now_seconds() - engine->begun) * 1e9,
		.totals = images_totals(engine->images),
	};
	images_free(engine->images);
	if (!failed && !result->totals.images)
		return fail("the engine did not start (see Valgrind's message above): "
			    "nothing was recorded");
	return failed;
}
