/* SPDX-License-Identifier: GPL-2.0-only */
/* Where the images of a recording begin with the program's own code, after their loader. */
#ifndef CCSAMPLE_FINDINGS_ENTRIES_H
#define CCSAMPLE_FINDINGS_ENTRIES_H

#include "findings/pass.h"

/* A consumer of CCS_ENTRY. @pass: a struct pass */
void entries_take(void *pass, const struct ccs_record *record);

/* An image begins. */
void entries_process(struct pass *pass, const struct ccs_process *process);

/* Is a record of the loader, which is not asked for? */
bool entries_ahead(struct pass *pass, const struct ccs_record *record);

/* What an image had counted when its own code began, if that is to be left out; else zeros. */
struct ccs_entry entries_before(struct pass *pass, uint32_t process);

#endif /* CCSAMPLE_FINDINGS_ENTRIES_H */
