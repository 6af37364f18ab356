// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/read-file.h"
#include "host/system.h"
#include "output/prose.h"

#define TEXT_MOST	(1u << 20)
#define HOLDERS_NAMED	4

const char *system_root(void)
{
	const char *root = getenv("CCSAMPLE_SYSROOT");

	return root ? root : "";
}

static int open_at(const struct system *system, const char *path)
{
	char *whole = xasprintf("%s%s", system->root, path);
	int fd = open(whole, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	free(whole);
	return fd;
}

static bool access_at(const struct system *system, const char *path, int how)
{
	char *whole = xasprintf("%s%s", system->root, path);
	bool may = !access(whole, how);

	free(whole);
	return may;
}

bool system_has(const struct system *system, const char *path)
{
	return access_at(system, path, F_OK);
}

bool system_may_use(const struct system *system, const char *path)
{
	return access_at(system, path, R_OK | W_OK);
}

char *system_text(const struct system *system, const char *path)
{
	int fd = open_at(system, path);
	size_t size;
	char *text;

	if (fd < 0)
		return NULL;
	text = read_rest(fd, TEXT_MOST, &size);
	close(fd);
	if (text && size && text[size - 1] == '\n')
		text[size - 1] = '\0';
	return text;
}

bool system_says(const struct system *system, const char *path, const char *word)
{
	char *text = system_text(system, path);
	bool says = text && !strncmp(text, word, strlen(word));

	free(text);
	return says;
}

bool system_bytes(const struct system *system, const char *path, uint64_t offset, void *to,
		  size_t size)
{
	int fd = open_at(system, path);
	bool got = fd >= 0 && pread(fd, to, size, offset) == (ssize_t)size;

	if (fd >= 0)
		close(fd);
	return got;
}

static int write_at(const struct system *system, const char *path, int how, uint64_t offset,
		    const void *bytes, size_t size)
{
	char *whole = xasprintf("%s%s", system->root, path);
	int fd = open(whole, O_WRONLY | O_CLOEXEC | how);
	ssize_t put = fd < 0 ? -1 : pwrite(fd, bytes, size, offset);
	int result = put < 0 ? errno : put == (ssize_t)size ? 0 : EIO;

	if (fd >= 0 && close(fd) && !result)
		result = errno;
	free(whole);
	return result;
}

int system_write(const struct system *system, const char *path, const char *text)
{
	return write_at(system, path, O_TRUNC, 0, text, strlen(text));
}

int system_put_bytes(const struct system *system, const char *path, uint64_t offset,
		     const void *bytes, size_t size)
{
	return write_at(system, path, 0, offset, bytes, size);
}

char *system_line(const struct system *system, const char *path, const char *name)
{
	char *text = system_text(system, path), *line, *rest = text, *value = NULL;
	size_t length = strlen(name);

	while (!value && rest && (line = strsep(&rest, "\n"))) {
		char *after = line + length;

		if (strncmp(line, name, length))
			continue;
		after += strspn(after, " \t");
		if (*after == ':')
			value = xstrdup(after + 1 + strspn(after + 1, " \t"));
	}
	free(text);
	return value;
}

uint64_t system_cpu_number(const struct system *system, const char *name)
{
	char *text = system_line(system, "/proc/cpuinfo", name);
	uint64_t number = text ? strtoull(text, NULL, 0) : 0;

	free(text);
	return number;
}

unsigned int system_model_row(const struct system *system, enum ccsample_core core)
{
	char *vendor = system_line(system, "/proc/cpuinfo", "vendor_id");
	unsigned int row = ccsample_models_nr;

	if (vendor && !strcmp(vendor, "GenuineIntel"))
		row = ccsample_model_row(system_cpu_number(system, "cpu family"),
					 system_cpu_number(system, "model"), core);
	free(vendor);
	return row;
}

bool system_lists(const char *list, const char *word)
{
	size_t length = strlen(word);

	for (; list && *list; list += strcspn(list, " ")) {
		list += strspn(list, " ");
		if (!strncmp(list, word, length) && (!list[length] || list[length] == ' '))
			return true;
	}
	return false;
}

/* Does a process hold such a file? @fds: its directory of descriptors */
static bool holds(const char *fds, const char *kind)
{
	char target[PATH_MAX], *link;
	struct dirent *entry;
	bool found = false;
	DIR *dir = opendir(fds);
	ssize_t size;

	while (dir && !found && (entry = readdir(dir))) {
		link = xasprintf("%s/%s", fds, entry->d_name);
		size = readlink(link, target, sizeof(target));
		found = size >= (ssize_t)strlen(kind) && !strncmp(target, kind, strlen(kind));
		free(link);
	}
	if (dir)
		closedir(dir);
	return found;
}

static void add_holder(const struct system *system, char **holders, const char *pid)
{
	char *path = xasprintf("/proc/%s/comm", pid), *name = system_text(system, path);

	prose_append(holders, "%s%s (%s)", *holders ? ", " : "", name ? name : "a process", pid);
	free(name);
	free(path);
}

char *system_holders(const struct system *system, const char *kind)
{
	char *proc = xasprintf("%s/proc", system->root), *holders = NULL;
	DIR *dir = opendir(proc);
	struct dirent *entry;
	size_t count = 0;

	while (dir && (entry = readdir(dir))) {
		char *fds = xasprintf("%s/%s/fd", proc, entry->d_name);

		if (isdigit((unsigned char)entry->d_name[0]) && holds(fds, kind) &&
		    count++ < HOLDERS_NAMED)
			add_holder(system, &holders, entry->d_name);
		free(fds);
	}
	if (dir)
		closedir(dir);
	free(proc);
	if (count > HOLDERS_NAMED)
		prose_append(&holders, " and %zu more", count - HOLDERS_NAMED);
	return holders;
}
