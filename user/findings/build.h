/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CCSAMPLE_FINDINGS_BUILD_H
#define CCSAMPLE_FINDINGS_BUILD_H

#include "findings/pass.h"

/**
 * findings_build() - what a finished pass has found.
 * @path: what the recordings are called; taken over, as is
 * @pass: whose recordings have all ended
 */
struct findings *findings_build(char *path, struct pass *pass);

/* The order of objects: larger shares first, of equal ones the object that was there first. */
bool object_comes_before(const struct object_share *one, const struct object_share *other);

/*
 * How many misses of the whole run a sample of a context stands for, by its number, where bursts
 * were taken: slow code has more of them than its share. Of a level without long bursts: such that
 * all samples together stand for themselves. Of other recordings 1.
 */
double findings_stands_for(const struct findings *findings, uint32_t level, size_t context);

#endif /* CCSAMPLE_FINDINGS_BUILD_H */
