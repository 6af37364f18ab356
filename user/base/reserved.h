/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Output of a process in a sandbox: its parent opens it before, and names it after. The process
 * itself writes into what is open, and may make, replace and remove no file.
 */
#ifndef CCSAMPLE_BASE_RESERVED_H
#define CCSAMPLE_BASE_RESERVED_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/output-file.h"

/**
 * reserve_file() - open what output_file_open() of this path, in the child, then returns.
 *
 * Return: 0, or -1 after one line.
 */
int reserve_file(const char *path);

/* The same for output_descriptor(), which says itself what is wrong. */
void reserve_descriptor(const char *path, mode_t mode);

/*
 * A directory of the user's own, for the child's temporary files. Return: 0, or -1 after one line.
 */
int reserve_directory(void);

/* A program that the child may run; NULL = none. */
void reserve_program(const char *path);

/* In the child; NULL = none was reserved. */
const char *reserved_directory(void);
const char *reserved_program(void);

/* As if no child had been, before another one. */
void reserved_again(void);

/* The child has ended: what it finished gets its name. Return: 0, or -1 after one line. */
int reserved_settle(void);

/* For output-file.c, in the child. */
struct output_file *reserved_file(const char *path);
/* Return: a descriptor, -1 with errno: it could not be opened, or with 0: none was reserved. */
int reserved_descriptor(const char *path);
bool reserved_is(const struct output_file *file);
void reserved_finished(const struct output_file *file);

#endif /* CCSAMPLE_BASE_RESERVED_H */
