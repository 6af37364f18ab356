// SPDX-License-Identifier: GPL-2.0-only
/*
 * A reader that was taken over, as a preloaded library: the first time that the tool uses zstd to
 * read, or takes a connection, it tries what an attacker would, and says in a line of standard error each what the
 * kernel answered: "NAME 0" (done) or "NAME ERRNO". $ESCAPE_PROGRAM is run, files are made, changed
 * and removed in $ESCAPE_DIRECTORY, in which there is "victim".
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

size_t ZSTD_decompressDCtx(void *zstd, void *to, size_t room, const void *from, size_t size);
size_t ZSTD_decompressStream(void *zstd, void *to, void *from);

static void say(const char *name, bool done)
{
	dprintf(STDERR_FILENO, "%s %d\n", name, done ? 0 : errno);
}

static bool opens(const char *path, int flags)
{
	int fd = open(path, flags, 0644);

	return fd >= 0 && !close(fd);
}

static bool connects(void)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(1) };
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	return fd >= 0 && (!connect(fd, (void *)&address, sizeof(address)) || errno == ECONNREFUSED);
}

/* Through a child, as exec() does not come back. */
static bool executes(const char *path)
{
	int status = 0;
	pid_t pid = fork();

	if (pid < 0)
		return false;
	if (!pid) {
		execl(path, path, (char *)NULL);
		_exit(errno);
	}
	waitpid(pid, &status, 0);
	errno = WEXITSTATUS(status);
	return !errno;
}

static void try_files(void)
{
	int here = open(".", O_PATH | O_DIRECTORY);

	if (chdir(getenv("ESCAPE_DIRECTORY")))
		return;
	say("make", opens("made", O_WRONLY | O_CREAT));
	say("nameless", opens(".", O_WRONLY | O_TMPFILE));
	say("write", opens("victim", O_WRONLY));
	say("empty", !truncate("victim", 0));
	say("chmod", !chmod("victim", 04777));
	say("rename", !rename("victim", "moved"));
	say("link", !link("victim", "linked"));
	say("symlink", !symlink("victim", "symlinked"));
	say("mkdir", !mkdir("directory", 0755));
	say("unlink", !unlink("victim"));
	say("fifo", !mkfifo("fifo", 0644));
	say("read", opens("victim", O_RDONLY));
	if (fchdir(here))
		say("return", false);
	close(here);
}

static void try_others(void)
{
	struct sockaddr_in address = { .sin_family = AF_INET };
	int pair[2];
	char typed = 'x';

	say("connect", connects());
	say("bind", !bind(socket(AF_INET, SOCK_STREAM, 0), (void *)&address, sizeof(address)));
	say("datagram", socket(AF_INET, SOCK_DGRAM, 0) >= 0);
	say("local", !socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
	say("signal", !kill(getppid(), 0));
	say("trace", !ptrace(PTRACE_SEIZE, getppid(), 0, 0));
	say("type", !ioctl(STDERR_FILENO, TIOCSTI, &typed));
	say("io_uring", syscall(425 /* io_uring_setup */, 0, NULL) >= 0);
	say("namespace", !unshare(CLONE_NEWUSER));
	say("bpf", !syscall(SYS_bpf, 0, NULL, 0));
	say("key", syscall(SYS_keyctl, 0, -3, 0) >= 0);
	say("execute", executes(getenv("ESCAPE_PROGRAM")));
	say("shell", executes("/bin/sh"));
}

static void take_over(void)
{
	static bool tried;

	if (tried)
		return;
	tried = true;
	try_files();
	try_others();
}

size_t ZSTD_decompressDCtx(void *zstd, void *to, size_t room, const void *from, size_t size)
{
	size_t (*real)(void *, void *, size_t, const void *, size_t) =
		dlsym(RTLD_NEXT, "ZSTD_decompressDCtx");

	take_over();
	return real(zstd, to, room, from, size);
}

size_t ZSTD_decompressStream(void *zstd, void *to, void *from)
{
	size_t (*real)(void *, void *, void *) = dlsym(RTLD_NEXT, "ZSTD_decompressStream");

	take_over();
	return real(zstd, to, from);
}

/* What serves a page reads nothing by zstd. */
int accept4(int fd, struct sockaddr *address, socklen_t *size, int flags)
{
	take_over();
	return syscall(SYS_accept4, fd, address, size, flags);
}

/* SQLite's own functions are found by dlsym(): by what it reads its file with. */
ssize_t pread64(int fd, void *to, size_t size, off_t offset)
{
	if (getenv("ESCAPE_SQLITE"))
		take_over();
	return syscall(SYS_pread64, fd, to, size, offset);
}
