// SPDX-License-Identifier: GPL-2.0-only
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/memory.h"
#include "format/format.h"
#include "host/proc.h"

#define KERNEL_THREAD	0x00200000u	/* PF_KTHREAD, include/linux/sched.h */

static FILE *open_proc(pid_t pid, const char *name)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, name);
	return fopen(path, "re");
}

/* Its letter in /proc/PID/stat (proc(5)); X = it is gone. @flags: of the kernel, or NULL */
static char state_of(pid_t pid, unsigned int *flags)
{
	FILE *file = open_proc(pid, "stat");
	const char *state;
	char line[512];
	size_t got;

	if (!file)
		return 'X';
	got = fread(line, 1, sizeof(line) - 1, file);
	fclose(file);
	line[got] = 0;
	state = strrchr(line, ')');
	if (flags && (!state || sscanf(state + 1, " %*c %*d %*d %*d %*d %*d %u", flags) != 1))
		*flags = 0;
	return state && state[1] ? state[2] : 'X';
}

const char *proc_why_not(void)
{
	char name[16];
	ssize_t size = readlink("/proc/self", name, sizeof(name) - 1);

	name[size > 0 ? size : 0] = 0;
	return strtol(name, NULL, 10) == getpid() ? NULL :
	       "/proc is not mounted, or is another PID namespace's (mount -t proc proc /proc)";
}

/* The kernel is asked first: a first thread may be a zombie among others that go on. */
bool proc_is_gone(pid_t pid)
{
	struct pollfd process = { .fd = syscall(SYS_pidfd_open, pid, 0), .events = POLLIN };
	bool gone;

	if (process.fd < 0)
		return errno == ESRCH || strchr("ZX", state_of(pid, NULL));
	gone = poll(&process, 1, 0) > 0;
	close(process.fd);
	return gone;
}

bool proc_is_zombie(pid_t pid)
{
	return state_of(pid, NULL) == 'Z';
}

bool proc_is_kernel_thread(pid_t pid)
{
	unsigned int flags = 0;

	state_of(pid, &flags);
	return flags & KERNEL_THREAD;
}

bool proc_is_stopped(pid_t pid)
{
	return state_of(pid, NULL) == 'T';
}

static bool parse_line(char *line, struct proc_map *map)
{
	char mode[5];
	int path = 0;

	line[strcspn(line, "\n")] = 0;
	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %*s %*s %n", &map->start,
		   &map->end, mode, &map->offset, &path) < 4 || !path)
		return false;
	map->protection = (mode[0] == 'r' ? CCS_MAP_READ : 0) |
			  (mode[1] == 'w' ? CCS_MAP_WRITE : 0) |
			  (mode[2] == 'x' ? CCS_MAP_EXEC : 0);
	map->path = xstrdup(line + path);
	return true;
}

int proc_read_maps(pid_t pid, struct proc_maps *maps)
{
	FILE *file = open_proc(pid, "maps");
	char *line = NULL;	/* a path may be PATH_MAX escapes of four bytes */
	size_t room = 0;

	*maps = (struct proc_maps){ NULL };
	if (!file)
		return -1;
	while (getline(&line, &room, file) > 0) {
		maps->all = grow(maps->all, maps->count, &maps->room, sizeof(*maps->all));
		maps->count += parse_line(line, &maps->all[maps->count]);
	}
	free(line);
	fclose(file);
	/* A process on its way out has none. */
	return maps->count ? 0 : -1;
}

void proc_free_maps(struct proc_maps *maps)
{
	size_t i;

	for (i = 0; i < maps->count; i++)
		free(maps->all[i].path);
	free(maps->all);
	*maps = (struct proc_maps){ NULL };
}

char *proc_file(pid_t pid, const char *path)
{
	char *its = xasprintf("/proc/%d/root%s", (int)pid, path);
	struct stat there, here;

	if (path[0] == '/' && !stat(its, &there) &&
	    (stat(path, &here) || here.st_dev != there.st_dev || here.st_ino != there.st_ino))
		return its;
	free(its);
	return xstrdup(path);
}

char *proc_executable(pid_t pid)
{
	char link[64], path[PATH_MAX];
	ssize_t size;

	snprintf(link, sizeof(link), "/proc/%d/exe", (int)pid);
	size = readlink(link, path, sizeof(path) - 1);
	path[size > 0 ? size : 0] = 0;
	return xstrdup(path);
}

char **proc_arguments(pid_t pid)
{
	FILE *file = open_proc(pid, "cmdline");
	size_t count = 0, room = 0, size = 0;
	char **arguments = NULL, *argument = NULL;

	if (!file)
		return NULL;
	while (getdelim(&argument, &size, 0, file) > 0) {
		arguments = grow(arguments, count, &room, sizeof(*arguments));
		arguments[count++] = xstrdup(argument);
	}
	free(argument);
	fclose(file);
	/* What a server leaves of them where it writes its title. */
	while (count > 1 && !*arguments[count - 1])
		free(arguments[--count]);
	arguments = grow(arguments, count, &room, sizeof(*arguments));
	arguments[count] = NULL;
	return arguments;
}

void proc_read_threads(pid_t pid, struct proc_threads *threads)
{
	const struct dirent *entry;
	char path[64];
	DIR *dir;

	*threads = (struct proc_threads){ NULL };
	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	dir = opendir(path);
	while (dir && (entry = readdir(dir))) {
		pid_t tid = strtol(entry->d_name, NULL, 10);

		threads->all = grow(threads->all, threads->count, &threads->room,
				    sizeof(*threads->all));
		if (tid > 0)
			threads->all[threads->count++] = tid;
	}
	if (dir)
		closedir(dir);
}

void proc_free_threads(struct proc_threads *threads)
{
	free(threads->all);
	*threads = (struct proc_threads){ NULL };
}

static uint64_t status_number(pid_t pid, const char *name, int base)
{
	FILE *file = open_proc(pid, "status");
	size_t length = strlen(name);
	uint64_t number = 0;
	char line[512];

	while (file && fgets(line, sizeof(line), file))
		if (!strncmp(line, name, length) && line[length] == ':')
			number = strtoull(line + length + 1, NULL, base);
	if (file)
		fclose(file);
	return number;
}

uint64_t proc_status(pid_t pid, const char *name)
{
	return status_number(pid, name, 10);
}

uint64_t proc_signals(pid_t pid, const char *name)
{
	return status_number(pid, name, 16);
}

uid_t proc_owner(pid_t pid)
{
	struct stat info;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d", (int)pid);
	return stat(path, &info) ? ~0u : info.st_uid;
}

bool proc_runs_alone(const struct proc_maps *maps)
{
	const char *program = NULL;
	size_t i;

	for (i = 0; i < maps->count; i++) {
		const char *path = maps->all[i].path;

		if (path[0] != '/')
			continue;
		if (program && strcmp(path, program))
			return false;
		program = path;
	}
	return program;
}
