// SPDX-License-Identifier: GPL-2.0-only
/*
 * dump [-q] [-o FILE] TOOLDIR [tool options] -- PROGRAM...: runs a program in the engine and
 * prints what it sends, a line a record, each led by the connection's number.
 * Exits with the program's status. Apart from the project's own receiver.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "format/format.h"

#define CONNECTIONS	4096

static int sockets[CONNECTIONS];
static int connections;
static int opened;
static int quiet;	/* no line for each sample */
static char name[100];
static char message[CCS_RECORD_MAX];
static FILE *out;

static void remove_socket(void)
{
	unlink(name);
	*strrchr(name, '/') = '\0';
	rmdir(name);
}

static int listen_below(const char *temporary)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	int s = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	int size = snprintf(name, sizeof(name), "%s/dump-XXXXXX", temporary);

	if (s < 0 || size + sizeof("/socket") > sizeof(name) || !mkdtemp(name)) {
		perror("dump: listen");
		exit(2);
	}
	strcat(name, "/socket");
	strcpy(a.sun_path, name);
	if (bind(s, (void *)&a, sizeof(a)) || listen(s, 1000)) {
		perror("dump: listen");
		exit(2);
	}
	atexit(remove_socket);
	return s;
}

static pid_t start(char **arg)
{
	char *argv[256] = { "valgrind", "-q", "--tool=ccsample", "--trace-children=yes",
			    "--vgdb=no", "--sigill-diagnostics=no" };
	char option[128];
	int n = 6, in = 1;
	pid_t pid;

	setenv("VALGRIND_LIB", realpath(*arg++, NULL), 1);
	snprintf(option, sizeof(option), "--socket=%s", name);
	argv[n++] = option;
	for (; *arg && n < 254; arg++) {
		if (in && !strcmp(*arg, "--"))
			in = 0;
		else
			argv[n++] = *arg;
	}
	argv[n] = NULL;
	pid = fork();
	if (!pid) {
		execvp(argv[0], argv);
		perror("dump: valgrind");
		_exit(127);
	}
	return pid;
}

static void print_class_counts(int c, const struct ccs_class_counts *r)
{
	const struct ccs_class_count *count = (const void *)(r + 1);

	for (unsigned int i = 0; i < r->count; i++, count++)
		fprintf(out, "%d CLASS_COUNT event %u ip %llx misses %llu conflicts %llu saved %llu\n",
			c, r->event, (unsigned long long)count->ip,
			(unsigned long long)count->misses, (unsigned long long)count->conflicts,
			(unsigned long long)count->saved);
}

static void print_samples(int c, const struct ccs_samples *r)
{
	const uint8_t *at = (const uint8_t *)(r + 1);
	unsigned int i;

	fprintf(out, "%d SAMPLES tid %u pid %u event %u flags %u gap %llu events %llu fills %llu "
		"count %u\n", c, r->record.tid, r->pid, r->event, r->flags,
		(unsigned long long)r->gap,
	       (unsigned long long)r->events, (unsigned long long)r->fills, r->count);
	for (i = 0; i < r->count && !quiet; i++, at += r->sample_size) {
		const struct ccs_sample *s = (const void *)at;

		fprintf(out, "%d  sample time %llu ip %llx address %llx physical %llx flags %x class %u\n", c,
			(unsigned long long)s->time, (unsigned long long)s->ip,
			(unsigned long long)s->address, (unsigned long long)s->physical,
			s->flags & 0xff, s->flags >> 8 & 3);
	}
}

static void print_stack(int c, const struct ccs_stack *r)
{
	const uint64_t *ip = (const void *)(r + 1);
	unsigned int i;

	fprintf(out, "%d STACK id %u", c, r->id);
	for (i = 0; i < r->depth; i++)
		fprintf(out, " %llx", (unsigned long long)ip[i]);
	fprintf(out, "\n");
}

static void print_record(int c, const void *record)
{
	const struct ccs_record *r = record;
	const struct ccs_process *p = record;
	const struct ccs_thread *t = record;
	const struct ccs_map *m = record;
	const struct ccs_unmap *u = record;
	const struct ccs_alloc *a = record;
	const struct ccs_free *f = record;
	const struct ccs_counts *n = record;
	const struct ccs_unsupported *b = record;
	const struct ccs_exit *e = record;

	switch (r->type) {
	case CCS_PROCESS:
		fprintf(out, "%d PROCESS time %llu pid %u ppid %u cause %u path %.*s\n", c,
		       (unsigned long long)p->time, p->pid, p->ppid, p->cause, (int)p->path_size,
		       (const char *)(p + 1));
		break;
	case CCS_THREAD:
		fprintf(out, "%d THREAD time %llu tid %u stack %llx-%llx\n", c,
		       (unsigned long long)t->time, r->tid, (unsigned long long)t->stack_low,
		       (unsigned long long)t->stack_high);
		break;
	case CCS_MAP:
		fprintf(out, "%d MAP time %llu %llx-%llx offset %llx protection %u path %.*s\n", c,
		       (unsigned long long)m->time, (unsigned long long)m->start,
		       (unsigned long long)m->end, (unsigned long long)m->offset, m->protection,
		       (int)m->path_size, (const char *)(m + 1));
		break;
	case CCS_UNMAP:
		fprintf(out, "%d UNMAP time %llu %llx-%llx\n", c, (unsigned long long)u->time,
		       (unsigned long long)u->start, (unsigned long long)u->end);
		break;
	case CCS_STACK:
		print_stack(c, record);
		break;
	case CCS_ALLOC:
		fprintf(out, "%d ALLOC time %llu address %llx size %llu stack %u kind %u\n", c,
		       (unsigned long long)a->time, (unsigned long long)a->address,
		       (unsigned long long)a->size, a->stack, a->kind);
		break;
	case CCS_FREE:
		fprintf(out, "%d FREE time %llu address %llx\n", c, (unsigned long long)f->time,
		       (unsigned long long)f->address);
		break;
	case CCS_SAMPLES:
		print_samples(c, record);
		break;
	case CCS_SAVED:
		fprintf(out, "%d SAVED event %u count %u\n", c,
			((const struct ccs_saved *)record)->event,
			((const struct ccs_saved *)record)->count);
		break;
	case CCS_CLASS_COUNTS:
		print_class_counts(c, (const void *)record);
		break;
	case CCS_ACCESSES:
		fprintf(out, "%d ACCESSES tid %u lines %llu\n", c, r->tid,
			(unsigned long long)((const struct ccs_accesses *)record)->lines);
		break;
	case CCS_FRAMES:
		fprintf(out, "%d FRAMES tid %u count %u\n", c, r->tid,
			((const struct ccs_frames *)record)->count);
		break;
	case CCS_COUNTS:
		fprintf(out, "%d COUNTS time %llu instructions %llu loads %llu stores %llu "
		       "load_misses %llu store_misses %llu fills %llu\n", c,
		       (unsigned long long)n->time,
		       (unsigned long long)n->instructions, (unsigned long long)n->loads,
		       (unsigned long long)n->stores, (unsigned long long)n->load_misses,
		       (unsigned long long)n->store_misses, (unsigned long long)n->fills);
		break;
	case CCS_ENTRY:
		fprintf(out, "%d ENTRY time %llu load_misses %llu store_misses %llu\n", c,
			(unsigned long long)((const struct ccs_entry *)record)->time,
			(unsigned long long)((const struct ccs_entry *)record)->load_misses[0],
			(unsigned long long)((const struct ccs_entry *)record)->store_misses[0]);
		break;
	case CCS_UNSUPPORTED:
		fprintf(out, "%d UNSUPPORTED ip %llx bytes %02x %02x %02x %02x %02x %02x\n", c,
		       (unsigned long long)b->ip, b->bytes[0], b->bytes[1], b->bytes[2],
		       b->bytes[3],
		       b->bytes[4], b->bytes[5]);
		break;
	case CCS_EXIT:
		fprintf(out, "%d EXIT time %llu status %x\n", c, (unsigned long long)e->time,
			     e->status);
		break;
	default:
		fprintf(out, "%d BAD type %u\n", c, r->type);
	}
}

static void print_message(int c, size_t size)
{
	size_t at = 0;

	while (at < size) {
		const struct ccs_record *r = (const void *)(message + at);

		if (r->size < sizeof(*r) || r->size % 8 || r->size > size - at || r->process) {
			fprintf(out, "%d BAD record of %u bytes at %zu of %zu\n", c, r->size, at,
				     size);
			return;
		}
		print_record(c, r);
		at += r->size;
	}
}

static void receive(int c)
{
	ssize_t size = recv(sockets[c], message, sizeof(message), 0);

	if (size > 0) {
		print_message(c, size);
		return;
	}
	fprintf(out, "%d CLOSED\n", c);
	close(sockets[c]);
	sockets[c] = -1;
	opened--;
}

/* One round. Returns 0 when nothing came for a while. */
static int round_of(int listener)
{
	static struct pollfd p[CONNECTIONS + 1];
	int i;

	p[CONNECTIONS] = (struct pollfd){ .fd = listener, .events = POLLIN };
	for (i = 0; i < connections; i++)
		p[i] = (struct pollfd){ .fd = sockets[i], .events = POLLIN };
	for (; i < CONNECTIONS; i++)
		p[i].fd = -1;
	if (poll(p, CONNECTIONS + 1, 50) <= 0)
		return 0;
	for (i = 0; i < connections; i++)
		if (p[i].revents)
			receive(i);
	if (p[CONNECTIONS].revents && connections < CONNECTIONS) {
		sockets[connections++] = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
		opened++;
	}
	return 1;
}

int main(int argc, char **argv)
{
	int listener = listen_below(getenv("TMPDIR") ? : "/tmp"), status = 0, ended = 0;
	pid_t pid;

	out = stdout;
	if (argc > 1 && !strcmp(argv[1], "-q")) {
		quiet = 1;
		argv++;
		argc--;
	}
	if (argc > 2 && !strcmp(argv[1], "-o")) {
		out = fopen(argv[2], "we");
		if (!out)
			return 2;
		argv += 2;
		argc -= 2;
	}
	if (argc < 3) {
		fprintf(stderr,
			"usage: dump [-q] [-o FILE] TOOLDIR [tool options] -- PROGRAM...\n");
		return 2;
	}
	pid = start(argv + 1);
	while (round_of(listener) || !ended || opened)
		if (!ended && waitpid(pid, &status, WNOHANG) == pid)
			ended = 1;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
