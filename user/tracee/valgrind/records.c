// SPDX-License-Identifier: GPL-2.0-only
/*
 * The way out: records gather in a buffer, and a full one is one message on a
 * socket of the kind SOCK_SEQPACKET. Sends block, so a slow reader slows the
 * program instead of losing anything.
 *
 * A connection is one process image. It is closed on exec, so the reader sees
 * the end of an image whatever ended it, and a new connection by the same pid
 * if exec did. A fork's child closes its parent's and opens its own.
 */
#include "pub_tool_basics.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"

#include "tracee/valgrind/engine.h"
#include "tracee/valgrind-lib/socket.h"

#define MESSAGE_MAX	(60u << 10)	/* well inside a socket's default buffer */
#define STALE_MS	1000
#define PACE_MS		50		/* often enough for those who watch, and few messages */

static UChar buffer[MESSAGE_MAX] __attribute__((aligned(8)));
static UInt used;
static Int fd = -1;
static UInt flushed_ms, counted_ms;

Bool records_on(void)
{
	return fd >= 0;
}

static void give_up(const HChar *what, Long error)
{
	VG_(umsg)("ccsample: process %d goes on unrecorded: %s (error %lld)\n",
		  VG_(getpid)(), what, -error);
	records_disconnect();
}

void records_connect(void)
{
	const HChar *failed;
	Long error = 0;

	if (!engine_options.socket)
		return;
	failed = socket_connect(engine_options.socket, &fd, &error);
	if (failed)
		give_up(failed, error);
	flushed_ms = counted_ms = VG_(read_millisecond_timer)();
}

void records_disconnect(void)
{
	if (fd >= 0)
		VG_(close)(fd);
	fd = -1;
	used = 0;
}

void *record_add(UInt type, UInt tid, UInt size, UInt tail)
{
	UInt whole = (size + tail + 7) & ~7u;
	struct ccs_record *r;

	if (used + whole > sizeof(buffer))
		records_flush();
	r = (struct ccs_record *)(buffer + used);
	VG_(memset)(r, 0, whole);
	r->size = whole;
	r->type = type;
	r->tid = tid;
	used += whole;
	return r;
}

static void send_buffer(void)
{
	Long r = socket_send(fd, buffer, used);

	used = 0;
	if (r < 0)
		give_up("the recorder has gone", r);
}

void records_flush(void)
{
	UInt now;

	used = records_on() ? used : 0;
	if (!used)
		return;
	now = VG_(read_millisecond_timer)();
	flushed_ms = now;
	if (now - counted_ms > STALE_MS) {
		counted_ms = now;
		process_counts();	/* for the reader to have, should the program be killed */
	}
	if (records_on())
		send_buffer();
}

Bool records_stale(void)
{
	return VG_(read_millisecond_timer)() - flushed_ms > STALE_MS;
}

void records_pace(void)
{
	if (VG_(read_millisecond_timer)() - flushed_ms > PACE_MS)
		records_flush();
}

Bool records_answer(void *answer, UInt size)
{
	Long r = socket_receive(fd, answer, size);

	if (r == size)
		return True;
	give_up("the recorder does not answer", r < 0 ? r : 0);
	return False;
}
