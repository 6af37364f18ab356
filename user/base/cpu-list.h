/* SPDX-License-Identifier: GPL-2.0-only */
/* Sets of CPUs as text, as the kernel writes them: "0,2-3". */
#ifndef CCSAMPLE_BASE_CPU_LIST_H
#define CCSAMPLE_BASE_CPU_LIST_H

#include <sched.h>

/* Return: 0, or -1 if it is no such text. */
int cpus_parse(const char *text, cpu_set_t *cpus);

/* "0,2-3", to be freed; "none" for the empty set. */
char *cpus_text(const cpu_set_t *cpus);

/* The number of the first one of a set, -1 of the empty one. */
int cpus_first(const cpu_set_t *cpus);

#endif /* CCSAMPLE_BASE_CPU_LIST_H */
