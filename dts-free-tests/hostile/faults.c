// SPDX-License-Identifier: GPL-2.0-only
/*
 * A preloaded library that lets one call fail: of the tool named by $FAULTS_TOOL (not of the
 * programs that it runs), the call number $FAULTS_AT of the kind $FAULTS_KIND, counted over all of
 * its processes; from 1 on, 0 = none. The file $FAULTS_COUNT receives how many there were, and with
 * $FAULTS_AT 0 the first and the last call from each place: of each stack of callers.
 *
 *	memory	malloc, calloc, realloc, aligned_alloc, posix_memalign
 *	map	mmap, memfd_create, ftruncate
 *	read	read, pread
 *	write	write, pwrite, writev
 *	open	open, openat, fopen, opendir
 *	process	fork, posix_spawnp, pipe2, waitpid
 *	socket	socket, socketpair, bind, listen, accept4, connect, send, sendmsg, recv, recvmsg
 *	name	rename, linkat, mkdtemp, flock, fchmod
 */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum kind { MEMORY, MAP, READ, WRITE, OPEN, PROCESS, SOCKET, NAME, KINDS };

static const char *const names[KINDS] = {
	"memory", "map", "read", "write", "open", "process", "socket", "name",
};

#define PLACES	(1u << 16)	/* slots of the hash */
#define CALLERS	24

/* The file: shared by all processes. */
struct counter {
	_Atomic uint64_t count;
	struct place {
		_Atomic uint64_t hash;		/* of its callers; 0 = none yet */
		_Atomic uint64_t first, last;	/* numbers of calls */
	} places[PLACES];
};

static struct counter *counter;		/* NULL = not our tool */
static uint64_t fault_at;
static enum kind fault_kind;

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static bool is_tool(void)
{
	const char *tool = getenv("FAULTS_TOOL");
	char path[4096];
	ssize_t size = readlink("/proc/self/exe", path, sizeof(path) - 1);

	path[size > 0 ? size : 0] = '\0';
	return tool && !strcmp(tool, path);
}

static void note_place(uint64_t number)
{
	void *callers[CALLERS];
	int depth = backtrace(callers, CALLERS), i;
	uint64_t hash = 1, empty;
	struct place *place;

	for (i = 0; i < depth; i++)
		hash = (hash ^ (uintptr_t)callers[i]) * 0x9e3779b97f4a7c15 ^ hash >> 31;
	for (i = 0; i < PLACES; i++) {
		place = &counter->places[(hash + i) % PLACES];
		empty = 0;
		if (atomic_compare_exchange_strong(&place->hash, &empty, hash | 1))
			place->first = number;
		else if (empty != (hash | 1))
			continue;
		place->last = number;
		return;
	}
}

__attribute__((constructor)) static void begin(void)
{
	void *callers[1];
	const char *kind = getenv("FAULTS_KIND"), *at = getenv("FAULTS_AT");
	const char *file = getenv("FAULTS_COUNT");
	void *page;
	int fd;

	if (!kind || !at || !file || !is_tool())
		return;
	while (fault_kind < KINDS && strcmp(names[fault_kind], kind))
		fault_kind++;
	fault_at = strtoull(at, NULL, 10);
	fd = syscall(SYS_openat, AT_FDCWD, file, O_RDWR | O_CLOEXEC, 0);
	if (fd < 0)
		return;
	page = (void *)syscall(SYS_mmap, NULL, sizeof(*counter), PROT_READ | PROT_WRITE, MAP_SHARED,
			       fd, 0);
	close(fd);
	if (page == MAP_FAILED)
		return;
	backtrace(callers, 1);		/* allocates, the first time */
	counter = page;
}

static bool fails(enum kind kind, int error)
{
	uint64_t number;

	if (!counter || kind != fault_kind)
		return false;
	number = atomic_fetch_add(&counter->count, 1) + 1;
	if (!fault_at)
		note_place(number);
	if (number != fault_at)
		return false;
	errno = error;
	return true;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

void *malloc(size_t size)
{
	return fails(MEMORY, ENOMEM) ? NULL : __libc_malloc(size);
}

void *calloc(size_t number, size_t size)
{
	return fails(MEMORY, ENOMEM) ? NULL : __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size)
{
	return fails(MEMORY, ENOMEM) ? NULL : __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
	return fails(MEMORY, ENOMEM) ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size)
{
	if (fails(MEMORY, errno))
		return ENOMEM;
	*memory = __libc_memalign(alignment, size);
	return *memory ? 0 : ENOMEM;
}

void *mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset)
{
	return fails(MAP, ENOMEM) ? MAP_FAILED :
	       (void *)syscall(SYS_mmap, address, size, protection, flags, fd, offset);
}

int memfd_create(const char *name, unsigned int flags)
{
	return fails(MAP, ENOMEM) ? -1 : syscall(SYS_memfd_create, name, flags);
}

int ftruncate(int fd, off_t size)
{
	return fails(MAP, ENOSPC) ? -1 : syscall(SYS_ftruncate, fd, size);
}

ssize_t read(int fd, void *bytes, size_t size)
{
	return fails(READ, EIO) ? -1 : REAL(read)(fd, bytes, size);
}

ssize_t pread(int fd, void *bytes, size_t size, off_t offset)
{
	return fails(READ, EIO) ? -1 : REAL(pread)(fd, bytes, size, offset);
}

ssize_t write(int fd, const void *bytes, size_t size)
{
	return fails(WRITE, ENOSPC) ? -1 : REAL(write)(fd, bytes, size);
}

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t offset)
{
	return fails(WRITE, ENOSPC) ? -1 : REAL(pwrite)(fd, bytes, size, offset);
}

ssize_t writev(int fd, const struct iovec *parts, int parts_count)
{
	return fails(WRITE, ENOSPC) ? -1 : REAL(writev)(fd, parts, parts_count);
}

static mode_t mode_of(int flags, va_list args)
{
	return flags & (O_CREAT | O_TMPFILE) ? va_arg(args, mode_t) : 0;
}

int open(const char *path, int flags, ...)
{
	va_list args;
	mode_t mode;

	va_start(args, flags);
	mode = mode_of(flags, args);
	va_end(args);
	return fails(OPEN, EMFILE) ? -1 : syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int openat(int directory, const char *path, int flags, ...)
{
	va_list args;
	mode_t mode;

	va_start(args, flags);
	mode = mode_of(flags, args);
	va_end(args);
	return fails(OPEN, EMFILE) ? -1 : syscall(SYS_openat, directory, path, flags, mode);
}

FILE *fopen(const char *path, const char *mode)
{
	return fails(OPEN, EMFILE) ? NULL : REAL(fopen)(path, mode);
}

DIR *opendir(const char *path)
{
	return fails(OPEN, EMFILE) ? NULL : REAL(opendir)(path);
}

pid_t fork(void)
{
	return fails(PROCESS, EAGAIN) ? -1 : REAL(fork)();
}

int posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
		 const posix_spawnattr_t *attributes, char *const argv[], char *const environ[])
{
	return fails(PROCESS, EAGAIN) ? EAGAIN :
	       REAL(posix_spawnp)(pid, file, actions, attributes, argv, environ);
}

int pipe2(int ends[2], int flags)
{
	return fails(PROCESS, EMFILE) ? -1 : syscall(SYS_pipe2, ends, flags);
}

int socket(int domain, int type, int protocol)
{
	return fails(SOCKET, EMFILE) ? -1 : REAL(socket)(domain, type, protocol);
}

int socketpair(int domain, int type, int protocol, int ends[2])
{
	return fails(SOCKET, EMFILE) ? -1 : REAL(socketpair)(domain, type, protocol, ends);
}

int bind(int fd, const struct sockaddr *address, socklen_t size)
{
	return fails(SOCKET, EACCES) ? -1 : REAL(bind)(fd, address, size);
}

int listen(int fd, int backlog)
{
	return fails(SOCKET, EADDRINUSE) ? -1 : REAL(listen)(fd, backlog);
}

int accept4(int fd, struct sockaddr *address, socklen_t *size, int flags)
{
	return fails(SOCKET, ENOMEM) ? -1 : REAL(accept4)(fd, address, size, flags);
}

int connect(int fd, const struct sockaddr *address, socklen_t size)
{
	return fails(SOCKET, ECONNREFUSED) ? -1 : REAL(connect)(fd, address, size);
}

ssize_t send(int fd, const void *bytes, size_t size, int flags)
{
	return fails(SOCKET, ENOBUFS) ? -1 : REAL(send)(fd, bytes, size, flags);
}

ssize_t sendmsg(int fd, const struct msghdr *message, int flags)
{
	return fails(SOCKET, ENOBUFS) ? -1 : REAL(sendmsg)(fd, message, flags);
}

ssize_t recv(int fd, void *bytes, size_t size, int flags)
{
	return fails(SOCKET, ENOMEM) ? -1 : REAL(recv)(fd, bytes, size, flags);
}

ssize_t recvmsg(int fd, struct msghdr *message, int flags)
{
	return fails(SOCKET, ENOMEM) ? -1 : REAL(recvmsg)(fd, message, flags);
}

int rename(const char *from, const char *to)
{
	return fails(NAME, EACCES) ? -1 : syscall(SYS_rename, from, to);
}

int linkat(int from_directory, const char *from, int to_directory, const char *to, int flags)
{
	return fails(NAME, EACCES) ? -1 :
	       syscall(SYS_linkat, from_directory, from, to_directory, to, flags);
}

char *mkdtemp(char *name)
{
	return fails(NAME, EACCES) ? NULL : REAL(mkdtemp)(name);
}

int flock(int fd, int operation)
{
	return fails(NAME, ENOLCK) ? -1 : syscall(SYS_flock, fd, operation);
}

int fchmod(int fd, mode_t mode)
{
	return fails(NAME, EPERM) ? -1 : syscall(SYS_fchmod, fd, mode);
}
