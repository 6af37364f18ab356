// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "output/region.h"
#include "output/text.h"

#define INDENT_MOST	24	/* columns that nesting may take */
#define FUNCTION_MOST	48	/* columns of a function's name */

void json_put_region(struct json *json, const struct code_region *region)
{
	bool instruction = region->kind >= REGION_INSTRUCTION;

	if (!instruction) {
		json_put_count(json, "id", region->id);
		json_put_known(json, "parent", region->parent);
		json_put_count(json, "depth", region->depth);
		json_put_string(json, "kind", region_kind_name(region->kind));
	}
	json_put_string(json, "function", region->function);
	json_put_string(json, "file", region->file);
	json_put_known(json, "line", region->line);
	if (!instruction) {
		json_put_known(json, "end_line", region->end_line);
		json_put_string(json, "call_file", region->call_file);
		json_put_known(json, "call_line", region->call_line);
	}
	json_put_string(json, "dso", region->dso);
	if (region->kind == REGION_UNKNOWN)
		json_put_string(json, "address", NULL);
	else
		json_put_address(json, "address", region->address);
}

void fields_region(struct fields *fields, const struct code_region *region)
{
	field_count(fields, "id", region->id);
	field_known(fields, "parent", region->parent, region->parent);
	field_count(fields, "depth", region->depth);
	field_text(fields, "function", region->function);
	field_text(fields, "file", region->file);
	field_known(fields, "line", region->line, region->line);
	field_known(fields, "end_line", region->end_line, region->end_line);
	field_text(fields, "call_file", region->call_file);
	field_known(fields, "call_line", region->call_line, region->call_line);
	field_text(fields, "dso", region->dso);
	field_address(fields, "address", true, region->address);
}

char *region_function(const struct code_region *region, size_t width)
{
	const char *name = region->function;
	char *clean = text_clean(name && *name ? name : "?");
	char *fitted = text_fit(clean, width, TEXT_FIT_FUNCTION);

	free(clean);
	return fitted;
}

char *region_site(char *place, char *function)
{
	/* Without a name it is called by the module, which is its place too. */
	bool same = !strncmp(function, place, strlen(place));
	char *text = same ? xstrdup(function) : region_says_function(place, function) ?
		     xstrdup(place) : xasprintf("%s in %s", place, function);

	free(place);
	free(function);
	return text;
}

/* ---- the tree ---- */

struct tree {
	const struct region_node *nodes;
	size_t count;
	void (*visit)(void *context, const void *item, char *name);
	void *context;
};

static int by_parent(const void *left, const void *right)
{
	const struct region_node *a = left, *b = right;

	if (a->region->parent != b->region->parent)
		return a->region->parent < b->region->parent ? -1 : 1;
	if (a->weight != b->weight)
		return a->weight < b->weight ? 1 : -1;
	return a->region->id < b->region->id ? -1 : 1;
}

/* The first node that lies in @parent. */
static size_t first_inside(const struct tree *tree, uint32_t parent)
{
	size_t first = 0, last = tree->count;

	while (first < last) {
		size_t middle = (first + last) / 2;

		if (tree->nodes[middle].region->parent < parent)
			first = middle + 1;
		else
			last = middle;
	}
	return first;
}

/* A loop is called by its lines, and by its function where that was inlined. */
static char *name_of(const struct code_region *region, const struct code_region *around)
{
	char *place = region_place(region, false), *function, *name;
	int indent = 2 * region->depth < INDENT_MOST ? 2 * region->depth : INDENT_MOST;

	if (around && !strcmp(around->function, region->function)) {
		name = xasprintf("%*s%s", indent, "", place);
	} else {
		function = region_function(region, FUNCTION_MOST);
		name = xasprintf("%*s%s  %s", indent, "", function, place);
		free(function);
	}
	free(place);
	return name;
}

/* Depth is bounded: contexts distinguish 64 nested loops. */
static void visit_inside(const struct tree *tree, const struct code_region *around)
{
	uint32_t parent = around ? around->id : 0;

	for (size_t i = first_inside(tree, parent); i < tree->count; i++) {
		const struct region_node *node = &tree->nodes[i];

		if (node->region->parent != parent)
			break;
		tree->visit(tree->context, node->item, name_of(node->region, around));
		visit_inside(tree, node->region);
	}
}

void region_tree(struct region_node *nodes, size_t count,
		 void (*visit)(void *context, const void *item, char *name), void *context)
{
	const struct tree tree = { nodes, count, visit, context };

	if (count)
		qsort(nodes, count, sizeof(*nodes), by_parent);
	visit_inside(&tree, NULL);
}
