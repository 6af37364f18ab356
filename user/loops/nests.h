/* SPDX-License-Identifier: GPL-2.0-only */
/* The loops of functions, found when first asked for, kept by file. */
#ifndef CCSAMPLE_LOOPS_NESTS_H
#define CCSAMPLE_LOOPS_NESTS_H

#include "loops/flow.h"
#include "loops/loop-lines.h"
#include "program/symbols.h"

struct nests;

struct nest {
	uint64_t entry;			/* link-time address of the function */
	struct flow flow;
	struct loop_forest forest;	/* over the flow's blocks */
	struct code_region *regions;	/* of the loops, NULL = not asked for yet */
};

struct nests *nests_new(void);
void nests_free(struct nests *nests);

/**
 * nests_find() - the loop nest of the function that holds an instruction.
 * @address: link-time address
 *
 * A part split off from a function ("f.cold") is in the nest of that function.
 *
 * Return: NULL where there are no bytes of code (the file is gone, or was never
 * one), or nothing says where the function begins.
 */
struct nest *nests_find(struct nests *nests, struct module *module, uint64_t address);

/* The innermost loop around an instruction of a nest, LOOP_NONE if there is none. */
uint32_t nest_loop_at(const struct nest *nest, uint64_t address);

/* A loop of a nest, or the function itself: LOOP_NONE. Valid as long as @nests and @module. */
const struct code_region *nest_region(struct nests *nests, struct module *module, struct nest *nest,
				    uint32_t loop);

#endif /* CCSAMPLE_LOOPS_NESTS_H */
