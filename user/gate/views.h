/* SPDX-License-Identifier: GPL-2.0-only */
/* The forms in which the gate says what is worse. */
#ifndef CCSAMPLE_GATE_VIEWS_H
#define CCSAMPLE_GATE_VIEWS_H

#include <stdio.h>

#include "gate/check.h"

/* For people: one line for each loop that is worse, then one that sums up. */
void check_text(FILE *out, const struct check_result *result, bool colour);

/* Keys may be added, never renamed. */
void check_json(FILE *out, const struct check_result *result);

/* SARIF 2.1.0: file names are relative to the current directory where they lie in it. */
void check_sarif(FILE *out, const struct check_result *result);

/* JUnit XML: a test case for each level, and for each loop that is worse. */
void check_junit(FILE *out, const struct check_result *result);

/* A table for a pull request. */
void check_markdown(FILE *out, const struct check_result *result);

/* "symmetrize.c:19-23 in symmetrize", or "all code": to be freed. */
char *check_place(const struct check_issue *issue);

/* What is worse, without the place and the kind, and in how many of the layouts: to be freed. */
char *check_what(const struct check_issue *issue);

/* "1 new conflict, 2 rises of misses", "nothing is worse": what fails; to be freed. */
char *check_summary(const struct check_result *result);

#endif /* CCSAMPLE_GATE_VIEWS_H */
