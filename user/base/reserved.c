// SPDX-License-Identifier: GPL-2.0-only
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/memory.h"
#include "base/reserved.h"
#include "base/temporary.h"

#define FILES_MOST	8

static struct {
	struct output_file files[FILES_MOST];
	char *paths[FILES_MOST];	/* as they were given */
	int count;
	volatile bool *finished;	/* by file; shared with the child */
	char *in_place;			/* the path of @descriptor, NULL = none */
	int descriptor;
	int error;			/* why it is not open */
	bool empty;			/* there was no file, or an empty one */
	bool made;
	char *directory, *program;
} reserved;

/* --- in the parent, before --- */

int reserve_file(const char *path)
{
	if (!path || !strcmp(path, "-"))
		return 0;
	if (reserved_file(path))
		return fail("%s is to be written twice: give two names", path);
	if (reserved.count == FILES_MOST)
		return fail("cannot write %s: more than %d files", path, FILES_MOST);
	if (!reserved.finished) {
		reserved.finished = mmap(NULL, FILES_MOST, PROT_READ | PROT_WRITE,
					 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
		if (reserved.finished == MAP_FAILED)
			return fail("cannot allocate shared memory: %s", strerror(errno));
	}
	if (output_file_prepare(&reserved.files[reserved.count], path) < 0)
		return -1;
	reserved.paths[reserved.count++] = xstrdup(path);
	return 0;
}

void reserve_descriptor(const char *path, mode_t mode)
{
	struct stat status;

	if (!strcmp(path, "-"))
		return;
	reserved.descriptor = output_descriptor(path, mode, &reserved.made);
	reserved.error = reserved.descriptor < 0 ? errno : 0;
	reserved.in_place = xstrdup(path);
	if (reserved.error || fstat(reserved.descriptor, &status) || !S_ISREG(status.st_mode))
		return;
	reserved.empty = !status.st_size;
	/* The child may change no modes. */
	if (status.st_uid == geteuid())
		fchmod(reserved.descriptor, mode);
}

int reserve_directory(void)
{
	reserved.directory = temporary_directory("plot");
	return reserved.directory ? 0 : -1;
}

void reserve_program(const char *path)
{
	reserved.program = path ? xstrdup(path) : NULL;
}

void reserved_again(void)
{
	struct stat status;
	int i;

	for (i = 0; i < reserved.count; i++) {
		int fd = fileno(reserved.files[i].stream);

		reserved.finished[i] = false;
		if (!fstat(fd, &status) && S_ISREG(status.st_mode) && !ftruncate(fd, 0))
			lseek(fd, 0, SEEK_SET);
	}
}

/* --- in the child --- */

const char *reserved_directory(void)
{
	return reserved.directory;
}

const char *reserved_program(void)
{
	return reserved.program;
}

struct output_file *reserved_file(const char *path)
{
	int i;

	for (i = 0; i < reserved.count; i++)
		if (!strcmp(reserved.paths[i], path))
			return &reserved.files[i];
	return NULL;
}

int reserved_descriptor(const char *path)
{
	if (!reserved.in_place || strcmp(reserved.in_place, path)) {
		errno = 0;
		return -1;
	}
	if (!reserved.error)
		return fcntl(reserved.descriptor, F_DUPFD_CLOEXEC, 0);
	errno = reserved.error;
	return -1;
}

static int place_of(const struct output_file *file)
{
	int i;

	for (i = 0; i < reserved.count; i++)
		if (reserved.files[i].stream == file->stream)
			return i;
	return -1;
}

bool reserved_is(const struct output_file *file)
{
	return place_of(file) >= 0;
}

void reserved_finished(const struct output_file *file)
{
	reserved.finished[place_of(file)] = true;
}

/* --- in the parent, after --- */

static void remove_directory(void)
{
	DIR *directory = opendir(reserved.directory);
	struct dirent *entry;

	while (directory && (entry = readdir(directory)))
		unlinkat(dirfd(directory), entry->d_name, 0);
	if (directory)
		closedir(directory);
	rmdir(reserved.directory);
	free(reserved.directory);
	reserved.directory = NULL;
}

/* What is no recording is taken away: a new file into which nothing came, or one emptied. */
static void settle_descriptor(void)
{
	struct stat ours, named;

	if (!reserved.error && !fstat(reserved.descriptor, &ours) && S_ISREG(ours.st_mode) &&
	    !ours.st_size && (reserved.made || !reserved.empty) &&
	    !lstat(reserved.in_place, &named) && named.st_ino == ours.st_ino &&
	    named.st_dev == ours.st_dev)
		unlink(reserved.in_place);
	if (!reserved.error)
		close(reserved.descriptor);
	free(reserved.in_place);
	reserved.in_place = NULL;
}

int reserved_settle(void)
{
	struct output_file file;
	int status = 0, count = reserved.count, i;

	/* From here on they are files like any other. */
	reserved.count = 0;
	for (i = 0; i < count; i++) {
		file = reserved.files[i];
		if (!reserved.finished[i])
			output_file_drop(&file);
		else if (output_file_finish(&file) < 0)
			status = -1;
		free(reserved.paths[i]);
	}
	if (reserved.directory)
		remove_directory();
	if (reserved.in_place)
		settle_descriptor();
	free(reserved.program);
	reserved.program = NULL;
	return status;
}
