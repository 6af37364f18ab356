/* SPDX-License-Identifier: GPL-2.0-only */
/* Advice as a patch of the source, where the edit is mechanical. */
#ifndef CCSAMPLE_PATCH_PATCH_H
#define CCSAMPLE_PATCH_PATCH_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "advise/advise.h"

/**
 * patch_lengthen() - make a dimension of a declared array longer.
 * @text: a line of C or C++
 * @dimension: from 0, the first after the name
 *
 * Return: the line with "+ @more" in that dimension, to be freed; NULL if the line does not declare
 * @name with so many dimensions, once.
 */
char *patch_lengthen(const char *text, const char *name, uint32_t dimension, uint64_t more);

/**
 * patch_block() - have a block come from malloc(), larger.
 * @text: a line of C or C++ with one call of malloc() or aligned_alloc(), and all of it
 * @more: bytes; 0 = the alignment alone goes
 *
 * Return: the line, to be freed; NULL if it has no such call, or nothing is to be done.
 */
char *patch_block(const char *text, uint64_t more);

/**
 * cures_patch() - write a unified diff of declarations and blocks that become longer.
 *
 * Sources are looked for in the current directory and those below. Of cures that exclude each other
 * the first. Nothing is applied. Return: how many lines it changes.
 */
size_t cures_patch(FILE *out, const struct cures *advice);

/* Why it changes no line, and what to do, by the first edit: to be freed. */
char *cures_patch_nothing(const struct cures *advice);

#endif /* CCSAMPLE_PATCH_PATCH_H */
