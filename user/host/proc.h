/* SPDX-License-Identifier: GPL-2.0-only */
/* What /proc shows of processes. */
#ifndef CCSAMPLE_HOST_PROC_H
#define CCSAMPLE_HOST_PROC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* One line of /proc/PID/maps. */
struct proc_map {
	uint64_t start, end, offset;
	uint32_t protection;		/* CCS_MAP_* */
	char *path;			/* "" = anonymous */
};

struct proc_maps {
	struct proc_map *all;		/* ascending */
	size_t count, room;
};

/* Why /proc does not show processes by the numbers that we know them by; NULL where it does. */
const char *proc_why_not(void);

/* A process that was not waited for (a zombie) is gone as well; that needs no /proc. */
bool proc_is_gone(pid_t pid);

/* ... or its first thread has ended, and others go on. */
bool proc_is_zombie(pid_t pid);

bool proc_is_kernel_thread(pid_t pid);

/* By a signal, SIGSTOP or SIGTSTP. */
bool proc_is_stopped(pid_t pid);

/* Return: 0, or -1 if it cannot be read (any more). */
int proc_read_maps(pid_t pid, struct proc_maps *maps);
void proc_free_maps(struct proc_maps *maps);

/*
 * A file that a process has, by a path that leads us to it: its own, or /proc/PID/root/... where
 * that leads elsewhere, as in a container. To be freed.
 */
char *proc_file(pid_t pid, const char *path);

/* Return: the executable's path, "" if it cannot be known; to be freed. */
char *proc_executable(pid_t pid);

/* A process's arguments, ended by NULL, to be freed with all of them; NULL if there is none. */
char **proc_arguments(pid_t pid);

/* Its threads, in no order; none if it is gone, or with errno if they cannot be listed. */
struct proc_threads {
	pid_t *all;
	size_t count, room;
};

void proc_read_threads(pid_t pid, struct proc_threads *threads);
void proc_free_threads(struct proc_threads *threads);

/* A number of /proc/PID/status; PID may be a thread. Return: 0 where it is not there. */
uint64_t proc_status(pid_t pid, const char *name);

/* ... in hexadecimal: a set of signals. */
uint64_t proc_signals(pid_t pid, const char *name);

/* Whose process it is; ~0u = it is gone. */
uid_t proc_owner(pid_t pid);

/**
 * proc_runs_alone() - does a process run without a dynamic linker?
 * @maps: as they are right after its exec
 *
 * The kernel maps the program and its interpreter: a static one has no second file.
 */
bool proc_runs_alone(const struct proc_maps *maps);

#endif /* CCSAMPLE_HOST_PROC_H */
