/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CCSAMPLE_HOST_MACHINE_VIEW_H
#define CCSAMPLE_HOST_MACHINE_VIEW_H

#include <stdio.h>

#include "host/machine.h"

/* A machine's caches as a machine file, as `sim --machine` reads it. */
void machine_text(FILE *out, const struct machine *machine);

void machine_json(FILE *out, const struct machine *machine);

#endif /* CCSAMPLE_HOST_MACHINE_VIEW_H */
