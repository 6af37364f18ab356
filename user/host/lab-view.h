/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CCSAMPLE_HOST_LAB_VIEW_H
#define CCSAMPLE_HOST_LAB_VIEW_H

#include <stdio.h>

#include "host/lab.h"

void lab_text(FILE *out, const struct lab *lab, bool colour);
void lab_json(FILE *out, const struct lab *lab);

#endif /* CCSAMPLE_HOST_LAB_VIEW_H */
