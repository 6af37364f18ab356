/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files that are written for the user. In a directory that others may write to
 * (/tmp), nobody can make us write into a file of his choice: names that are made
 * up are new (O_EXCL), and links of other users are not followed.
 */
#ifndef CCSAMPLE_BASE_OUTPUT_FILE_H
#define CCSAMPLE_BASE_OUTPUT_FILE_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

/* Under its name when it is whole, and not at all before: what had the name stays until then. */
struct output_file {
	FILE *stream;
	char *path;		/* as it was given, for messages */
	char *target;	/* what gets replaced; NULL = a pipe or a device, written directly */
	char *part;		/* the name meanwhile; NULL = none (O_TMPFILE) */
};

/**
 * output_file_open() - a file to be written.
 * @path: NULL, "-" = standard output
 *
 * Return: 0, or -1 after one line on standard error.
 */
int output_file_open(struct output_file *file, const char *path);

/* The same, but a device's or a pipe's file is not emptied yet. */
int output_file_prepare(struct output_file *file, const char *path);

/**
 * output_file_finish() - flush, look whether all was written, give it its name.
 *
 * Return: 0, or -1 after one line; what had the name before is there still.
 */
int output_file_finish(struct output_file *file);

/* Are these names of one file that is there? */
bool is_same_file(const char *a, const char *b);

/* Does a file begin with this text, of 16 bytes at most? Never of what is no file: a pipe. */
bool file_begins(const char *path, const char *begin);

/**
 * output_may_replace() - keep a file that is named as the output by mistake.
 * @begin: of the files that may be replaced, as may empty ones, pipes and devices
 * @kind: what these are
 *
 * Return: 0, or -1 after one line.
 */
int output_may_replace(const char *path, const char *begin, const char *kind);

/* It is not wanted: what had the name before is there still. */
void output_file_drop(struct output_file *file);

/**
 * output_descriptor() - open a file for writing, in place, and do not empty it.
 * @mode: of a file that is made, before the umask
 * @made: set to whether it is new, NULL = do not care
 *
 * Return: the descriptor, close-on-exec, or -1 with errno: ELOOP, for a symbolic link of
 * another user.
 */
int output_descriptor(const char *path, mode_t mode, bool *made);

#endif /* CCSAMPLE_BASE_OUTPUT_FILE_H */
