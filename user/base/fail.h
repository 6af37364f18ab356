/* SPDX-License-Identifier: GPL-2.0-only */
/* One clear line on standard error: what, where, what to do. */
#ifndef CCSAMPLE_BASE_FAIL_H
#define CCSAMPLE_BASE_FAIL_H

/* Prints "ccsample: " and the message. Return: -1, for `return fail(...)`. */
int fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints "ccsample: warning: " and the message. */
void warning(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints "ccsample: " and the message: information, not an error. */
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif /* CCSAMPLE_BASE_FAIL_H */
