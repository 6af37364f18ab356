// SPDX-License-Identifier: GPL-2.0-only
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fail.h"
#include "base/sandbox.h"
#include "serve/server.h"

#define CONNECTIONS	16	/* at once; browsers open up to six, some without need */
#define ASKING		(10 * SECOND_NS)	/* for a whole request */
#define ANSWERING	(10 * SECOND_NS)	/* for an answer, and for each byte of it ... */
#define BYTE_NS		(SECOND_NS / 10000)	/* ... as much as at 10 KB/s */
#define HEAD_MOST	1024

enum phase {
	FREE,
	READS,
	WRITES,
	DRAINS,		/* what comes still: a reset would take the answer with it */
};

struct connection {
	enum phase phase;
	int fd;
	uint64_t until;			/* of now_ns() */
	char request[REQUEST_MOST];
	size_t got;
	char head[HEAD_MOST];
	const char *parts[2];		/* of the answer: what is left to send */
	size_t sizes[2];
};

struct service {
	const struct server *server;
	struct request_page asked;
	const char *page;
	size_t size;
	uint64_t idle, ends;		/* 0 = never */
	struct connection connections[CONNECTIONS];
};

static const struct reason {
	enum request_answer answer;
	const char *phrase, *text;
} reasons[] = {
	{ REQUEST_OK, "OK", NULL },
	{ REQUEST_BAD, "Bad Request", "The request is not HTTP/1.1.\n" },
	{ REQUEST_FOREIGN, "Forbidden",
	  "Ask for 127.0.0.1 or localhost, with the port that ccsample view printed.\n" },
	{ REQUEST_NOT_FOUND, "Not Found",
	  "The page has the address that ccsample view printed; there is no other.\n" },
	{ REQUEST_METHOD, "Method Not Allowed", "GET or HEAD.\n" },
	{ REQUEST_TOO_LARGE, "Request Header Fields Too Large", "This request is too long.\n" },
	{ REQUEST_VERSION, "HTTP Version Not Supported", "The version must be HTTP/1.1 or 1.0.\n" },
};

static const struct reason *reason_of(enum request_answer answer)
{
	const struct reason *reason = reasons;

	while (reason->answer != answer)
		reason++;
	return reason;
}

/* --- opened --- */

static int make_path(char *path)
{
	unsigned char bytes[16];

	if (getrandom(bytes, sizeof(bytes), 0) != sizeof(bytes))
		return fail("no random numbers: %s", strerror(errno));
	for (size_t i = 0; i < sizeof(bytes); i++)
		path += sprintf(path, "%s%02x", i ? "" : "/", bytes[i]);
	strcpy(path, "/");
	return 0;
}

int server_open(struct server *server, uint16_t port)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET, .sin_port = htons(port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	socklen_t size = sizeof(address);

	if (make_path(server->path) < 0)
		return -1;
	server->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (server->fd < 0)
		return fail("cannot open a socket: %s", strerror(errno));
	setsockopt(server->fd, SOL_SOCKET, SO_REUSEADDR, &(int){ 1 }, sizeof(int));
	if (bind(server->fd, (struct sockaddr *)&address, size) ||
	    listen(server->fd, CONNECTIONS) ||
	    getsockname(server->fd, (struct sockaddr *)&address, &size)) {
		fail("cannot listen on port %u of 127.0.0.1: %s", port, strerror(errno));
		close(server->fd);
		return -1;
	}
	server->port = ntohs(address.sin_port);
	sprintf(server->hosts[0], "127.0.0.1:%u", server->port);
	sprintf(server->hosts[1], "localhost:%u", server->port);
	return 0;
}

void server_say(const struct server *server)
{
	char host[65] = "HOST";

	gethostname(host, sizeof(host) - 1);
	printf("http://%s%s\n", server->hosts[0], server->path);
	fflush(stdout);
	note("from another machine: ssh -N -L %u:127.0.0.1:%u %s, then the same address there; "
	     "Ctrl-C ends it", server->port, server->port, host);
}

/* --- a connection --- */

static void in_use(struct service *service)
{
	service->ends = service->idle ? now_ns() + service->idle : 0;
}

static void end(struct connection *connection)
{
	close(connection->fd);
	connection->phase = FREE;
}

/*
 * The page has a policy of its own, which allows its style and its script by their hashes: both
 * hold. That it is in no frame of another page cannot be said within it. The sandbox gives it an
 * origin of its own: a page from elsewhere must not read cookies of other services on this host.
 */
static void answer(struct service *service, struct connection *connection,
		   enum request_answer status, bool head)
{
	const struct reason *reason = reason_of(status);
	const char *body = reason->text ? reason->text : service->page;
	size_t size = reason->text ? strlen(reason->text) : service->size;

	connection->parts[0] = connection->head;
	connection->sizes[0] = snprintf(connection->head, HEAD_MOST,
		"HTTP/1.1 %d %s\r\nContent-Type: text/%s; charset=utf-8\r\n"
		"Content-Length: %zu\r\nConnection: close\r\nAllow: GET, HEAD\r\n"
		"Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n"
		"X-Frame-Options: DENY\r\nReferrer-Policy: no-referrer\r\n"
		"Cross-Origin-Resource-Policy: same-origin\r\n"
		"Content-Security-Policy: sandbox allow-scripts; default-src 'none'; "
		"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
		"style-src 'unsafe-inline'; script-src 'unsafe-inline'\r\n\r\n",
		status, reason->phrase, reason->text ? "plain" : "html", size);
	connection->parts[1] = body;
	connection->sizes[1] = head ? 0 : size;
	connection->phase = WRITES;
	connection->until = now_ns() + ANSWERING;
	if (status == REQUEST_OK)
		in_use(service);
}

static void write_on(struct connection *connection)
{
	for (size_t i = 0; i < 2; i++) {
		while (connection->sizes[i]) {
			ssize_t sent = send(connection->fd, connection->parts[i],
					    connection->sizes[i], MSG_NOSIGNAL);

			if (sent < 0 && errno != EAGAIN && errno != EINTR)
				end(connection);
			if (sent < 0)
				return;
			connection->parts[i] += sent;
			connection->sizes[i] -= sent;
			connection->until += sent * BYTE_NS;
		}
	}
	shutdown(connection->fd, SHUT_WR);
	connection->phase = DRAINS;
	connection->until = now_ns() + ASKING;
}

static void read_on(struct service *service, struct connection *connection)
{
	ssize_t got = recv(connection->fd, connection->request + connection->got,
			   REQUEST_MOST - connection->got, 0);
	enum request_answer status;
	bool head;

	if (got < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (got <= 0) {
		end(connection);
		return;
	}
	connection->got += got;
	status = request_read(connection->request, connection->got, &service->asked, &head);
	if (status == REQUEST_UNFINISHED)
		return;
	answer(service, connection, status, head);
	write_on(connection);
}

static void drain(struct connection *connection)
{
	ssize_t got = recv(connection->fd, connection->request, REQUEST_MOST, 0);

	if (!got || (got < 0 && errno != EAGAIN && errno != EINTR))
		end(connection);
}

static void go_on(struct service *service, struct connection *connection)
{
	if (connection->phase == READS)
		read_on(service, connection);
	else if (connection->phase == WRITES)
		write_on(connection);
	else
		drain(connection);
}

/* --- all of them --- */

/* A free place, or that of the one which has least time left. */
static struct connection *find_place(struct service *service)
{
	struct connection *place = service->connections;

	for (size_t i = 0; i < CONNECTIONS; i++) {
		struct connection *at = &service->connections[i];

		if (at->phase == FREE)
			return at;
		if (at->until < place->until)
			place = at;
	}
	end(place);
	return place;
}

static int take_in(struct service *service)
{
	int fd = accept4(service->server->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
	struct connection *place;

	if (fd < 0)
		return errno == EAGAIN || errno == EINTR || errno == ECONNABORTED ? 0 :
		       fail("cannot take a connection: %s", strerror(errno));
	place = find_place(service);
	place->phase = READS;
	place->fd = fd;
	place->got = 0;
	place->until = now_ns() + ASKING;
	return 0;
}

/* Milliseconds until the next limit; -1 = there is none. */
static int time_left(const struct service *service)
{
	uint64_t now = now_ns(), next = service->ends ? service->ends : UINT64_MAX;

	for (size_t i = 0; i < CONNECTIONS; i++)
		if (service->connections[i].phase != FREE &&
		    service->connections[i].until < next)
			next = service->connections[i].until;
	if (next == UINT64_MAX)
		return -1;
	return next > now ? (next - now) / 1000000 + 1 : 0;
}

static void tend(struct service *service, struct connection *connection, bool ready)
{
	if (connection->until <= now_ns())
		end(connection);
	else if (ready)
		go_on(service, connection);
	if (connection->phase == WRITES)
		in_use(service);
}

static int wait_once(struct service *service)
{
	struct pollfd waits[CONNECTIONS + 1];

	for (size_t i = 0; i < CONNECTIONS; i++) {
		const struct connection *at = &service->connections[i];

		waits[i].fd = at->phase == FREE ? -1 : at->fd;
		waits[i].events = at->phase == WRITES ? POLLOUT : POLLIN;
	}
	waits[CONNECTIONS] = (struct pollfd){ .fd = service->server->fd, .events = POLLIN };
	if (poll(waits, CONNECTIONS + 1, time_left(service)) < 0)
		return errno == EINTR ? 0 : fail("cannot wait: %s", strerror(errno));
	for (size_t i = 0; i < CONNECTIONS; i++)
		if (service->connections[i].phase != FREE)
			tend(service, &service->connections[i], waits[i].revents);
	return waits[CONNECTIONS].revents ? take_in(service) : 0;
}

int server_run(struct server *server, const char *page, size_t size, uint32_t idle)
{
	struct service service = {
		.server = server, .page = page, .size = size, .idle = idle * SECOND_NS,
		.asked = { server->path, { server->hosts[0], server->hosts[1] } },
	};
	int status = 0;

	in_use(&service);
	sandbox_enter(&(struct sandbox){ .serves = true });
	while (!status && !(service.ends && now_ns() >= service.ends))
		status = wait_once(&service);
	for (size_t i = 0; i < CONNECTIONS; i++)
		if (service.connections[i].phase != FREE)
			end(&service.connections[i]);
	close(server->fd);
	return status;
}
