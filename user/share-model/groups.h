/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sets of a shared cache, put together where all programs use them alike, so that
 * the model need not look at each one.
 */
#ifndef CCSAMPLE_SHARE_MODEL_GROUPS_H
#define CCSAMPLE_SHARE_MODEL_GROUPS_H

#include <stdint.h>

/**
 * groups_of_sets() - a partition of the sets.
 * @profiles: of each program, sets x (ways + 1) accesses
 * @most: groups at most, at least 1
 * @group: set to the group of each set, 0..
 *
 * Sets fall together whose numbers of accesses and of misses are, for each program, alike within a
 * step; the steps are made coarser until there are no more than @most.
 *
 * Return: groups, 0 without memory.
 */
uint32_t groups_of_sets(const double *const *profiles, uint32_t programs, uint32_t sets,
			uint32_t ways, uint32_t most, uint32_t *group);

/* One program's profile by group: @grouped, groups x (ways + 1), is filled. */
void groups_profile(const double *profile, uint32_t sets, uint32_t ways, const uint32_t *group,
		    uint32_t groups, double *grouped);

#endif /* CCSAMPLE_SHARE_MODEL_GROUPS_H */
