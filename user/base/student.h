/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CCSAMPLE_BASE_STUDENT_H
#define CCSAMPLE_BASE_STUDENT_H

/* 97.5% quantile of Student's t, for real degrees of freedom >= 1. */
double student_975(double freedom);

#endif /* CCSAMPLE_BASE_STUDENT_H */
