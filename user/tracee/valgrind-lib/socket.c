// SPDX-License-Identifier: GPL-2.0-only
#include "pub_tool_basics.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "tracee/valgrind-lib/socket.h"

#define SO_PEERCRED	17		/* as the kernel has it on x86 */

/* Valgrind's core: moves a descriptor out of the program's reach, close-on-exec. */
extern Int VG_(safe_fd)(Int old);

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

const HChar *socket_connect(const HChar *path, Int *fd, Long *error)
{
	Long s = system_call(__NR_socket, VKI_AF_UNIX, 5 /* SOCK_SEQPACKET */, 0, 0, 0);

	*fd = -1;
	*error = s < 0 ? s : 0;
	if (s < 0)
		return "cannot open a socket";
	*fd = VG_(safe_fd)(s);
	*error = connect_to(*fd, path);
	if (*error < 0)
		return "cannot connect to the recorder";
	return is_ours(*fd) ? NULL : "the recorder is another user's";
}

Long socket_send(Int fd, const void *message, UInt size)
{
	Long r;

	do
		r = system_call(__NR_sendto, fd, (Addr)message, size, VKI_MSG_NOSIGNAL, 0);
	while (r == -VKI_EINTR);
	return r;
}

Long socket_receive(Int fd, void *message, UInt size)
{
	Long r;

	do
		r = system_call(__NR_recvfrom, fd, (Addr)message, size, 0, 0);
	while (r == -VKI_EINTR);
	return r;
}
