// SPDX-License-Identifier: GPL-2.0-only
/*
 * The reference engine as a source: runs a program in it and takes what the
 * program's process images send over a socket.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fail.h"
#include "base/memory.h"
#include "record/child.h"
#include "record/launch.h"
#include "record/listener.h"

#define MESSAGE_MAX	CCS_RECORD_MAX
#define DRAIN_MAX	1024		/* messages; a socket's buffer holds fewer */

struct connection {
	int fd;
	uint32_t image;			/* 0 until it has sent its first record */
	pid_t peer;
};

struct engine {
	const struct record_request *request;
	struct launch launch;
	struct child child;
	struct images *images;
	int epoll;
	struct listener listener;
	struct connection **connections;	/* open ones, in the order in which they came */
	size_t count, room;
	uint8_t *message;
};

/* Samples cost it next to nothing: without a period given, it follows the run. */
static void adapt_periods(struct record_request *request)
{
	for (size_t i = 0; i < request->event_count; i++)
		if (request->events[i].unasked)
			request->events[i].period = request->events[i].spread = 0;
}

static void *engine_open(struct record_request *request)
{
	struct engine *engine = xcalloc(1, sizeof(*engine));

	engine->request = request;
	engine->epoll = -1;
	engine->listener = LISTENER_CLOSED;
	if (!launch_find(&engine->launch, request->argv[0])) {
		adapt_periods(request);
		return engine;
	}
	free(engine);
	return NULL;
}

static void engine_close(void *source)
{
	struct engine *engine = source;

	child_abandon(&engine->child);
	listener_close(&engine->listener);
	close_fd(&engine->epoll);
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

/* --- connections --- */

/* Its place in the list is kept, empty, until sweep(): events may still name it. */
static void drop_connection(struct engine *engine, struct connection *connection)
{
	close_fd(&connection->fd);
	if (connection->image)
		images_closed(engine->images, connection->image);
}

static void add_connection(struct engine *engine, int fd, pid_t pid)
{
	struct connection *connection = xcalloc(1, sizeof(*connection));

	connection->fd = fd;
	connection->peer = pid;
	engine->connections = grow(engine->connections, engine->count, &engine->room,
				   sizeof(*engine->connections));
	engine->connections[engine->count++] = connection;
	if (!watch(engine, fd, connection))
		return;
	listener_unwatched(&engine->listener, engine->images, pid);
	drop_connection(engine, connection);
}

static void accept_all(struct engine *engine)
{
	pid_t pid;
	int fd;

	while ((fd = listener_accept(&engine->listener, engine->images, &pid)) >= 0)
		add_connection(engine, fd, pid);
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
		warning("process %d sent a message that is too long; it is not recorded any "
			"further", (int)connection->peer);
		images_give_up(engine->images, connection->image);
	}
	drop_connection(engine, connection);
	return 0;
}

/*
 * An engine that asked waits for this, or for the connection's end. Return: 0, negative = no
 * answer.
 */
static int answer(struct engine *engine, struct connection *connection)
{
	const struct ccs_sim_answer *answer = images_answer(engine->images);

	if (!answer || send(connection->fd, answer, sizeof(*answer), MSG_NOSIGNAL) >= 0)
		return 0;
	warning("process %d cannot be answered: %s; it is not recorded any further",
		(int)connection->peer, strerror(errno));
	return -1;
}

static void take(struct engine *engine, struct connection *connection, void *message, size_t size)
{
	if (!images_message(engine->images, &connection->image, connection->peer, message, size) &&
	    !answer(engine, connection))
		return;
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

/* --- as a source --- */

static int engine_descriptor(const void *source)
{
	return ((const struct engine *)source)->epoll;
}

static void engine_poll(void *source)
{
	struct engine *engine = source;
	struct epoll_event events[64];
	int i, ready = epoll_wait(engine->epoll, events, 64, 0);

	for (i = 0; i < ready; i++) {
		if (events[i].data.ptr == &engine->listener)
			accept_all(engine);
		else
			serve(engine, events[i].data.ptr);
	}
	sweep(engine);
}

static bool engine_idle(void *source)
{
	return !((const struct engine *)source)->count;
}

/* What was still going on is left alone: it notices, and goes on unrecorded. */
static int engine_finish(void *source)
{
	struct engine *engine = source;
	size_t i;

	for (i = 0; i < engine->count; i++) {
		struct connection *connection = engine->connections[i];

		drain(engine, connection);
		if (connection->fd >= 0)
			drop_connection(engine, connection);
	}
	sweep(engine);
	if (images_totals(engine->images).images)
		return 0;
	return fail("the engine did not start (see Valgrind's message above): nothing was "
		    "recorded");
}

static void prepare(const void *context)
{
	const struct engine *engine = context;

	setenv("VALGRIND_LIB", engine->launch.engine_dir, 1);
	fcntl(STDERR_FILENO, F_SETFD, 0);	/* it does not start without */
}

static int start_program(struct engine *engine, const struct source_run *run)
{
	char **arguments = launch_arguments(&engine->launch, engine->request,
					    engine->listener.name);
	int failed;

	engine->child.path = engine->child.name = engine->launch.valgrind;
	failed = child_start(&engine->child, arguments, run, prepare, engine) ||
		 child_go(&engine->child);
	launch_free_arguments(arguments);
	return failed ? -1 : 0;
}

static int engine_start(void *source, struct source_run *run)
{
	struct engine *engine = source;

	engine->images = run->images;
	engine->message = xmalloc(MESSAGE_MAX);
	engine->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (engine->epoll < 0 || listener_open(&engine->listener) ||
	    watch(engine, engine->listener.fd, &engine->listener))
		return fail("cannot listen to the engine: %s", strerror(errno));
	if (start_program(engine, run))
		return -1;
	run->program = engine->child.pid;
	return 0;
}

const struct source_ops engine_source = {
	.name = "engine",
	.clock = "instructions",
	.stores = true, .classes = true, .entries = true,
	.grace_ns = SECOND_NS / 10,	/* Valgrind starts slowly */
	.open = engine_open,
	.start = engine_start,
	.descriptor = engine_descriptor,
	.poll = engine_poll,
	.idle = engine_idle,
	.finish = engine_finish,
	.close = engine_close,
};
