/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The model to compare with: steady shares of a cache (Xu, Chen, Dick and Mao,
 * "Cache Contention and Application Performance Prediction for Multi-Core
 * Systems", ISPASS 2010). Each program has a share of the ways; a program fills s ways by as
 * many accesses as its miss ratios at smaller shares ask for, and in the steady
 * state all take the same time to fill theirs, which add up to the cache.
 */
#ifndef CCSAMPLE_SHARE_MODEL_SHARES_H
#define CCSAMPLE_SHARE_MODEL_SHARES_H

#include "share-model/model.h"

struct steady_share {
	double ways;		/* of the cache, not whole */
	double miss_ratio;	/* with that many */
	double ipc;
};

/**
 * shares_solve() - the steady shares, from all groups of sets together.
 * @shares: room for each program
 *
 * Speeds and shares are iterated on as share_solve() does. Programs that together need
 * less than the cache have what they need.
 *
 * Return: how that ended.
 */
struct share_end shares_solve(const struct share_plan *plan, struct steady_share *shares);

#endif /* CCSAMPLE_SHARE_MODEL_SHARES_H */
