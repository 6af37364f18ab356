/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CCSAMPLE_HOST_DOCTOR_VIEW_H
#define CCSAMPLE_HOST_DOCTOR_VIEW_H

#include <stdio.h>

#include "host/doctor.h"

void doctor_text(FILE *out, const struct doctor *doctor, bool colour);
void doctor_json(FILE *out, const struct doctor *doctor);

#endif /* CCSAMPLE_HOST_DOCTOR_VIEW_H */
