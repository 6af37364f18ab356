/* SPDX-License-Identifier: GPL-2.0-only */
/* A simulation that was kept in a recording. */
#ifndef CCSAMPLE_SIMULATE_KEPT_H
#define CCSAMPLE_SIMULATE_KEPT_H

#include <stdbool.h>

#include "simulate/findings.h"

/**
 * sim_file_kept() - is what a recording keeps a simulation?
 *
 * Return: 1 or 0; 0 too where @path is no recording, or standard input.
 */
int sim_file_kept(const char *path);

/**
 * sim_file_read() - the findings of a kept simulation.
 * @program: receives the program's name; to be freed
 *
 * Return: NULL after one line on standard error: no simulation in there, or damage.
 */
struct sim_findings *sim_file_read(const char *path, char **program);

#endif /* CCSAMPLE_SIMULATE_KEPT_H */
