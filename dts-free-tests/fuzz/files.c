// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "files.h"

#define OPEN_MOST	16
#define FIRST_FD	(1 << 20)	/* above those that the kernel gives */

int __real_open(const char *path, int flags, ...);
ssize_t __real_read(int fd, void *data, size_t size);
int __real_fstat(int fd, struct stat *status);
int __real_close(int fd);
FILE *__real_fopen(const char *path, const char *mode);

static struct file files[FILES_MOST], made[FILES_MOST];
static unsigned int count, made_count;

bool (*file_make)(const char *path, struct file *file);

static struct opened {
	const struct file *file;	/* NULL: free */
	size_t at;
} all[OPEN_MOST];

struct file *file_new(void)
{
	struct file *file = &files[count];

	if (count == FILES_MOST)
		abort();
	snprintf(file->path, sizeof(file->path), "/memory/%u", count++);
	return file;
}

void file_add(struct file *file, const void *bytes, size_t size)
{
	if (!size)
		return;
	if (size > file->room - file->size) {
		file->room = 2 * (file->size + size);
		file->bytes = xrealloc(file->bytes, file->room);
	}
	memcpy(file->bytes + file->size, bytes, size);
	file->size += size;
}

static const struct file *find(const char *path)
{
	struct file *file = &made[made_count % FILES_MOST];
	unsigned int i;

	for (i = 0; i < count; i++)
		if (!strcmp(files[i].path, path))
			return &files[i];
	file->size = 0;
	if (!file_make || !file_make(path, file))
		return NULL;
	made_count++;
	return file;
}

static struct opened *opened(int fd)
{
	return fd >= FIRST_FD && fd < FIRST_FD + OPEN_MOST ? &all[fd - FIRST_FD] : NULL;
}

int __wrap_open(const char *path, int flags, ...)
{
	const struct file *file = find(path);
	mode_t mode = 0;
	va_list rest;
	int i;

	if (!file) {
		va_start(rest, flags);
		if (flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE)
			mode = va_arg(rest, mode_t);
		va_end(rest);
		return __real_open(path, flags, mode);
	}
	for (i = 0; i < OPEN_MOST; i++)
		if (!all[i].file) {
			all[i] = (struct opened){ file };
			return FIRST_FD + i;
		}
	abort();	/* a reader that does not close */
}

ssize_t __wrap_read(int fd, void *data, size_t size)
{
	struct opened *open = opened(fd);
	size_t left;

	if (!open)
		return __real_read(fd, data, size);
	left = open->file->size - open->at;
	if (size > left)
		size = left;
	if (size)
		memcpy(data, open->file->bytes + open->at, size);
	open->at += size;
	return size;
}

int __wrap_fstat(int fd, struct stat *status)
{
	struct opened *open = opened(fd);

	if (!open)
		return __real_fstat(fd, status);
	*status = (struct stat){ .st_mode = S_IFREG | 0600, .st_size = open->file->size };
	return 0;
}

int __wrap_close(int fd)
{
	struct opened *open = opened(fd);

	if (!open)
		return __real_close(fd);
	open->file = NULL;
	return 0;
}

FILE *__wrap_fopen(const char *path, const char *mode)
{
	const struct file *file = find(path);

	if (!file)
		return __real_fopen(path, mode);
	/* fmemopen() refuses none. */
	return file->size ? fmemopen(file->bytes, file->size, "r") : __real_fopen("/dev/null", "r");
}
