/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of files that many recorders write side by side. */
#ifndef CCSAMPLE_OPTIONS_OUTPUT_NAME_H
#define CCSAMPLE_OPTIONS_OUTPUT_NAME_H

#include "options/options.h"

/**
 * output_rank() - this process's rank in a parallel program, as its launcher says.
 *
 * Open MPI, PMIx, MPICH and its kin (PMI), MVAPICH, Slurm's srun.
 *
 * Return: digits, or NULL where no launcher says any.
 */
const char *output_rank(void);

/*
 * Of an option, whose target is a const char *: never freed. Parts of the name are filled in: %p is
 * this process's id, %h the machine's name, %r the rank, %% a percent sign.
 */
int output_option(const struct option_row *row, const char *value, void *target);

#endif /* CCSAMPLE_OPTIONS_OUTPUT_NAME_H */
