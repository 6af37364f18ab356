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
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "tracee/valgrind/engine.h"

#define MESSAGE_MAX	(60u << 10)	/* well inside a socket's default buffer */
#define STALE_MS	1000
#define SO_PEERCRED	17		/* as the kernel has it on x86 */

/* Valgrind's core: moves a descriptor out of the program's reach, close-on-exec. */
extern Int VG_(safe_fd)(Int old);

static UChar buffer[MESSAGE_MAX] __attribute__((aligned(8)));
static UInt used;
static Int fd = -1;
static UInt flushed_ms, counted_ms;

static Long system_call(Long number, Long a, Long b, Long c, Long d, Long e)
{
	register Long r10 __asm__("r10") = d;
	register Long r8 __asm__("r8") = e;
	register Long r9 __asm__("r9") = 0;
	Long result;

	__asm__ volatile("syscall" : "=a"(result)
			 : "0"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return result;
}

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

static Long connect_to(Int s, const HChar *name)
{
	struct vki_sockaddr_un address;
	SizeT size = VG_(strlen)(name);
	Long r;

	VG_(memset)(&address, 0, sizeof(address));
	address.sun_family = VKI_AF_UNIX;
	VG_(memcpy)(address.sun_path, name, size);
	do
		r = system_call(__NR_connect, s, (Addr)&address,
				offsetof(struct vki_sockaddr_un, sun_path) + size + 1, 0, 0);
	while (r == -VKI_EINTR);
	return r;
}

/* Whoever listens now may not be who began: what we would send is for our own user. */
static Bool is_ours(Int s)
{
	struct { Int pid; UInt uid, gid; } peer;	/* struct ucred */
	Int size = sizeof(peer);

	return !system_call(__NR_getsockopt, s, VKI_SOL_SOCKET, SO_PEERCRED, (Addr)&peer,
			    (Addr)&size) &&
	       peer.uid == (UInt)system_call(__NR_geteuid, 0, 0, 0, 0, 0);
}

void records_connect(void)
{
	Long r;

	if (!engine_options.socket)
		return;
	r = system_call(__NR_socket, VKI_AF_UNIX, 5 /* SOCK_SEQPACKET */, 0, 0, 0);
	if (r < 0) {
		give_up("cannot open a socket", r);
		return;
	}
	fd = VG_(safe_fd)(r);
	r = connect_to(fd, engine_options.socket);
	if (r < 0)
		give_up("cannot connect to the recorder", r);
	else if (!is_ours(fd))
		give_up("the recorder is another user's", 0);
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
	Long r;

	do
		r = system_call(__NR_sendto, fd, (Addr)buffer, used, VKI_MSG_NOSIGNAL, 0);
	while (r == -VKI_EINTR);
	used = 0;
	if (r < 0)
		give_up("the recorder has gone", r);
}

void records_flush(void)
{
	UInt now;

	if (!records_on() || !used)
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

Bool records_answer(void *answer, UInt size)
{
	Long r;

	do
		r = system_call(__NR_recvfrom, fd, (Addr)answer, size, 0, 0);
	while (r == -VKI_EINTR);
	if (r == size)
		return True;
	give_up("the recorder does not answer", r < 0 ? r : 0);
	return False;
}
