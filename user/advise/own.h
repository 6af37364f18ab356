/* SPDX-License-Identifier: GPL-2.0-only */
/* How long the program itself takes for the references of bursts. */
#ifndef CCSAMPLE_ADVISE_OWN_H
#define CCSAMPLE_ADVISE_OWN_H

#include "advise/keep.h"

/*
 * Return: ns of a reference, by burst, to be freed; 0 = not measured, nor of another burst of the
 * same loop. It is often longer than the program needs, since other programs run, and never
 * shorter: of the bursts of the same loop, the one that a quarter are faster than counts.
 */
double *own_times(const struct keep *keep);

#endif /* CCSAMPLE_ADVISE_OWN_H */
