/* SPDX-License-Identifier: GPL-2.0-only */
/* A reference of a trace, simulated. */
#ifndef CCSAMPLE_IMPORT_TAKE_H
#define CCSAMPLE_IMPORT_TAKE_H

#include "import/trace.h"
#include "simulate/simulation.h"

/* A modify is a load, then a store. Return: 0, or -1 after one line. */
static inline int import_take(struct simulation *simulation, const struct reference *reference)
{
	bool modify = reference->kind == REFERENCE_MODIFY;

	if (reference->kind == REFERENCE_FETCH) {
		simulation_fetch(simulation, reference->address);
		return 0;
	}
	if ((modify || reference->kind == REFERENCE_LOAD) &&
	    simulation_refer(simulation, reference->address, reference->size, false))
		return -1;
	return modify || reference->kind == REFERENCE_STORE ?
	       simulation_refer(simulation, reference->address, reference->size, true) : 0;
}

#endif /* CCSAMPLE_IMPORT_TAKE_H */
