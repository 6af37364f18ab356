/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CCSAMPLE_RECORD_CHECK_RUN_H
#define CCSAMPLE_RECORD_CHECK_RUN_H

/**
 * check_run() - record a program as a recording was: the same source, events, caches and seed.
 * @baseline: the recording
 * @output: the new one
 * @argv: the program; its standard output goes to standard error
 *
 * Return: 0, or -1 after one line: it could not be recorded, or the program failed.
 */
int check_run(const char *baseline, const char *output, char **argv);

#endif /* CCSAMPLE_RECORD_CHECK_RUN_H */
