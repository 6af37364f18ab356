// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "loops/region.h"

const char *region_kind_name(enum region_kind kind)
{
	static const char *const names[] = {
		[REGION_LOOP] = "loop", [REGION_FUNCTION] = "function", [REGION_LINE] = "line",
		[REGION_INSTRUCTION] = "instruction", [REGION_UNKNOWN] = "unknown",
	};

	return names[kind];
}

static const char *shown(const char *path, bool full_path)
{
	return full_path ? path : base_name(path);
}

/* Source lines. */
static char *lines_text(const struct code_region *region, bool full_path)
{
	if (region->end_line > region->line)
		return xasprintf("%s:%" PRIu32 "-%" PRIu32, shown(region->file, full_path),
				 region->line, region->end_line);
	return xasprintf("%s:%" PRIu32, shown(region->file, full_path), region->line);
}

/* ... with the call that they were inlined at. */
static char *call_text(const struct code_region *region, bool full_path)
{
	bool same = same_text(region->file, region->call_file);
	char *lines = lines_text(region, full_path);
	char *text = xasprintf("%s (from %s:%" PRIu32 ")", lines,
			       same ? "" : shown(region->call_file, full_path),
			       region->call_line);

	free(lines);
	return text;
}

char *region_text(const struct code_region *region, bool full_path)
{
	if (region->kind == REGION_UNKNOWN)
		return xstrdup("?");
	if (region->file && region->line)
		return (region->apart ? call_text : lines_text)(region, full_path);
	if (region->dso && full_path)
		return xasprintf("%s+0x%" PRIx64, region->dso, region->address);
	if (region->dso)
		return drop_abi_tags(xasprintf("%s+0x%" PRIx64, base_name(region->dso),
					       region->address));
	return xasprintf("0x%" PRIx64, region->address);
}

char *region_place(const struct code_region *region, bool full_path)
{
	char *text = region_text(region, full_path);

	if (!region->dso || !region->function || strcmp(text, region->function))
		return text;
	free(text);
	return xstrdup(shown(region->dso, full_path));
}

bool region_says_function(const char *place, const char *function)
{
	char *module = drop_abi_tags(xstrdup(base_name(place))), *address = strrchr(module, '+');
	size_t size = address ? (size_t)(address - module) : 0;
	bool says = size && !strncmp(address, "+0x", 3) && !strncmp(function, module, size) &&
		    !strncmp(function + size, "+0x", 3);

	free(module);
	return says;
}

static int compare_texts(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) : !!a - !!b;
}

static int compare_lines(const struct code_region *a, const struct code_region *b)
{
	int order = compare_texts(a->function, b->function);

	if (!order)
		order = compare_texts(a->file, b->file);
	if (!order && a->line != b->line)
		order = a->line < b->line ? -1 : 1;
	if (!order && a->end_line != b->end_line)
		order = a->end_line < b->end_line ? -1 : 1;
	return order;
}

static int compare_calls(const struct code_region *a, const struct code_region *b)
{
	if (a->call_line != b->call_line)
		return a->call_line < b->call_line ? -1 : 1;
	return compare_texts(a->call_file, b->call_file);
}

static int by_lines(const void *left, const void *right)
{
	const struct code_region *a = *(struct code_region *const *)left;
	const struct code_region *b = *(struct code_region *const *)right;
	int order = compare_lines(a, b);

	return order ? order : compare_calls(a, b);
}

void regions_tell_apart(struct code_region *from, size_t count, size_t stride)
{
	struct code_region **regions = xcalloc(count + 1, sizeof(*regions));
	size_t end;

	for (size_t i = 0; i < count; i++)
		regions[i] = (void *)((char *)from + i * stride);
	qsort(regions, count, sizeof(*regions), by_lines);
	for (size_t first = 0; first < count; first = end) {
		for (end = first + 1; end < count; end++)
			if (compare_lines(regions[first], regions[end]))
				break;
		if (!compare_calls(regions[first], regions[end - 1]))
			continue;
		for (size_t i = first; i < end; i++)
			regions[i]->apart = regions[i]->call_line;
	}
	free(regions);
}
