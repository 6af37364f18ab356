/* SPDX-License-Identifier: GPL-2.0-only */
/* The Test Anything Protocol: one line a check, the plan at the end. */
#ifndef CCSAMPLE_TAP_H
#define CCSAMPLE_TAP_H

#include <stdbool.h>

/* Reports one check; returns what it was given. */
bool ok(bool passed, const char *name, ...) __attribute__((format(printf, 2, 3)));

/* Reports a check that cannot run here, and why. */
void skip(const char *reason, const char *name, ...) __attribute__((format(printf, 2, 3)));

/* Prints the plan; the value for main() to return. */
int done(void);

#endif /* CCSAMPLE_TAP_H */
