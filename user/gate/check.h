/* SPDX-License-Identifier: GPL-2.0-only */
/* The gate: what is worse in a recording than in the one before, by a policy. */
#ifndef CCSAMPLE_GATE_CHECK_H
#define CCSAMPLE_GATE_CHECK_H

#include <stdbool.h>
#include <stdio.h>

#include "diff/compare.h"

enum check_kind {
	CHECK_NEW_CONFLICT,		/* where there was none */
	CHECK_CONFLICT_UP,		/* the share of conflict misses has grown */
	CHECK_MISSES_UP,
	CHECK_KINDS
};

/* "new-conflict", "conflict-up", "misses-up": the words of policies and of JSON. */
const char *check_kind_name(enum check_kind kind);

/* Code that is let off. */
struct check_ignore {
	char *pattern;	/* of a function, a file, or a file and line, as fnmatch() has it */
	char *reason;
};

struct check_policy {
	bool fails[CHECK_KINDS];	/* what is looked for */
	bool levels[FINDINGS_LEVELS];	/* by level - 1 */
	double share;	/* of the level's misses, that a loop must have to be judged */
	double conflict_up;	/* how much larger the share of conflict misses may become */
	double misses_up;	/* how many more misses there may be, as a part of those before */
	struct check_ignore *ignores;
	size_t ignore_count;
};

/* Everything, at all levels, with the thresholds of docs/howto/ci.md. */
void check_policy_default(struct check_policy *policy);

/**
 * check_policy_read() - read a policy over the one there is.
 *
 * Return: 0, or -1 after one line with the file and line.
 */
int check_policy_read(struct check_policy *policy, const char *path);

/* "new-conflict,misses-up": only these. Return: 0, or -1 after one line. */
int check_policy_kinds(struct check_policy *policy, const char *option, const char *kinds);
void check_policy_drop(struct check_policy *policy);

/* One thing that is worse. */
struct check_issue {
	enum check_kind kind;
	uint32_t level;
	const struct comparison *comparison;
	const struct change *change;	/* NULL = all code of the level together */
	const struct check_ignore *ignore;	/* the policy's; NULL = none */
	size_t layouts;			/* of the program that were judged, 1 or more */
	size_t worse_in;		/* of them */
	bool depends_on_layout;		/* it is worse in too few of them to fail */
};

struct check_result {
	const struct findings *before, *after;
	struct check_issue *issues;	/* by level, those with most misses first */
	size_t count;
	size_t failures;		/* of them, those that fail */
	size_t layouts;			/* of the program that were judged, 1 or more */
	size_t judged;			/* pieces of code that are large enough */
	size_t undecided;		/* of them, without a verdict after the change */
	size_t unknown;	/* levels: bursts do not tell how often a side misses: no rise is seen */
	size_t unclear;	/* conflicts now, but the intervals of both shares overlap */
};

/**
 * check_findings() - judge two recordings.
 * @comparisons: of the levels that both sampled
 *
 * What is within the noise of either recording is no issue: docs/howto/ci.md.
 */
void check_findings(const struct findings *before, const struct findings *after,
		    struct comparison *const *comparisons, size_t count,
		    const struct check_policy *policy, struct check_result *result);
void check_result_drop(struct check_result *result);

/* Neither ignored nor by the luck of one layout. */
static inline bool check_fails(const struct check_issue *issue)
{
	return !issue->ignore && !issue->depends_on_layout;
}

/* Why an issue does not fail, NULL if it does. */
const char *check_excuse(const struct check_issue *issue);

/**
 * check_layout() - judge the same program in another layout.
 * @other: against the same baseline, by the same policy
 *
 * An issue is worse there if anything that is not ignored is, of the same code at the same level.
 */
void check_layout(struct check_result *result, const struct check_result *other);

/* All layouts were judged: what is worse in no more than half of them depends on the layout. */
void check_layouts_settle(struct check_result *result);

/* Two recordings judged at all levels that the policy names. */
struct check_judged {
	struct comparison *comparisons[FINDINGS_LEVELS];
	size_t count;
	struct check_result result;
};

/**
 * check_judge() - judge two recordings.
 * @judged: filled on success, for check_judged_drop() before findings are freed
 *
 * Return: 0, or -1 after one line: they cannot be compared.
 */
int check_judge(const struct findings *before, const struct findings *after,
		const struct check_policy *policy, struct check_judged *judged);
void check_judged_drop(struct check_judged *judged);

#endif /* CCSAMPLE_GATE_CHECK_H */
