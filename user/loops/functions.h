/* SPDX-License-Identifier: GPL-2.0-only */
/* Functions beyond one's own: whether they return, and which split-off part belongs to which. */
#ifndef CCSAMPLE_LOOPS_FUNCTIONS_H
#define CCSAMPLE_LOOPS_FUNCTIONS_H

#include "loops/flow.h"

/*
 * Does the call at an address never return? By its function's name, through the PLT or a slot of
 * the GOT as well, or as all paths through that one's code end in such calls or traps.
 */
bool never_returns(const struct flow_source *source, uint64_t at, const struct step *call);

/**
 * function_owns() - does an extent that a function jumps into belong to it?
 * @target: where it jumps to
 *
 * By its name ("f.cold"). One without a name belongs to the function that it
 * jumps back into the middle of, or else to any that jumps into its middle.
 */
bool function_owns(const struct flow_source *source, const struct extent *function,
		   const struct extent *extent, uint64_t target);

/* The function that a part may have been split off from: the first that it jumps back into, or
 * NULL. Whether it leads to the part is for the caller to see. */
const struct extent *function_owner(const struct flow_source *source, const struct extent *part);

#endif /* CCSAMPLE_LOOPS_FUNCTIONS_H */
