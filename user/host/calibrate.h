/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CCSAMPLE_HOST_CALIBRATE_H
#define CCSAMPLE_HOST_CALIBRATE_H

#include <stdio.h>

/**
 * machine_calibrate() - measure what misses cost on this machine, keep it, and show it.
 * @path: of the file, NULL = this user's
 *
 * Return: 0, or -1 after one line.
 */
int machine_calibrate(FILE *out, const char *path);

#endif /* CCSAMPLE_HOST_CALIBRATE_H */
