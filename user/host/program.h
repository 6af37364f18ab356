/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds programs as execvp does, and says why one cannot be run. */
#ifndef CCSAMPLE_HOST_PROGRAM_H
#define CCSAMPLE_HOST_PROGRAM_H

/* Return: 0, or the errno of why this file cannot be executed. */
int program_why_not(const char *path);

/* Return: the program's path, to be freed, or NULL with the reason in @error. */
char *program_find(const char *name, int *error);

/* Return: the program's path, to be freed, or NULL after one line on standard error. */
char *program_find_or_say(const char *name);

/**
 * program_takes_no_library() - why the dynamic linker preloads nothing into a program.
 *
 * Return: NULL if it does, or if that is not known (a script); else "it is statically linked", ...
 */
const char *program_takes_no_library(const char *path);

/* Two of these reasons; by the other ones the program would not run as it is, or not for us. */
extern const char program_is_static[], program_uses_musl[];

/**
 * program_keeps_allocator() - why a preloaded malloc() is not the one that a program calls.
 *
 * Return: NULL if it is, or if that is not known; else "it has a malloc() of its own", ...
 */
const char *program_keeps_allocator(const char *path);

/**
 * program_takes_signals() - why a preloaded library's signal handler is not kept.
 *
 * Return: NULL if it is, or if that is not known.
 */
const char *program_takes_signals(const char *path);

#endif /* CCSAMPLE_HOST_PROGRAM_H */
