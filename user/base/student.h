/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CCSAMPLE_BASE_STUDENT_H
#define CCSAMPLE_BASE_STUDENT_H

/* 97.5% quantile of Student's t, for real degrees of freedom >= 1. */
double student_975(double freedom);

/*
 * Of n draws, one in twenty times none meets what has this part of all: the rule of three (Hanley
 * and Lippman-Hand, JAMA 249, 1983).
 */
double unseen_part(double n);

#endif /* CCSAMPLE_BASE_STUDENT_H */
