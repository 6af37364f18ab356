/* SPDX-License-Identifier: GPL-2.0-only */
/* The functions that are wrapped, as the next object after us has them. */
#ifndef CCSAMPLE_TRACEE_PRELOAD_REAL_H
#define CCSAMPLE_TRACEE_PRELOAD_REAL_H

#include <link.h>
#include <pthread.h>
#include <spawn.h>
#include <stddef.h>
#include <sys/types.h>

typedef int spawn_fn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
		     const posix_spawnattr_t *attributes, char *const argv[], char *const envp[]);

struct real {
	void *(*malloc)(size_t size);
	void *(*calloc)(size_t count, size_t size);
	void *(*realloc)(void *block, size_t size);
	void *(*reallocarray)(void *block, size_t count, size_t size);
	void (*free)(void *block);
	void *(*memalign)(size_t align, size_t size);
	void *(*aligned_alloc)(size_t align, size_t size);
	int (*posix_memalign)(void **block, size_t align, size_t size);
	void *(*valloc)(size_t size);
	void *(*pvalloc)(size_t size);
	size_t (*malloc_usable_size)(void *block);

	void *(*mmap)(void *start, size_t size, int protection, int flags, int fd, off_t offset);
	int (*munmap)(void *start, size_t size);
	void *(*mremap)(void *start, size_t size, size_t new_size, int flags, ...);

	void *(*dlsym)(void *handle, const char *name);
	int (*dl_iterate_phdr)(int (*see)(struct dl_phdr_info *, size_t, void *), void *context);
	int (*dlclose)(void *handle);

	int (*pthread_create)(pthread_t *thread, const pthread_attr_t *attributes,
			      void *(*run)(void *), void *argument);
	int (*pthread_getattr_np)(pthread_t thread, pthread_attr_t *attributes);

	int (*execve)(const char *path, char *const argv[], char *const envp[]);
	int (*execvpe)(const char *file, char *const argv[], char *const envp[]);
	int (*fexecve)(int fd, char *const argv[], char *const envp[]);
	int (*execveat)(int directory, const char *path, char *const argv[], char *const envp[],
			int flags);
	spawn_fn *posix_spawn, *posix_spawnp;
	void (*_exit)(int status);
	void (*_Exit)(int status);
};

extern struct real real __attribute__((visibility("hidden")));

#endif /* CCSAMPLE_TRACEE_PRELOAD_REAL_H */
