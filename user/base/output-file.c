// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/memory.h"
#include "base/output-file.h"
#include "base/reserved.h"
#include "base/text.h"

#define TRIES	16		/* names that somebody else has */

/* Ours, or of the system: as the kernel's fs.protected_symlinks, which may be off. */
static bool may_follow(const char *path)
{
	struct stat link;

	return !lstat(path, &link) && (link.st_uid == geteuid() || !link.st_uid);
}

/* --- what is there --- */

bool is_same_file(const char *a, const char *b)
{
	struct stat one, two;

	return !stat(a, &one) && !stat(b, &two) && one.st_dev == two.st_dev &&
	       one.st_ino == two.st_ino;
}

/* What a pipe has can be read but once: it is left to who wants all of it. */
bool file_begins(const char *path, const char *begin)
{
	size_t size = strlen(begin), read;
	struct stat status;
	char found[16];
	FILE *file;

	if (stat(path, &status) || !S_ISREG(status.st_mode))
		return false;
	file = fopen(path, "re");
	if (!file)
		return false;
	read = fread(found, 1, size, file);
	fclose(file);
	return read == size && !memcmp(found, begin, size);
}

int output_may_replace(const char *path, const char *begin, const char *kind)
{
	struct stat status;

	if (!strcmp(path, "-") || lstat(path, &status))
		return 0;
	/* Links of others are refused where the file is opened. */
	if (S_ISLNK(status.st_mode) && (!may_follow(path) || stat(path, &status)))
		return 0;
	if (!S_ISREG(status.st_mode) || !status.st_size || file_begins(path, begin))
		return 0;
	return fail("%s is no %s, and is not replaced: give another name, or remove it", path,
		    kind);
}

/* --- in place --- */

int output_descriptor(const char *path, mode_t mode, bool *made)
{
	int fd = reserved_descriptor(path), tries;

	if (made)
		*made = false;
	if (fd >= 0 || errno)
		return fd;
	for (tries = 0; fd < 0 && tries < TRIES; tries++) {
		fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
		if (made)
			*made = fd >= 0;
		if (fd < 0 && errno == EEXIST)
			fd = open(path, O_WRONLY | O_NOFOLLOW | O_CLOEXEC);
		if (fd < 0 && errno != ENOENT)
			break;
	}
	if (fd < 0 && errno == ELOOP && may_follow(path))
		fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, mode);
	return fd;
}

/* --- whole or not at all --- */

static bool is_standard_output(const char *path)
{
	return !path || !strcmp(path, "-");
}

/*
 * Descriptors and devices have names that nothing may take the place of; and a link to nothing
 * has no other name.
 */
static bool is_direct(const char *path)
{
	struct stat status;

	if (!strncmp(path, "/dev/", 5) || !strncmp(path, "/proc/", 6))
		return true;
	if (!stat(path, &status))
		return !S_ISREG(status.st_mode);
	return !lstat(path, &status);
}

/* A new name in the same directory, which cannot be guessed. */
static char *part_name(const char *target)
{
	const char *slash = strrchr(target, '/');
	uint64_t chance;

	if (getrandom(&chance, sizeof(chance), 0) != sizeof(chance))
		return NULL;
	return xasprintf("%.*s.ccsample-%016llx", slash ? (int)(slash + 1 - target) : 0, target,
			 (unsigned long long)chance);
}

static int open_named(struct output_file *file)
{
	int fd = -1, tries;

	for (tries = 0; fd < 0 && tries < TRIES; tries++) {
		free(file->part);
		file->part = part_name(file->target);
		if (!file->part)
			return -1;
		fd = open(file->part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (fd < 0 && errno != EEXIST)
			break;
	}
	if (fd >= 0)
		return fd;
	free(file->part);
	file->part = NULL;
	return -1;
}

/* Nameless where the file system can, so that a process that is killed leaves nothing. */
static int open_part(struct output_file *file)
{
	const char *slash = strrchr(file->target, '/');
	char *dir = slash ? xasprintf("%.*s", (int)(slash + 1 - file->target), file->target) :
		    xstrdup(".");
	struct stat status;
	int fd = open(dir, O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666);

	free(dir);
	if (fd < 0)
		fd = open_named(file);
	/* What the user had set for the file that gets replaced. */
	if (fd >= 0 && !lstat(file->target, &status) && S_ISREG(status.st_mode))
		fchmod(fd, status.st_mode & 0777);
	return fd;
}

static void release(struct output_file *file)
{
	free(file->path);
	free(file->target);
	free(file->part);
	memset(file, 0, sizeof(*file));
}

/* The name behind links, so that they stay. */
static char *resolve(const char *path)
{
	struct stat status;

	if (lstat(path, &status) || !S_ISLNK(status.st_mode))
		return xstrdup(path);
	if (may_follow(path))
		return realpath(path, NULL);
	errno = ELOOP;
	return NULL;
}

static int open_path(struct output_file *file, const char *path)
{
	int fd;

	if (is_direct(path)) {
		fd = output_descriptor(path, 0666, NULL);
	} else {
		file->target = resolve(path);
		fd = file->target ? open_part(file) : -1;
	}
	file->stream = fd >= 0 ? fdopen(fd, "w") : NULL;
	if (file->stream)
		return 0;
	fail("cannot write %s: %s", path, errno == ELOOP ?
	     "it is a symbolic link of another user" : strerror(errno));
	if (fd >= 0)
		close(fd);
	return -1;
}

/* A file behind a name that nothing may take the place of (/dev/shm/x) is emptied. */
static int empty_direct(struct output_file *file)
{
	struct stat status;
	int fd = fileno(file->stream);

	if (file->target || fstat(fd, &status) || !S_ISREG(status.st_mode) || !ftruncate(fd, 0))
		return 0;
	fail("cannot write %s: %s", file->path, strerror(errno));
	output_file_drop(file);
	return -1;
}

int output_file_prepare(struct output_file *file, const char *path)
{
	memset(file, 0, sizeof(*file));
	/* A limit of a file's size is an error like any other. */
	signal(SIGXFSZ, SIG_IGN);
	file->path = xstrdup(shown_output(path));
	if (is_standard_output(path)) {
		file->stream = stdout;
		return 0;
	}
	if (!open_path(file, path))
		return 0;
	release(file);
	return -1;
}

int output_file_open(struct output_file *file, const char *path)
{
	const struct output_file *open = path ? reserved_file(path) : NULL;

	if (open)
		*file = *open;
	else if (output_file_prepare(file, path) < 0)
		return -1;
	return file->stream == stdout ? 0 : empty_direct(file);
}

/* Gives a nameless file a new name, since linkat() replaces nothing. */
static int name_part(struct output_file *file)
{
	char *open_file = xasprintf("/proc/self/fd/%d", fileno(file->stream));
	int failed, tries;

	for (tries = 0, failed = -1; failed && tries < TRIES; tries++) {
		free(file->part);
		file->part = part_name(file->target);
		failed = file->part ? linkat(AT_FDCWD, open_file, AT_FDCWD, file->part,
					     AT_SYMLINK_FOLLOW) : -1;
		if (failed && errno != EEXIST)
			break;
	}
	free(open_file);
	if (!failed)
		return 0;
	free(file->part);
	file->part = NULL;
	return -1;
}

/* Its reason is gone: a byte more, of a file that is not kept, fails for the same one. */
static int failed_before(FILE *stream)
{
	return stream != stdout && write(fileno(stream), "", 1) < 0 ? errno : EIO;
}

static int flush(struct output_file *file)
{
	bool failed = ferror(file->stream);

	if (fflush(file->stream))
		return errno;
	return failed ? failed_before(file->stream) : 0;
}

static int write_out(struct output_file *file)
{
	int error = flush(file);

	if (error)
		return error;
	return file->target && !file->part && name_part(file) ? errno : 0;
}

/* The parent names it. */
static int finish_reserved(struct output_file *file)
{
	int error = flush(file);

	if (error)
		return fail("cannot write %s: %s", file->path, strerror(error));
	reserved_finished(file);
	return 0;
}

int output_file_finish(struct output_file *file)
{
	int error;

	if (reserved_is(file))
		return finish_reserved(file);
	error = write_out(file);
	if (file->stream != stdout && fclose(file->stream) && !error)
		error = errno;
	if (!error && file->target && rename(file->part, file->target))
		error = errno;
	if (error && file->part)
		unlink(file->part);
	if (error)
		fail("cannot write %s: %s", file->path, strerror(error));
	release(file);
	return error ? -1 : 0;
}

void output_file_drop(struct output_file *file)
{
	/* What is in its stream is not written when the process ends. */
	if (reserved_is(file)) {
		__fpurge(file->stream);
		return;
	}
	if (file->stream != stdout)
		fclose(file->stream);
	if (file->part)
		unlink(file->part);
	release(file);
}
