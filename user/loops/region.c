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

char *region_text(const struct code_region *region, bool full_path)
{
	if (region->kind == REGION_UNKNOWN)
		return xstrdup("?");
	if (region->file && region->line && region->end_line > region->line)
		return xasprintf("%s:%" PRIu32 "-%" PRIu32, shown(region->file, full_path),
				 region->line, region->end_line);
	if (region->file && region->line)
		return xasprintf("%s:%" PRIu32, shown(region->file, full_path), region->line);
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
