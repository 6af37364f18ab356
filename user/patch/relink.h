/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Advice for variables as a script of the linker: the program is compiled as it is, and linked
 * again.
 */
#ifndef CCSAMPLE_PATCH_RELINK_H
#define CCSAMPLE_PATCH_RELINK_H

#include <stdio.h>

#include "advise/advise.h"

/**
 * cures_relink() - write a script that places the variables of the bursts as the cures do.
 *
 * For GNU ld and lld, beside the default script, with sources compiled with -fdata-sections. Cures
 * that only make variables longer; of those that exclude each other the first.
 *
 * Return: how many variables it places, 0 = there is no such cure.
 */
size_t cures_relink(FILE *out, const struct keep *keep, const struct cures *advice);

#endif /* CCSAMPLE_PATCH_RELINK_H */
