/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CCSAMPLE_HOST_DOCTOR_PROGRAM_H
#define CCSAMPLE_HOST_DOCTOR_PROGRAM_H

#include "host/doctor.h"

/* Adds what a report can say of a program: is it one that can be recorded, has it lines, names? */
void doctor_program(struct doctor *doctor, const char *name);

#endif /* CCSAMPLE_HOST_DOCTOR_PROGRAM_H */
