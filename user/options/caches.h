/* SPDX-License-Identifier: GPL-2.0-only */
/* Caches and pages, as the options of several commands give them. */
#ifndef CCSAMPLE_OPTIONS_CACHES_H
#define CCSAMPLE_OPTIONS_CACHES_H

#include <stdbool.h>
#include <stdint.h>

#include "cachesim/hierarchy.h"
#include "cachesim/pages.h"
#include "options/options.h"

struct analysis_options;

/* As text; NULL = not given. */
struct cache_options {
	const char *machine;			/* a known machine or a file */
	const char *levels[CACHE_LEVELS];	/* --D1, --L2, --L3 */
	const char *policy;
	const char *inclusion;
	const char *pages;
};

/* Rows that fill a struct cache_options. */
extern const struct option_row machine_rows[], level_rows[], policy_rows[];

/* How recordings of references are read; rows that fill a struct asked_caches. */
struct asked_caches {
	struct cache_options options;
	struct hierarchy_plan plan;
	struct page_plan pages;
	bool all_bursts;
};

#define ASKED_HEADING "Of recordings of bursts (they hold references): other caches, all bursts"
extern const struct option_row asked_rows[];

#define OPTION_PAGES(by_default)							\
	{ "pages", 0, "MODEL", "where pages lie in physical memory, which indexes L2 and L3: "	\
	  "random[:SEED], huge[:SEED] (2 MiB pages), identity, or real (the frames of the "	\
	  "process; needs CAP_SYS_ADMIN) [" by_default "]", option_text,			\
	  .target = offsetof(struct cache_options, pages) }

/* This machine's levels, for an empty plan. Return: 0, or -1 after one line if it reports none. */
int plan_this_machine(struct hierarchy_plan *plan);

/* The caches asked for; this machine's where none were. Return: 0, or -1 after one line. */
int caches_plan(struct hierarchy_plan *plan, const struct cache_options *caches);

/* Were any asked for? Policies are no caches. */
bool caches_given(const struct cache_options *caches);

/* Caches that are known, as asked for, or their levels alone. Return: 0, or -1 after one line. */
int caches_change(struct hierarchy_plan *plan, const struct cache_options *caches);
int caches_levels(struct hierarchy_plan *plan, const struct cache_options *caches);

/**
 * caches_asked() - what recorded references are asked for.
 * @analysis: set to it; leads into @asked
 *
 * Return: 0, or -1 after one line.
 */
int caches_asked(struct asked_caches *asked, struct analysis_options *analysis);

/* Does the kernel show page frames to this process? */
bool pages_shown(void);

/**
 * pages_given() - where pages lie.
 * @text: of --pages
 * @levels: simulated; L1 by itself does not depend on pages
 *
 * Return: 0, or -1 after one line: it cannot be read, or the frames cannot be seen.
 */
int pages_given(struct page_plan *pages, const char *text, uint32_t levels);

/* The same of a trace or of recorded references, which have no real ones. */
int pages_of_input(struct page_plan *pages, const char *text);

#endif /* CCSAMPLE_OPTIONS_CACHES_H */
