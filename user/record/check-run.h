/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CCSAMPLE_RECORD_CHECK_RUN_H
#define CCSAMPLE_RECORD_CHECK_RUN_H

/**
 * check_run() - record a program as a recording was: the same source, events, caches and seed.
 * @baseline: the recording
 * @output: the new one
 * @layout: 0 = the baseline's; else another, where check_run_places()
 * @argv: the program; its standard output goes to standard error, in other layouts nowhere
 *
 * Return: 0, or -1 after one line: it could not be recorded, or the program failed.
 */
int check_run(const char *baseline, const char *output, unsigned int layout, char **argv);

/*
 * Whether programs are recorded so that stack and heap can be put elsewhere: by the engine. Return:
 * 1, 0, or -1 after one line.
 */
int check_run_places(const char *baseline);

#endif /* CCSAMPLE_RECORD_CHECK_RUN_H */
