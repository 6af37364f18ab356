/* SPDX-License-Identifier: GPL-2.0-only */
/* What files of /proc, /sys and /dev say and take, below a root: this machine's, or a test's. */
#ifndef CCSAMPLE_HOST_SYSTEM_H
#define CCSAMPLE_HOST_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kmod/models.h"

struct system {
	const char *root;	/* "" = this machine */
};

/**
 * system_root() - the root of the machine whose caches and processor this one is taken for.
 *
 * Return: what CCSAMPLE_SYSROOT names, "" = this machine. For what is measured or set on
 * this machine (doctor, lab, co-runs) it does not count.
 */
const char *system_root(void);

/* All paths are absolute, and looked for below the root. */
bool system_has(const struct system *system, const char *path);

/* Return: whether it may be opened to read and write. */
bool system_may_use(const struct system *system, const char *path);

/* Return: the file's text without the last newline, to be freed; NULL if it cannot be read. */
char *system_text(const struct system *system, const char *path);

/* Return: whether the file is there and begins with that word. */
bool system_says(const struct system *system, const char *path, const char *word);

/* Return: whether @size bytes could be read at an offset. */
bool system_bytes(const struct system *system, const char *path, uint64_t offset, void *to,
		  size_t size);

/* The other way. Return: 0, or what errno says. */
int system_write(const struct system *system, const char *path, const char *text);
int system_put_bytes(const struct system *system, const char *path, uint64_t offset,
		     const void *bytes, size_t size);

/**
 * system_line() - the value of a line "name : value" of a file, the first of that name.
 *
 * Return: the value, to be freed; NULL if there is none.
 */
char *system_line(const struct system *system, const char *path, const char *name);

/* A number of /proc/cpuinfo, of its first CPU; 0 = it says none. */
uint64_t system_cpu_number(const struct system *system, const char *name);

/* Return: the row of the module's table of models for such cores; ccsample_models_nr = none. */
unsigned int system_model_row(const struct system *system, enum ccsample_core core);

/* Is a word in a list with blanks between? */
bool system_lists(const char *list, const char *word);

/**
 * system_holders() - processes that hold open files of a kind.
 * @kind: the beginning of the link in /proc/PID/fd: "anon_inode:[perf_event]"
 *
 * Return: "perf (1234), ..." to be freed, or NULL if this user sees none.
 */
char *system_holders(const struct system *system, const char *kind);

#endif /* CCSAMPLE_HOST_SYSTEM_H */
