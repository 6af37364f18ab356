/* SPDX-License-Identifier: GPL-2.0-only */
/* Where pages lie, as --pages says. */
#ifndef CCSAMPLE_CMD_PAGES_H
#define CCSAMPLE_CMD_PAGES_H

#include <stdbool.h>
#include <stdint.h>

#include "cachesim/pages.h"

/* Does the kernel show frames to us? */
bool pages_shown(void);

/**
 * pages_given() - where pages lie.
 * @text: of --pages
 * @levels: simulated; L1 alone does not need to know
 *
 * Return: 0, or -1 after one line: it cannot be read, or the frames cannot be seen.
 */
int pages_given(struct page_plan *pages, const char *text, uint32_t levels);

#endif /* CCSAMPLE_CMD_PAGES_H */
