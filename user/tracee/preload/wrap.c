// SPDX-License-Identifier: GPL-2.0-only
/* Wrappers of what maps memory, makes threads, begins or replaces a program, or ends it. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tracee/preload/keep.h"
#include "tracee/preload/marker.h"
#include "tracee/preload/native.h"
#include "tracee/preload/real.h"
#include "tracee/preload/starts.h"
#include "tracee/preload/takes.h"

#pragma weak ccsample_bursts_remapped	/* NULL: that library is not there */

extern char **environ;

/* --- mappings --- */

static void remapped(void *start, size_t size)
{
	if (ccsample_bursts_remapped)
		ccsample_bursts_remapped((uintptr_t)start, size);
}

/* In place of code; or its file may be written there. */
static void code_may_go(void *start, size_t size, int flags, int fd)
{
	if (start == MAP_FAILED)
		return;
	if (flags & MAP_FIXED)
		remapped(start, size);
	if (fd >= 0 && !(flags & MAP_ANONYMOUS) && (flags & MAP_TYPE) != MAP_PRIVATE)
		remapped(NULL, SIZE_MAX);
}

static void *done(const struct caller *caller, void *start, size_t size, int protection, int fd,
		  uint64_t offset)
{
	hook_leave();
	if (start != MAP_FAILED)
		mapped(caller, (uintptr_t)start, size, protection, fd, offset);
	return start;
}

EXPORT void *mmap(void *start, size_t size, int protection, int flags, int fd, off_t offset)
{
	struct caller caller = caller_here();
	bool hooked = hook_enter(&caller);
	void *at = hooked || real_ready() ?
		   real.mmap(start, size, protection, flags, fd, offset) : MAP_FAILED;

	if (hooked)
		done(&caller, at, size, protection, flags & MAP_ANONYMOUS ? -1 : fd, offset);
	code_may_go(at, size, flags, fd);
	return at;
}

EXPORT void *mmap64(void *start, size_t size, int protection, int flags, int fd, off_t offset)
	__attribute__((alias("mmap")));

EXPORT int munmap(void *start, size_t size)
{
	struct caller caller = caller_here();
	bool hooked = hook_enter(&caller);
	int result;

	if (hooked && size)
		unmapped((uintptr_t)start, size);
	result = hooked || real_ready() ? real.munmap(start, size) : -1;
	if (hooked)
		hook_leave();
	remapped(start, size);
	return result;
}

/* Where it fails the old mapping lives on. */
EXPORT void *mremap(void *start, size_t size, size_t new_size, int flags, ...)
{
	struct caller caller = caller_here();
	void *wanted, *now;
	bool hooked;
	va_list more;

	va_start(more, flags);
	wanted = va_arg(more, void *);
	va_end(more);
	hooked = hook_enter(&caller);
	if (hooked && size)
		unmapped((uintptr_t)start, size);
	now = hooked || real_ready() ? real.mremap(start, size, new_size, flags, wanted) :
				       MAP_FAILED;
	if (hooked && now == MAP_FAILED)
		done(&caller, start, size, PROT_READ | PROT_WRITE, -1, 0);
	else if (hooked)
		done(&caller, now, new_size, PROT_READ | PROT_WRITE, -1, 0);
	remapped(start, size);
	if (now != MAP_FAILED)
		remapped(now, new_size);
	return now;
}

/* --- the linker --- */

/* Whoever looks for a function is about to run it. A jump: dlsym() asks who called it. */
EXPORT void *dlsym(void *handle, const char *name)
{
	if (!real_ready())
		return NULL;
	if (unlikely(__atomic_load_n(&maps.dirty, __ATOMIC_RELAXED)) && image_ready())
		maps_look();
	return real.dlsym(handle, name);
}

EXPORT int dlclose(void *handle)
{
	int result;

	if (!real_ready())
		return -1;
	if (!image_ready()) {
		result = real.dlclose(handle);
	} else {
		maps_scan(false);
		result = real.dlclose(handle);
		maps_scan(true);
	}
	remapped(NULL, SIZE_MAX);
	return result;
}

/* --- threads --- */

static void *run_thread(void *start)
{
	struct start own = *(struct start *)start;

	leave_start(start);
	image_thread();
	return own.run(own.argument);
}

EXPORT int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
			  void *(*run)(void *), void *argument)
{
	struct start *start;
	int error;

	if (!real_ready())
		return EAGAIN;
	start = image_ready() ? take_start(run, argument, 0) : NULL;
	/* It reports itself later. */
	if (!start)
		return real.pthread_create(thread, attributes, run, argument);
	error = real.pthread_create(thread, attributes, run_thread, start);
	if (error)
		leave_start(start);
	return error;
}

/*
 * It allocates while it holds the thread's lock. A thread that reports itself then (one that was
 * not made by pthread_create(), or that a sanitizer begins) would ask for its stack, and wait for
 * that lock: it reports itself before.
 */
EXPORT int pthread_getattr_np(pthread_t thread, pthread_attr_t *attributes)
{
	image_ready();
	return real_ready() ? real.pthread_getattr_np(thread, attributes) : ENOMEM;
}

/* --- exec and exit --- */

struct exec {
	int directory;			/* or a file of its own */
	const char *path;
	char *const *argv;
	int flags;
};

typedef int exec_fn(const struct exec *exec, char *const envp[]);

static int execute(const struct exec *exec, char *const envp[], bool takes, exec_fn *call)
{
	const struct kept_room room = keep_room(envp, takes);
	const char *strings[room.strings];
	char text[room.text];
	bool noted = real_ready() && image_exec();
	int result = call(exec, keep_libraries(envp, takes, strings, text));

	if (noted)
		image_exec_failed();
	return result;
}

static int by_path(const struct exec *exec, char *const envp[])
{
	return real.execve(exec->path, exec->argv, envp);
}

EXPORT int execve(const char *path, char *const argv[], char *const envp[])
{
	return execute(&(struct exec){ .path = path, .argv = argv }, envp,
		       takes_libraries(AT_FDCWD, path), by_path);
}

EXPORT int execv(const char *path, char *const argv[])
{
	return execve(path, argv, environ);
}

static int by_name(const struct exec *exec, char *const envp[])
{
	return real.execvpe(exec->path, exec->argv, envp);
}

EXPORT int execvpe(const char *file, char *const argv[], char *const envp[])
{
	return execute(&(struct exec){ .path = file, .argv = argv }, envp,
		       takes_libraries_by_name(file), by_name);
}

EXPORT int execvp(const char *file, char *const argv[])
{
	return execvpe(file, argv, environ);
}

static int by_file(const struct exec *exec, char *const envp[])
{
	return real.fexecve(exec->directory, exec->argv, envp);
}

EXPORT int fexecve(int fd, char *const argv[], char *const envp[])
{
	return execute(&(struct exec){ .directory = fd, .argv = argv }, envp,
		       takes_libraries(fd, ""), by_file);
}

static int by_directory(const struct exec *exec, char *const envp[])
{
	return real.execveat(exec->directory, exec->path, exec->argv, envp, exec->flags);
}

EXPORT int execveat(int directory, const char *path, char *const argv[], char *const envp[],
		    int flags)
{
	return execute(&(struct exec){ directory, path, argv, flags }, envp,
		       takes_libraries(directory, path), by_directory);
}

static size_t count(va_list list)
{
	va_list copy;
	size_t n = 1;

	va_copy(copy, list);
	while (va_arg(copy, char *))
		n++;
	va_end(copy);
	return n;
}

/* @argv: room for the first, all of the list and the NULL that ends it. */
static void collect(char **argv, const char *first, va_list *list)
{
	size_t n = 0;

	argv[n] = (char *)first;
	while (argv[n++])
		argv[n] = va_arg(*list, char *);
}

EXPORT int execl(const char *path, const char *first, ...)
{
	va_list list;
	int result;

	va_start(list, first);
	{
		char *argv[count(list) + 1];

		collect(argv, first, &list);
		result = execv(path, argv);
	}
	va_end(list);
	return result;
}

EXPORT int execlp(const char *file, const char *first, ...)
{
	va_list list;
	int result;

	va_start(list, first);
	{
		char *argv[count(list) + 1];

		collect(argv, first, &list);
		result = execvp(file, argv);
	}
	va_end(list);
	return result;
}

EXPORT int execle(const char *path, const char *first, ...)
{
	va_list list;
	int result;

	va_start(list, first);
	{
		char *argv[count(list) + 1];

		collect(argv, first, &list);
		result = execve(path, argv, va_arg(list, char **));
	}
	va_end(list);
	return result;
}

/* Its child calls exec inside the C library. */
static int spawn(spawn_fn *call, bool takes, pid_t *pid, const char *path,
		 const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
		 char *const argv[], char *const envp[])
{
	const struct kept_room room = keep_room(envp, takes);
	const char *strings[room.strings];
	char text[room.text];

	return call(pid, path, actions, attributes, argv,
		    keep_libraries(envp, takes, strings, text));
}

EXPORT int posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
		       const posix_spawnattr_t *attributes, char *const argv[], char *const envp[])
{
	return real_ready() ? spawn(real.posix_spawn, takes_libraries(AT_FDCWD, path), pid, path,
				    actions, attributes, argv, envp) : EAGAIN;
}

EXPORT int posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
			const posix_spawnattr_t *attributes, char *const argv[], char *const envp[])
{
	return real_ready() ? spawn(real.posix_spawnp, takes_libraries_by_name(file), pid, file,
				    actions, attributes, argv, envp) : EAGAIN;
}

EXPORT void _exit(int status)
{
	real_ready();
	image_exit(status);
	real._exit(status);
	__builtin_unreachable();
}

EXPORT void _Exit(int status)
{
	real_ready();
	image_exit(status);
	real._Exit(status);
	__builtin_unreachable();
}
