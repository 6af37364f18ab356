/* SPDX-License-Identifier: GPL-2.0-only */
/* Files and directories for a short time, below $TMPDIR, or /tmp. */
#ifndef CCSAMPLE_BASE_TEMPORARY_H
#define CCSAMPLE_BASE_TEMPORARY_H

/* $TMPDIR, or /tmp where there is none. */
const char *temporary_place(void);

/**
 * temporary_file() - make ccsample-WHAT-XXXXXX, open to be written, closed on exec.
 * @path: what it is called, to be freed; on failure, too
 *
 * Return: its descriptor, or -1 with errno set.
 */
int temporary_file(const char *what, char **path);

/* A directory ccsample-WHAT-XXXXXX. Return: its path, to be freed; NULL after one line. */
char *temporary_directory(const char *what);

#endif /* CCSAMPLE_BASE_TEMPORARY_H */
