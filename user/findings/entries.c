// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "base/memory.h"
#include "findings/entries.h"

static bool wanted(const struct pass *pass)
{
	return pass->has_entries && pass->options->from_entry;
}

static struct ccs_entry *at(struct pass *pass, uint32_t process)
{
	return (void *)(uintptr_t)map_get(&pass->entries, process);
}

/* The first one counts. */
static void keep(struct pass *pass, uint32_t process, const struct ccs_entry *entry)
{
	struct ccs_entry *kept;

	if (at(pass, process))
		return;
	kept = xmalloc(sizeof(*kept));
	memcpy(kept, entry, sizeof(*kept));
	*map_at(&pass->entries, process) = (uintptr_t)kept;
}

void entries_take(void *pass, const struct ccs_record *record)
{
	keep(pass, record->process, (const void *)record);
}

/* A fork's child goes on with the program's own code; its totals begin at 0. */
void entries_process(struct pass *pass, const struct ccs_process *process)
{
	struct ccs_entry entry = { .record = process->record };

	if (process->cause == CCS_PROCESS_FORK)
		keep(pass, process->record.process, &entry);
}

bool entries_ahead(struct pass *pass, const struct ccs_record *record)
{
	return wanted(pass) && !at(pass, record->process);
}

struct ccs_entry entries_before(struct pass *pass, uint32_t process)
{
	const struct ccs_entry *entry = wanted(pass) ? at(pass, process) : NULL;

	return entry ? *entry : (struct ccs_entry){ .time = 0 };
}
