/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Nodes, pages and buffers of one block that are met in any order. Of each some lines are used, the
 * same ones of all, or those that all have been filled to: of lines that were used one after
 * another, few are at different places of a power of two.
 */
#ifndef CCSAMPLE_RCD_FOLDS_H
#define CCSAMPLE_RCD_FOLDS_H

#include <stddef.h>
#include <stdint.h>

#define FOLD_LINE	64u	/* bytes of what is one place */
#define FOLD_LINES	64	/* of a window: enough to say that they are no random ones */
#define FOLD_WINDOWS	16	/* kept of an object */
#define FOLD_ANSWERS	3

/* Lines of one block that were used one after another. */
struct fold_window {
	uint64_t burst;
	uint32_t block, references, count;
	uint32_t lines[FOLD_LINES];
};

struct folds {
	struct fold_window now, kept[FOLD_WINDOWS];
	uint64_t seen;			/* windows */
};

/* A reference to the object; bursts are numbered from 1. */
void folds_add(struct folds *folds, uint64_t burst, uint32_t block, uint64_t offset);

struct fold {
	uint64_t bytes;			/* from one used part to the next, or a divisor of it */
	double share;			/* of the windows */
};

/**
 * folds_find() - how far apart lie the parts of which few lines are used.
 * @most: bytes: longer ones are not looked for
 *
 * Return: how many lengths there are: of some windows one, of others another.
 */
size_t folds_find(const struct folds *folds, uint64_t most, struct fold found[FOLD_ANSWERS]);

#endif /* CCSAMPLE_RCD_FOLDS_H */
