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

#endif /* CCSAMPLE_FINDINGS_BUILD_H */
