/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Programs whose loader does not take our libraries, and would not start them: musl's, for it lacks
 * symbols of glibc's. Nothing is allocated, as in keep.h.
 */
#ifndef CCSAMPLE_TRACEE_PRELOAD_TAKES_H
#define CCSAMPLE_TRACEE_PRELOAD_TAKES_H

#include <stdbool.h>

/* Paths as of execveat(2), "": the file that is open as @directory. */
bool takes_libraries(int directory, const char *path);

/* A program that is looked for in PATH. */
bool takes_libraries_by_name(const char *file);

#endif /* CCSAMPLE_TRACEE_PRELOAD_TAKES_H */
