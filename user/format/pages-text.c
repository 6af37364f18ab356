// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>

#include "base/memory.h"
#include "format/pages-text.h"

char *pages_text(const struct page_plan *pages)
{
	const char *name = page_kind_name(pages->kind);

	if (pages->kind == PAGES_RANDOM || pages->kind == PAGES_HUGE)
		return xasprintf("%s:%" PRIu64, name, pages->seed);
	return xstrdup(name);
}
