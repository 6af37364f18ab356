/* SPDX-License-Identifier: GPL-2.0-only */
/* Pieces of code as JSON, as fields of a row, and as a tree of nested loops. */
#ifndef CCSAMPLE_OUTPUT_REGION_H
#define CCSAMPLE_OUTPUT_REGION_H

#include <stddef.h>

#include "loops/region.h"
#include "output/fields.h"

/* Keys of the open object; of an instruction only the function, line, module and address. */
void json_put_region(struct json *json, const struct code_region *region);

/* All but the kind, which stands elsewhere in rows. */
void fields_region(struct fields *fields, const struct code_region *region);

/* The function's name in at most @width columns; allocated. */
char *region_function(const struct code_region *region, size_t width);

/* "a.c:19-23 in f"; of a function without a name, that alone. Allocated; frees both. */
char *region_site(char *place, char *function);

struct region_node {
	const struct code_region *region;
	double weight;			/* with the loops in it */
	const void *item;		/* the caller's */
};

/**
 * region_tree() - visit regions by nest: each before those in it, siblings by weight.
 * @nodes: sorted here; the ids of regions differ, and what lies around one is among them
 * @visit: @name is the region's, indented by its depth; to be freed
 */
void region_tree(struct region_node *nodes, size_t count,
		 void (*visit)(void *context, const void *item, char *name), void *context);

#endif /* CCSAMPLE_OUTPUT_REGION_H */
