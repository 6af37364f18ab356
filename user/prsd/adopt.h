/* SPDX-License-Identifier: GPL-2.0-only */
/* Shapes of several traces in one dictionary: what is equal has one number. */
#ifndef CCSAMPLE_PRSD_ADOPT_H
#define CCSAMPLE_PRSD_ADOPT_H

#include "base/map.h"
#include "prsd/shapes.h"

struct trace_dictionary {
	struct trace_shapes shapes;
	struct map blocks;		/* hash of the content -> shape + 1 */
};

bool dictionary_open(struct trace_dictionary *dictionary);
void dictionary_close(struct trace_dictionary *dictionary);

/**
 * dictionary_adopt() - the shape of another trace, in this one's numbers.
 *
 * Return: SHAPE_NONE beyond a limit or without memory.
 */
uint32_t dictionary_adopt(struct trace_dictionary *dictionary, const struct trace_shapes *from,
			  uint32_t shape);

#endif /* CCSAMPLE_PRSD_ADOPT_H */
