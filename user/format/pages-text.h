/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CCSAMPLE_FORMAT_PAGES_TEXT_H
#define CCSAMPLE_FORMAT_PAGES_TEXT_H

#include "cachesim/pages.h"

/* A page plan as --pages takes it, and as files and reports have it. Allocated. */
char *pages_text(const struct page_plan *pages);

#endif /* CCSAMPLE_FORMAT_PAGES_TEXT_H */
